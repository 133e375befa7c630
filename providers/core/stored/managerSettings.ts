/** Manager settings as a stored resource. */
import { z } from 'zod';
import { urlKey } from '../../../src/base/values/serverUrl.ts';
import { settingSchemas } from '../../../src/client/areas/manager/settings.ts';
import { isDeletePortsCall } from '../../../src/kinds/managerSettings/calls/managerCalls.ts';
import { differingSettings, liveSettings, wantedSettings } from '../../../src/kinds/managerSettings/diff.ts';
import type { ManagerSettingsSpec, ManagerSettingsState } from '../../../src/kinds/managerSettings/spec.ts';
import { canonicalEntry } from '../../../src/kinds/seam/addresses.ts';
import type { Properties } from '../../../src/kinds/seam/kind.ts';
import type { DeclaredStored, StoredOutputs } from './storedResource.ts';

type Spec = ManagerSettingsSpec;
type State = ManagerSettingsState;

export const storedManagerSettings: DeclaredStored<Spec, State> = {
  title: ({ url }, context) => context.manager(url).url,
  id: ({ url }, context) => context.manager(url).url,
  importTarget: (id) => ({ id, target: { name: id, zones: [], managerUrl: id }, inputs: { url: id } }),
  list: async (_query, context) => {
    const { url } = context.manager(undefined);
    return [{ id: url, name: new URL(url).host }];
  },
  normalize,
  comparable: normalize,
  liveInputs(inputs, spec, { settings, ports }) {
    const live = liveSettings(settings);
    const differing = differingSettings(wantedSettings(spec, settings), live);
    const absentPorts = spec.absentPorts?.filter((port) => !ports?.includes(port));
    const liveValues = Object.fromEntries(differing.map((name) => [name, live[name]]));
    return normalize({ ...inputs, ...liveValues, ...(absentPorts && { absentPorts }) });
  },
  outputSchema: z.object({
    manager: z.string().describe('URL of the manager.'),
    settings: z.object(settingSchemas()).describe('The settings as they were last read, undeclared ones included.'),
    deletedPorts: z.array(z.int()).describe('Ports that were deleted, if the manager does not show its ports.'),
  }),
  outputs: (stored) => ({
    ...managerOutputs(stored),
    deletedPorts: stored.state?.ports ? [] : deletedPorts(stored),
  }),
  replaces: ({ manager }, { url }, context) =>
    manager === undefined || urlKey(context.manager(url).url) === urlKey(String(manager)) ? [] : ['url'],
  withOlds: (context, olds) => {
    const deleted = new Set([...portsIn(olds)].map(String));
    return { ...context, facts: () => deleted };
  },
};

function normalize(inputs: Properties): Properties {
  const entries = Object.entries(inputs).map(([name, value]) => [
    name,
    Array.isArray(value) ? sortedSet(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** Sorts a list of addresses or ports, each in one spelling and once. */
function sortedSet(items: readonly (string | number)[]): (string | number)[] {
  const spelled = items.map((item) => (typeof item === 'string' ? (canonicalEntry(item) ?? item) : item));
  return [...new Set(spelled)].sort((a, b) => (typeof a === 'number' ? a - Number(b) : a < String(b) ? -1 : 1));
}

function managerOutputs({ state, olds: { manager, settings } }: StoredOutputs<Spec, State>): Properties {
  if (state) return { manager: state.manager, settings: { ...liveSettings(state.settings) } };
  return { ...(manager !== undefined && { manager }), ...(settings !== undefined && { settings }) };
}

/** Returns the deleted ports that are still declared absent: the only record of them if the manager does not show its ports. */
function deletedPorts({ spec, sent = [], olds }: StoredOutputs<Spec, State>): number[] {
  const now = sent.flatMap(({ call, answered }) => (isDeletePortsCall(call) && answered ? call.ports : []));
  const deleted = new Set([...portsIn(olds), ...now]);
  return (spec.absentPorts ?? []).filter((port) => deleted.has(port)).sort((a, b) => a - b);
}

function portsIn({ deletedPorts = [] }: Properties): Set<number> {
  return new Set(deletedPorts as number[]);
}
