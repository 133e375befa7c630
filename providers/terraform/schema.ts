/** The schemas of the provider as the protocol has them. */
import type { Attribute, Type } from './attributes.ts';
import { dataSources } from './dataSources.ts';
import { functions } from './functions.ts';
import { resourceTypes } from './resources.ts';
import { settingAttributes } from './settings.ts';

export const capabilities = { plan_destroy: true, get_provider_schema_optional: true };

export function providerSchema(): object {
  return {
    provider: schemaOf(settingAttributes, 'Connections to the service.'),
    resource_schemas: byName(
      resourceTypes().map(({ name, kind, attributes }) => [name, schemaOf(attributes, kind.spec.description)]),
    ),
    data_source_schemas: byName(
      dataSources.map(({ name, attributes, description }) => [name, schemaOf(attributes, description)]),
    ),
    server_capabilities: capabilities,
    functions: functionSchemas(),
  };
}

export function functionSchemas(): object {
  return byName(
    Object.entries(functions).map(([name, { description, parameters, returns }]) => [
      name,
      {
        summary: description,
        description,
        parameters: parameters.map((each) => ({
          name: each.name,
          description: each.description,
          type: typeBytes(each.type),
        })),
        return: { type: typeBytes(returns) },
      },
    ]),
  );
}

function schemaOf(attributes: readonly Attribute[], description = ''): object {
  return { version: 0, block: { attributes: attributes.map(attributeOf), description, description_kind: 'MARKDOWN' } };
}

function attributeOf(attribute: Attribute): object {
  const { name, description, isRequired, isOptional, isComputed, isSensitive, isWriteOnly, shape } = attribute;
  const { type, nested } = shape;
  return {
    name,
    description,
    description_kind: 'MARKDOWN',
    required: isRequired,
    optional: isOptional,
    computed: isComputed,
    sensitive: isSensitive,
    write_only: isWriteOnly,
    ...(type !== undefined && { type: typeBytes(type) }),
    ...(nested && { nested_type: { nesting: nested.nesting, attributes: nested.attributes.map(attributeOf) } }),
  };
}

export function typeBytes(type: Type): Buffer {
  return Buffer.from(JSON.stringify(type));
}

function byName(entries: readonly (readonly [string, object])[]): object {
  return Object.fromEntries(entries);
}
