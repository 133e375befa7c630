/** A client of the provider in this process: it sends what OpenTofu sends for one resource, and checks the answers as OpenTofu does. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { type Attribute, toWireObject } from '../../../providers/terraform/attributes.ts';
import type { Diagnostic } from '../../../providers/terraform/diagnostics.ts';
import { protocolMethods } from '../../../providers/terraform/methods.ts';
import { TerraformProvider } from '../../../providers/terraform/provider.ts';
import { resourceType } from '../../../providers/terraform/resources.ts';
import { settingAttributes } from '../../../providers/terraform/settings.ts';
import {
  type DynamicValue,
  fromDynamicValue,
  toDynamicValue,
  Unknown,
  type WireObject,
} from '../../../providers/terraform/wire.ts';

/** A resource in a state: its attributes, and the private data of the provider. */
export interface StateEntry {
  wire: WireObject;
  hidden: Uint8Array;
}

export interface PlannedEntry {
  /** Null: the resource is destroyed. */
  wire: WireObject | null;
  hidden: Uint8Array;
  replaces: object[];
  hasChanges: boolean;
}

export interface Client {
  validate(config: WireObject): Promise<void>;
  plan(prior: StateEntry | null, config: WireObject | null): Promise<PlannedEntry>;
  apply(prior: StateEntry | null, planned: PlannedEntry, config: WireObject | null): Promise<StateEntry | null>;
  read(prior: StateEntry): Promise<StateEntry | null>;
  import(id: string): Promise<StateEntry>;
  /** Ends the provider, as OpenTofu does after a plan. */
  end(): Promise<void>;
  /** Reads the JSON of a state. */
  upgrade(json: object): Promise<WireObject>;
  data(name: string, inputs: WireObject): Promise<WireObject>;
}

/** Fails with the diagnostics of an answer. */
export class ClientError extends Error {
  override name = 'ClientError';
}

/** A resource of a configuration; null in place of its inputs for one that is destroyed. */
export interface Configured {
  type: string;
  prior: StateEntry | null;
  inputs: object | null;
}

/** The methods of a client, with inputs by property instead of attributes. */
interface ClientOfInputs extends Pick<Client, 'read'> {
  plan(prior: StateEntry | null, inputs: object | null): Promise<PlannedEntry>;
  apply(prior: StateEntry | null, planned: PlannedEntry, inputs: object | null): Promise<StateEntry | null>;
}

export interface Configuration {
  /** The warnings so far. */
  warnings: string[];
  /** Ends the provider, as a client does after its plan. */
  end(): Promise<void>;
  of(type: string): ClientOfInputs;
}

/** Opens a provider for all types of resources. `program` is the process that its other providers have in common. */
export async function openConfiguration(settings: object, program?: number): Promise<Configuration> {
  const connection = await openConnection(settings, program);
  return {
    warnings: connection.warnings,
    end: connection.end,
    of(type) {
      const { plan, apply, read } = clientOf(type, connection);
      const configOf = (inputs: object | null) => inputs && toWireObject(resourceType(type).attributes, inputs);
      return {
        read,
        plan: (prior, inputs) => plan(prior, configOf(inputs)),
        apply: (prior, planned, inputs) => apply(prior, planned, configOf(inputs)),
      };
    },
  };
}

/** Opens a provider for one type of resource, as OpenTofu does for each command. */
export async function openClient(type: string, settings: object): Promise<Client> {
  return clientOf(type, await openConnection(settings));
}

interface Connection extends Pick<Configuration, 'warnings' | 'end'> {
  call(name: string, request: object): Promise<Answer>;
}

async function openConnection(settings: object, program?: number): Promise<Connection> {
  const provider = new TerraformProvider(program);
  const methods = protocolMethods(provider);
  const warnings: string[] = [];
  const call = async (name: string, request: object): Promise<Answer> => {
    const answer = (await methods[name]?.(received(request) as never)) as Answer;
    for (const { severity, summary, detail } of answer.diagnostics ?? []) {
      if (severity === 'WARNING') warnings.push(`${summary}\n${detail}`);
    }
    const errors = (answer.diagnostics ?? []).filter(({ severity }) => severity === 'ERROR');
    if (errors.length > 0)
      throw new ClientError(errors.map(({ summary, detail }) => `${summary} ${detail}`).join('\n'));
    return answer;
  };
  const config = toDynamicValue(toWireObject(settingAttributes, settings));
  await call('ValidateProviderConfig', { config });
  await call('ConfigureProvider', { config });
  return { call, warnings, end: () => provider.end() };
}

function clientOf(type: string, { call, end }: Connection): Client {
  const { attributes, computed } = resourceType(type);
  const client: Client = {
    end,
    async validate(given) {
      const client_capabilities = { write_only_attributes_allowed: true };
      await call('ValidateResourceConfig', { type_name: type, config: toDynamicValue(given), client_capabilities });
    },
    async plan(prior, given) {
      const answer = await call('PlanResourceChange', {
        type_name: type,
        prior_state: toDynamicValue(prior?.wire ?? null),
        proposed_new_state: toDynamicValue(given && proposed(computed, prior, given)),
        config: toDynamicValue(given),
        prior_private: prior?.hidden ?? new Uint8Array(),
      });
      const wire = fromDynamicValue(answer.planned_state as DynamicValue);
      if (wire !== null && given !== null) expectConforming(attributes, onTheWire(given), wire);
      return {
        wire,
        hidden: answer.planned_private as Uint8Array,
        replaces: (answer.requires_replace ?? []) as object[],
        hasChanges: !isDeepStrictEqual(wire, prior?.wire ?? null),
      };
    },
    async apply(prior, planned, given) {
      // The client plans again, and passes on the private data of this plan.
      const again = planned.wire === null ? planned : await client.plan(prior, given);
      if (planned.wire !== null && again.wire !== null) expectKept(planned.wire, again.wire);
      const answer = await call('ApplyResourceChange', {
        type_name: type,
        prior_state: toDynamicValue(prior?.wire ?? null),
        planned_state: toDynamicValue(again.wire),
        config: toDynamicValue(given),
        planned_private: again.hidden,
      });
      const wire = fromDynamicValue(answer.new_state as DynamicValue);
      expect(hasUnknown(wire)).toBe(false);
      if (wire !== null && again.wire !== null) expectKept(again.wire, wire);
      return wire && { wire, hidden: answer.private as Uint8Array };
    },
    async read({ wire, hidden }) {
      const current = toDynamicValue(wire);
      const answer = await call('ReadResource', { type_name: type, current_state: current, private: hidden });
      return entryOf(answer.new_state, answer.private);
    },
    async upgrade(json) {
      const raw_state = { json: Buffer.from(JSON.stringify(json)) };
      const answer = await call('UpgradeResourceState', { type_name: type, raw_state });
      return fromDynamicValue(answer.upgraded_state as DynamicValue) ?? {};
    },
    async data(name, inputs) {
      const answer = await call('ReadDataSource', { type_name: name, config: toDynamicValue(inputs) });
      return fromDynamicValue(answer.state as DynamicValue) ?? {};
    },
    async import(id) {
      const answer = await call('ImportResourceState', { type_name: type, id, identity: null });
      const [imported] = answer.imported_resources as { state: unknown; private: unknown }[];
      const read = await client.read(entryOf(imported?.state, imported?.private) as StateEntry);
      if (read === null) throw new ClientError(`${id} does not exist`);
      return read;
    },
  };
  return client;
}

type Answer = Readonly<Record<string, unknown>> & { diagnostics?: Diagnostic[] };

/** Returns a request as the wire delivers it: both forms of each value. */
function received(request: object): object {
  const entries = Object.entries(request).map(([name, value]) => [
    name,
    typeof value === 'object' && value !== null && 'msgpack' in value ? { json: new Uint8Array(), ...value } : value,
  ]);
  return Object.fromEntries(entries);
}

function onTheWire(wire: WireObject): WireObject {
  return fromDynamicValue({ json: new Uint8Array(), ...toDynamicValue(wire) } as DynamicValue) ?? {};
}

function entryOf(state: unknown, hidden: unknown): StateEntry | null {
  const wire = fromDynamicValue(state as DynamicValue);
  return wire && { wire, hidden: hidden as Uint8Array };
}

/** What is computed and not configured stays as the state has it. */
function proposed(computed: readonly Attribute[], prior: StateEntry | null, config: WireObject): WireObject {
  const kept = computed.map(({ name }) => [name, config[name] ?? prior?.wire[name] ?? null]);
  return { ...config, ...Object.fromEntries(kept) };
}

/** A plan may only set what the configuration leaves open, and must not hold write-only values. */
function expectConforming(attributes: readonly Attribute[], config: WireObject, planned: WireObject): void {
  for (const { name, isComputed, isWriteOnly, shape } of attributes) {
    if (isWriteOnly || (shape.nested?.attributes ?? []).some((each) => each.isWriteOnly)) continue;
    if (!isComputed || (config[name] ?? null) !== null) expect(planned[name]).toEqual(config[name] ?? null);
  }
}

/** An apply may only decide what the plan left unknown. */
function expectKept(planned: WireObject, made: WireObject): void {
  for (const [name, value] of Object.entries(planned)) {
    if (!(value instanceof Unknown)) expect({ [name]: made[name] }).toEqual({ [name]: value });
  }
}

function hasUnknown(value: unknown): boolean {
  if (value instanceof Unknown) return true;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
  return Object.values(value).some(hasUnknown);
}
