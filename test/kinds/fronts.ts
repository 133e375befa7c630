/** The fronts that declare a resource, each in this process: the command line, Pulumi and Terraform. A front keeps its own state between the calls. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { checkInputs } from '../../providers/core/check.ts';
import {
  createResource,
  deleteResource,
  diffResource,
  PartialUpdateError,
  readResource,
  updateResource,
} from '../../providers/core/lifecycle.ts';
import { formatFor, problemsFrom } from '../../providers/core/problems.ts';
import { openStack, type Stack } from '../../providers/core/stack.ts';
import { storedOf } from '../../providers/core/stored/table.ts';
import { previewResource } from '../../providers/plugin/preview.ts';
import { toWireObject } from '../../providers/terraform/attributes.ts';
import { resourceTypes } from '../../providers/terraform/resources.ts';
import type { WireObject } from '../../providers/terraform/wire.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import { type Client, openClient, type PlannedEntry, type StateEntry } from '../providers/terraform/client.ts';
import { token } from '../triggers/serving.ts';
import type { ConformancePlace, KindCase } from './cases.ts';

/** The result of a step; `refused` has the reason if it was refused or has failed. */
export interface Step {
  hasChanges: boolean;
  refused?: string;
}

export interface Front {
  /** Plans the resource. The live value of `ignored`, a field, stays. */
  plan(spec: object, ignored?: string): Promise<Step>;
  /** Applies what was planned last. */
  apply(): Promise<Step>;
  /** Plans and makes the removal of what was applied. */
  remove(): Promise<Step>;
  /** Reports whether the live state differs from what was applied. */
  hasDrifted(): Promise<boolean>;
  /** Forgets its state and its memory, as on another machine. */
  forget(): Promise<void>;
  /** Returns everything that it has shown or stored. */
  texts(): string;
}

type OpenFront = (place: ConformancePlace, kindCase: KindCase) => Front;

export const fronts: Readonly<Record<string, OpenFront>> = {
  'the command line': openCommandLine,
  Pulumi: openPulumi,
  Terraform: openTerraform,
};

function openCommandLine(place: ConformancePlace, { kind }: KindCase): Front {
  const shown: string[] = [];
  const webdata = async (...args: string[]) => {
    const { code, stdout, stderr } = await place.webdata(...args);
    shown.push(stdout, stderr);
    return { code, text: stdout + stderr };
  };
  const step = ({ code, text }: { code: number; text: string }): Step =>
    code === 1 ? { hasChanges: false, refused: text } : { hasChanges: code === 2 };
  return {
    async plan(spec, ignored) {
      const ignoreChanges = ignored === undefined ? {} : { ignoreChanges: [ignored] };
      await place.declare(stringify({ [kind.collection]: { it: { ...spec, ...ignoreChanges } } }));
      await webdata('plan', '--output', 'plan.json');
      return step(await webdata('plan', '--detailed-exitcode'));
    },
    apply: async () => step(await webdata('apply', 'plan.json', '--yes')),
    remove: async () => step(await webdata('destroy', '--yes', '--select', `${kind.name}/it`)),
    hasDrifted: async () => (await webdata('drift')).code === 2,
    forget: () => rm(join(place.folder, '.webdata'), { recursive: true, force: true }),
    texts: () => shown.join('\n'),
  };
}

function openPulumi(place: ConformancePlace, kindCase: KindCase): Front {
  const { kind, identity } = kindCase;
  const printed: string[] = [];
  let state: { id: string; properties: Properties } | undefined;
  let planned: { inputs: Properties; ignored: { ignored: string[][] } } = { inputs: {}, ignored: { ignored: [] } };
  let declared: Properties = {};
  /** The engine starts a provider process for each preview, update and refresh. */
  const newProcess = () => openPlaceStack(place, (text) => printed.push(text));
  const step = async (action: () => Promise<boolean>): Promise<Step> => {
    try {
      return { hasChanges: await action() };
    } catch (error) {
      if (error instanceof PartialUpdateError) state = error.kept;
      const refused = formatFor('pulumi', problemsFrom(error));
      printed.push(refused);
      return { hasChanges: false, refused };
    }
  };
  async function checked(stack: Stack, spec: object): Promise<{ inputs: Properties; refused?: string }> {
    const { inputs, problems } = await checkInputs(
      kind,
      state?.properties ?? {},
      { ...spec, ...identity },
      () => stack,
    );
    return problems.length === 0 ? { inputs } : { inputs, refused: formatFor('pulumi', problems) };
  }
  return {
    async plan(spec, field) {
      const stack = newProcess();
      const ignored = { ignored: field === undefined ? [] : [[field]] };
      const { inputs, refused } = await checked(stack, spec);
      if (refused !== undefined) return { hasChanges: false, refused };
      planned = { inputs, ignored };
      return step(async () => {
        if (state === undefined) {
          const { plan } = await previewResource(stack, kind, {}, inputs);
          return (plan.diff?.calls.length ?? 0) > 0;
        }
        return (await diffResource(stack, kind, state.properties, inputs, ignored)).hasChanges;
      });
    },
    apply: () =>
      step(async () => {
        const stack = newProcess();
        const { inputs, ignored } = planned;
        await checked(stack, inputs);
        if (state === undefined) state = await createResource(stack, kind, inputs);
        else if ((await diffResource(stack, kind, state.properties, inputs, ignored)).hasChanges) {
          state = {
            ...state,
            properties: await updateResource(stack, kind, state.id, state.properties, inputs, ignored),
          };
        }
        declared = inputs;
        return false;
      }),
    remove: () =>
      step(async () => {
        if (state !== undefined) await deleteResource(newProcess(), kind, state.properties);
        state = undefined;
        return false;
      }),
    async hasDrifted() {
      const { normalize } = storedOf(kind);
      const found = await readResource(newProcess(), kind, state?.properties ?? {});
      return JSON.stringify(sorted(normalize(found?.inputs ?? {}))) !== JSON.stringify(sorted(normalize(declared)));
    },
    forget: async () => {
      state = undefined;
    },
    texts: () => printed.join('\n'),
  };
}

function sorted(properties: Properties): [string, unknown][] {
  return Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function openPlaceStack(place: ConformancePlace, print: (text: string) => unknown): Stack {
  const config = new Map<string, string | undefined>([
    ['webdata:apiUrl', place.env.WEBDATA_API_URL],
    ['webdata:apiKey', place.emulator.keys.ops],
    ['webdata:managerUrl', place.env.WEBDATA_MANAGER_URL],
    ['webdata:triggersUrl', place.env.WEBDATA_TRIGGERS_URL],
    ['webdata:triggersToken', token],
    ['webdata:backend', join(place.folder, '.webdata')],
    ['webdata:profile', '{"settleSeconds":0.1}'],
  ]);
  return openStack((key) => config.get(key), { print: async (text) => Boolean(print(text)) });
}

function openTerraform(place: ConformancePlace, kindCase: KindCase): Front {
  const type = resourceTypes().find(({ kind }) => kind === kindCase.kind);
  if (type === undefined) throw new TypeError(`${kindCase.kind.name} is no type of resource`);
  const shown: string[] = [];
  let state: StateEntry | null = null;
  let planned: { entry: PlannedEntry; config: WireObject } | undefined;
  /** OpenTofu starts a process of the provider for each plan and apply. */
  const newProcess = (): Promise<Client> =>
    openClient(type.name, {
      url: place.env.WEBDATA_API_URL,
      apiKey: place.emulator.keys.ops,
      managerUrl: place.env.WEBDATA_MANAGER_URL,
      triggersUrl: place.env.WEBDATA_TRIGGERS_URL,
      triggersToken: token,
      backend: join(place.folder, '.webdata'),
      profile: { settleSeconds: 0.1 },
    });
  const step = async (action: () => Promise<boolean>): Promise<Step> => {
    try {
      return { hasChanges: await action() };
    } catch (error) {
      shown.push(String(error));
      return { hasChanges: false, refused: String(error) };
    }
  };
  const refreshed = async (client: Client) => (state === null ? null : client.read(state));
  return {
    plan: (spec, ignored) =>
      step(async () => {
        const client = await newProcess();
        const config = toWireObject(type.attributes, { ...spec, ...kindCase.identity });
        await client.validate(config);
        state = await refreshed(client);
        const name = type.attributes.find(({ property }) => property === ignored)?.name;
        // OpenTofu itself keeps the value of the state.
        if (name !== undefined && state !== null) config[name] = state.wire[name];
        planned = { entry: await client.plan(state, config), config };
        await client.end();
        shown.push(Buffer.from(planned.entry.hidden).toString(), JSON.stringify(planned.entry.wire));
        return planned.entry.hasChanges && movesOrChanges(planned.entry, state);
      }),
    apply: () =>
      step(async () => {
        if (planned === undefined || (!planned.entry.hasChanges && state !== null)) return false;
        state = await (await newProcess()).apply(state, planned.entry, planned.config);
        shown.push(JSON.stringify(state));
        return false;
      }),
    remove: () =>
      step(async () => {
        const entry = await (await newProcess()).plan(state, null);
        state = await (await newProcess()).apply(state, entry, null);
        return false;
      }),
    async hasDrifted() {
      const found = await refreshed(await newProcess());
      return JSON.stringify(found?.wire) !== JSON.stringify(state?.wire);
    },
    forget: async () => {
      state = null;
    },
    texts: () => shown.join('\n'),
  };
}

/** A create is a change of the state also where it adopts what exists. */
function movesOrChanges(entry: PlannedEntry, state: StateEntry | null): boolean {
  return state !== null || entry.wire?.billable_moves !== 0;
}
