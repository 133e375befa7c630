/** `ManagerSettings` in a Pulumi state: the declaration under its own names, and beside it the settings as they are live. */
import { canonicalEntry } from '../../src/kinds/addresses.ts';
import type { Context } from '../../src/kinds/context.ts';
import { isDeletePortsCall } from '../../src/kinds/managerSettings/calls/deletePorts.ts';
import { differingSettings, liveSettings, wantedSettings } from '../../src/kinds/managerSettings/diff.ts';
import {
  type ManagerSettingsSpec,
  type ManagerSettingsState,
  managerSettings,
} from '../../src/kinds/managerSettings/kind.ts';
import type { Adapter, Declared, Made } from './adapter.ts';

type Spec = ManagerSettingsSpec;

export const managerSettingsAdapter: Adapter<Spec, ManagerSettingsState> = {
  kind: managerSettings,
  title: ({ url }, context) => context.manager(url).url,
  id: ({ url }, context) => context.manager(url).url,
  tidy,
  meaning: (spec) => tidy(spec),
  async read(declared, context) {
    const spec = managerSettings.spec.parse(declared);
    return { declared, state: await managerSettings.observe(spec, context as Context<Spec>) };
  },
  asLive({ declared, state: { settings, ports } }) {
    const spec = managerSettings.spec.parse(declared);
    const live = liveSettings(settings);
    const differing = differingSettings(wantedSettings(spec, settings), live);
    const absentPorts = spec.absentPorts?.filter((port) => !ports?.includes(port));
    const asIs = Object.fromEntries(differing.map((name) => [name, live[name]]));
    return tidy({ ...declared, ...asIs, ...(absentPorts && { absentPorts }) });
  },
  outputs: (spec, state, made, olds) => ({
    ...(state ? { manager: state.manager, settings: { ...liveSettings(state.settings) } } : kept(olds)),
    deletedPorts: state?.ports ? [] : deletedPorts(spec, made, olds),
  }),
  replaces: ({ manager }, { url }, context) =>
    manager === undefined || context.manager(url).url === manager ? [] : ['url'],
  withOlds: (context, olds) => {
    const deleted = new Set(((olds.deletedPorts ?? []) as number[]).map(String));
    return context.overrides.forcePorts ? context : { ...context, facts: () => deleted };
  },
  toDelete: (spec) => spec,
};

function tidy(declared: Declared): Declared {
  const entries = Object.entries(declared).map(([name, value]) => [
    name,
    Array.isArray(value) ? tidyList(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function tidyList(items: readonly (string | number)[]): (string | number)[] {
  const spelled = items.map((item) => (typeof item === 'string' ? (canonicalEntry(item) ?? item) : item));
  return [...new Set(spelled)].sort((a, b) => (typeof a === 'number' ? a - Number(b) : a < String(b) ? -1 : 1));
}

function kept({ manager, settings }: Declared): Declared {
  return { ...(manager !== undefined && { manager }), ...(settings !== undefined && { settings }) };
}

/** Ports that were deleted and are still declared absent: all there is to go by where a manager does not show its ports. */
function deletedPorts({ absentPorts = [] }: Spec, made: readonly Made[], olds: Declared): number[] {
  const now = made.flatMap(({ call, outcome }) =>
    isDeletePortsCall(call) && outcome === 'answered' ? call.ports : [],
  );
  const deleted = new Set([...((olds.deletedPorts ?? []) as number[]), ...now]);
  return absentPorts.filter((port) => deleted.has(port)).sort((a, b) => a - b);
}
