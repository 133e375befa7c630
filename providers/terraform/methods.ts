/** The calls of the protocol, over the provider. */
import { parsedJson } from '../../src/base/values/plain.ts';
import { parseExact } from '../../src/base/yaml/exactNumbers.ts';
import { callFunction } from '../core/functions.ts';
import { type Attribute, fromWireObject, toWireObject } from './attributes.ts';
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
      diagnosed(provider, settingAttributes, async () => validateSettings(fromDynamicValue(config) ?? {})),

    ConfigureProvider: ({ config }: { config: DynamicValue }) =>
      diagnosed(provider, settingAttributes, async () =>
        provider.configure(fromWireObject(settingAttributes, fromDynamicValue(config) ?? {})),
      ),

    ValidateResourceConfig(
      request: Typed & { config: DynamicValue; client_capabilities: { write_only_attributes_allowed: boolean } | null },
    ) {
      const type = resourceType(request.type_name);
      const keepsSecrets = request.client_capabilities?.write_only_attributes_allowed !== true;
      const config = fromDynamicValue(request.config) ?? {};
      return diagnosed(provider, type.attributes, async () => validateConfig(type, config, { keepsSecrets }));
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

    async ReadResource({
      type_name,
      current_state,
      private: hidden,
    }: Typed & { current_state: DynamicValue; private: Uint8Array }) {
      const type = resourceType(type_name);
      const prior = storedFrom(current_state, hidden);
      const { result, diagnostics } = await provider.answer(type.attributes, () =>
        provider.read(type, required(prior)),
      );
      if (result === undefined) {
        return { new_state: current_state, new_identity: identityOf(prior?.wire), private: hidden, diagnostics };
      }
      return { ...newState(result), diagnostics };
    },

    async ImportResourceState({ type_name, id, identity }: Typed & { id: string; identity: Identity | null }) {
      const type = resourceType(type_name);
      const named = identity === null ? id : idIn(identity);
      const { result, diagnostics } = await provider.answer(type.attributes, () => provider.import(type, named));
      if (result === undefined) return { imported_resources: [], diagnostics };
      const { wire } = result;
      const imported = {
        type_name,
        state: toDynamicValue(wire),
        private: privateOf(result),
        identity: identityOf(wire),
      };
      return { imported_resources: [imported], diagnostics };
    },
  };
}

function changes(provider: TerraformProvider): Methods {
  return {
    async PlanResourceChange(request: ChangeRequest & { proposed_new_state: DynamicValue; prior_private: Uint8Array }) {
      const type = resourceType(request.type_name);
      const prior = storedFrom(request.prior_state, request.prior_private);
      const config = fromDynamicValue(request.config);
      if (config === null || decoded(request.proposed_new_state) === null) {
        const { result, diagnostics } = await provider.answer(type.attributes, () =>
          provider.planDestroy(type, required(prior)),
        );
        return { planned_state: toDynamicValue(null), planned_private: jsonBytes(result ?? {}), diagnostics };
      }
      const { result, diagnostics } = await provider.answer(type.attributes, () => provider.plan(type, prior, config));
      if (result === undefined) return { planned_state: request.proposed_new_state, diagnostics };
      const { wire, replaces, change } = result;
      return {
        planned_state: toDynamicValue(wire),
        planned_identity: identityOf(wire),
        requires_replace: replaces,
        planned_private: jsonBytes(change),
        diagnostics,
      };
    },

    async ApplyResourceChange(request: ChangeRequest & { planned_state: DynamicValue; planned_private: Uint8Array }) {
      const type = resourceType(request.type_name);
      const planned = fromDynamicValue(request.planned_state);
      const change = changeFrom(request.planned_private);
      const wire = fromDynamicValue(request.prior_state);
      const prior = wire && { wire, hidden: change.hidden };
      if (planned === null) {
        const { result, diagnostics } = await provider.answer(type.attributes, async () => {
          await provider.destroy(type, required(prior), change);
          return true;
        });
        return {
          new_state: result === true ? toDynamicValue(null) : request.prior_state,
          private: privateOf(prior),
          diagnostics,
        };
      }
      const config = fromDynamicValue(request.config) ?? {};
      const { result, diagnostics } = await provider.answer(type.attributes, () =>
        provider.apply(type, prior, planned, config, change),
      );
      if (result === undefined) {
        return {
          new_state: request.prior_state,
          new_identity: identityOf(wire),
          private: privateOf(prior),
          diagnostics,
        };
      }
      return { ...newState(result), diagnostics };
    },
  };
}

function live(provider: TerraformProvider): Methods {
  return {
    async ReadDataSource({ type_name, config }: Typed & { config: DynamicValue }) {
      const source = dataSource(type_name);
      const wire = fromDynamicValue(config) ?? {};
      const { result, diagnostics } = await provider.answer(source.attributes, () =>
        callFunction(source.function, fromWireObject(source.inputs, wire), () => provider.knownStack()),
      );
      return { state: toDynamicValue(result && { ...wire, ...toWireObject(source.outputs, result) }), diagnostics };
    },

    CallFunction({ name, arguments: args }: { name: string; arguments: DynamicValue[] }) {
      const called = functions[name];
      if (called === undefined) return { error: { text: `${name} is no function of this provider` } };
      return { result: toDynamicValue(called.call(args.map(decoded))) };
    },
  };
}

async function diagnosed(
  provider: TerraformProvider,
  attributes: readonly Attribute[],
  action: () => Promise<void>,
): Promise<object> {
  const { diagnostics } = await provider.answer(attributes, action);
  return { diagnostics };
}

function storedFrom(state: DynamicValue, hidden: Uint8Array): Stored | null {
  const wire = fromDynamicValue(state);
  return wire && { wire, hidden: objectFrom(hidden) };
}

function newState(stored: Stored | null): object {
  const wire = stored?.wire ?? null;
  return { new_state: toDynamicValue(wire), new_identity: identityOf(wire), private: privateOf(stored) };
}

function privateOf(stored: Pick<Stored, 'hidden'> | null): Buffer {
  return jsonBytes(stored?.hidden ?? {});
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
