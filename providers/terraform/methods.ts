/** The calls of the protocol, over the provider. */
import { parsedJson } from '../../src/base/values/plain.ts';
import { parseExact } from '../../src/base/yaml/exactNumbers.ts';
import { callFunction } from '../core/functions.ts';
import { fromWireObject, toWireObject } from './attributes.ts';
import { dataSource, dataSources } from './dataSources.ts';
import { functions } from './functions.ts';
import { type Identity, identityOf, identitySchemas, idIn } from './identity.ts';
import type { PlannedChange, Stored, TerraformProvider } from './provider.ts';
import { resourceType, resourceTypes } from './resources.ts';
import { capabilities, functionSchemas, providerSchema } from './schema.ts';
import { settingAttributes } from './settings.ts';
import { fromStateJson } from './storedObjects.ts';
import { validateConfig, validateSettings } from './validation.ts';
import { type DynamicValue, decoded, fromDynamicValue, toDynamicValue } from './wire.ts';

type Method = (request: never) => object | Promise<object>;

interface Typed {
  type_name: string;
}

interface ChangeRequest extends Typed {
  prior_state: DynamicValue;
  config: DynamicValue;
}

type Methods = Readonly<Record<string, Method>>;

export function protocolMethods(provider: TerraformProvider): Methods {
  return {
    ...descriptions,
    ...configuration(provider),
    ...states(provider),
    ...changes(provider),
    ...live(provider),
  };
}

const descriptions: Methods = {
  GetMetadata: () => ({
    server_capabilities: capabilities,
    resources: resourceTypes().map(({ name }) => ({ type_name: name })),
    data_sources: dataSources.map(({ name }) => ({ type_name: name })),
    functions: Object.keys(functions).map((name) => ({ name })),
  }),
  GetProviderSchema: providerSchema,
  GetResourceIdentitySchemas: identitySchemas,
  GetFunctions: () => ({ functions: functionSchemas() }),
};

function configuration(provider: TerraformProvider): Methods {
  return {
    ValidateProviderConfig: ({ config }: { config: DynamicValue }) =>
      provider.answer(settingAttributes, {}, async () => validateSettings(fromDynamicValue(config) ?? {})),

    ConfigureProvider: ({ config }: { config: DynamicValue }) =>
      provider.answer(settingAttributes, {}, async () =>
        provider.configure(fromWireObject(settingAttributes, fromDynamicValue(config) ?? {})),
      ),

    ValidateResourceConfig(
      request: Typed & { config: DynamicValue; client_capabilities: { write_only_attributes_allowed: boolean } | null },
    ) {
      const type = resourceType(request.type_name);
      const keepsSecrets = request.client_capabilities?.write_only_attributes_allowed !== true;
      const config = fromDynamicValue(request.config) ?? {};
      return provider.answer(type.attributes, {}, async () => validateConfig(type, config, { keepsSecrets }));
    },

    ValidateDataResourceConfig: () => ({}),

    StopProvider() {
      provider.stop();
      return {};
    },
  };
}

function states(provider: TerraformProvider): Methods {
  return {
    async UpgradeResourceState({ type_name, raw_state }: Typed & { raw_state: { json: Uint8Array } }) {
      const stored = parseExact(Buffer.from(raw_state.json).toString());
      return { upgraded_state: toDynamicValue(fromStateJson(resourceType(type_name).attributes, Object(stored))) };
    },

    UpgradeResourceIdentity: ({ raw_identity }: { raw_identity: { json: Uint8Array } }) => ({
      upgraded_identity: { identity_data: { json: raw_identity.json } },
    }),

    ReadResource(request: Typed & { current_state: DynamicValue; private: Uint8Array }) {
      const { current_state, private: hidden } = request;
      const type = resourceType(request.type_name);
      const prior = storedFrom(current_state, hidden);
      const unchanged = { new_state: current_state, new_identity: identityOf(prior?.wire), private: hidden };
      return provider.answer(type.attributes, unchanged, async () =>
        newState(await provider.read(type, required(prior))),
      );
    },

    ImportResourceState({ type_name, id, identity }: Typed & { id: string; identity: Identity | null }) {
      const type = resourceType(type_name);
      return provider.answer(type.attributes, { imported_resources: [] }, async () => {
        const found = newState(await provider.import(type, identity === null ? id : idIn(identity)));
        const { new_state: state, new_identity, private: hidden } = found;
        return { imported_resources: [{ type_name, state, private: hidden, identity: new_identity }] };
      });
    },
  };
}

function changes(provider: TerraformProvider): Methods {
  return {
    PlanResourceChange(request: ChangeRequest & { proposed_new_state: DynamicValue; prior_private: Uint8Array }) {
      const type = resourceType(request.type_name);
      const prior = storedFrom(request.prior_state, request.prior_private);
      const config = fromDynamicValue(request.config);
      if (config === null || decoded(request.proposed_new_state) === null) {
        const planned_state = toDynamicValue(null);
        return provider.answer(type.attributes, { planned_state, planned_private: jsonBytes({}) }, async () => ({
          planned_state,
          planned_private: jsonBytes(await provider.planDestroy(type, required(prior))),
        }));
      }
      return provider.answer(type.attributes, { planned_state: request.proposed_new_state }, async () => {
        const { wire, replaces, change } = await provider.plan(type, prior, config);
        return {
          planned_state: toDynamicValue(wire),
          planned_identity: identityOf(wire),
          requires_replace: replaces,
          planned_private: jsonBytes(change),
        };
      });
    },

    ApplyResourceChange(request: ChangeRequest & { planned_state: DynamicValue; planned_private: Uint8Array }) {
      const type = resourceType(request.type_name);
      const planned = fromDynamicValue(request.planned_state);
      const change = changeFrom(request.planned_private);
      const wire = fromDynamicValue(request.prior_state);
      const prior = wire && { wire, hidden: change.hidden };
      const unchanged = { ...newState(prior), new_state: request.prior_state };
      return provider.answer(type.attributes, unchanged, async () => {
        if (planned !== null) {
          const config = fromDynamicValue(request.config) ?? {};
          return newState(await provider.apply(type, prior, planned, config, change));
        }
        await provider.destroy(type, required(prior), change);
        return { new_state: toDynamicValue(null) };
      });
    },
  };
}

function live(provider: TerraformProvider): Methods {
  return {
    ReadDataSource({ type_name, config }: Typed & { config: DynamicValue }) {
      const source = dataSource(type_name);
      const wire = fromDynamicValue(config) ?? {};
      return provider.answer(source.attributes, { state: toDynamicValue(undefined) }, async () => {
        const inputs = fromWireObject(source.inputs, wire);
        const found = await callFunction(source.called, inputs, () => provider.knownStack());
        return { state: toDynamicValue({ ...wire, ...toWireObject(source.outputs, found) }) };
      });
    },

    CallFunction({ name, arguments: args }: { name: string; arguments: DynamicValue[] }) {
      const called = functions[name];
      if (called === undefined) return { error: { text: `${name} is no function of this provider` } };
      return { result: toDynamicValue(called.call(args.map(decoded))) };
    },
  };
}

function storedFrom(state: DynamicValue, hidden: Uint8Array): Stored | null {
  const wire = fromDynamicValue(state);
  return wire && { wire, hidden: objectFrom(hidden) };
}

function newState(stored: Stored | null) {
  const wire = stored?.wire ?? null;
  const hidden = jsonBytes(stored?.hidden ?? {});
  return { new_state: toDynamicValue(wire), new_identity: identityOf(wire), private: hidden };
}

function jsonBytes(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function changeFrom(bytes: Uint8Array): PlannedChange {
  return { hidden: {}, ...objectFrom(bytes) };
}

/** Private data, which a resource that is new does not have. */
function objectFrom(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const found = parsedJson(Buffer.from(bytes).toString());
  return typeof found === 'object' && found !== null ? { ...found } : {};
}

function required(stored: Stored | null): Stored {
  if (stored === null) throw new TypeError('the request has no state');
  return stored;
}
