/** The Pulumi package schema, from which SDKs of every language are generated. It is derived from the zod schemas of the kinds. */
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { describedWithDefault, holdsSecret, type InputJsonSchema, inputJsonSchema } from '../core/jsonSchema.ts';

/** A property in a Pulumi package schema. */
export interface PropertySpec {
  type?: string;
  $ref?: string;
  description?: string;
  items?: PropertySpec;
  additionalProperties?: PropertySpec;
  oneOf?: PropertySpec[];
  const?: unknown;
  secret?: boolean;
}

export interface ObjectSpec {
  type: 'object';
  description?: string;
  properties: Record<string, PropertySpec>;
  required: string[];
}

interface EnumSpec {
  type: 'string';
  description?: string;
  enum: { value: string }[];
}

export type Types = Record<string, ObjectSpec | EnumSpec>;

const any: PropertySpec = { $ref: 'pulumi.json#/Any' };

/** Returns the properties of an object schema. Named types that they need are added to `types`, with names that begin with `name`. */
export function objectSpecOf(schema: z.ZodType, name: string, types: Types): ObjectSpec {
  return objectOf(inputJsonSchema(schema), name, types);
}

function objectOf(schema: InputJsonSchema, name: string, types: Types): ObjectSpec {
  const fields = Object.entries(schema.properties ?? {});
  const properties = fields.map(([field, property]) => [field, propertyOf(property, name + pascal(field), types)]);
  const { description, required = [] } = schema;
  return { type: 'object', ...(description && { description }), properties: Object.fromEntries(properties), required };
}

function propertyOf(schema: InputJsonSchema, name: string, types: Types): PropertySpec {
  const description = describedWithDefault(schema);
  return {
    ...typeOf(schema, name, types),
    ...(description && { description }),
    ...(holdsSecret(schema) && { secret: true }),
  };
}

/**
 * Returns a test for values of properties that may be or contain a secret. Where a schema allows both a secret and a name, a text is a name.
 */
export function secretTest(schema: z.ZodType): (name: string, value: unknown) => boolean {
  const { properties = {} } = inputJsonSchema(schema);
  return (name, value) => {
    const property = properties[name];
    if (property === undefined || !holdsSecret(property)) return false;
    const isName = (property.anyOf ?? []).some(({ type, writeOnly }) => type === 'string' && writeOnly !== true);
    return typeof value !== 'string' || !isName;
  };
}

function typeOf(schema: InputJsonSchema, name: string, types: Types): PropertySpec {
  const { type, enum: words, items, properties, additionalProperties } = schema;
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives !== undefined) return unionOf(alternatives, name, types);
  if (words !== undefined) return named(name, types, { type: 'string', enum: words.map((value) => ({ value })) });
  if (schema.const !== undefined) return { type: typeof schema.const, const: schema.const };
  if (type === 'array') return { type, items: items === undefined ? any : typeOf(items, singular(name), types) };
  if (properties !== undefined && Object.keys(properties).length > 0 && !isOpen(additionalProperties))
    return named(name, types, objectOf(schema, name, types));
  if (type === undefined) return any;
  if (type === 'object') {
    const values = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    return { type, additionalProperties: values === undefined ? any : typeOf(values, singular(name), types) };
  }
  return { type };
}

/** An object that may have fields which the specification does not name has no type of its own. */
function isOpen(additional: InputJsonSchema['additionalProperties']): boolean {
  return additional !== undefined && additional !== false;
}

function unionOf(alternatives: readonly InputJsonSchema[], name: string, types: Types): PropertySpec {
  const named: Types = { ...types };
  const each = alternatives.map((one) => typeOf(one, name + variantName(one), named));
  const distinct = [...new Map(each.map((one) => [JSON.stringify(one), one])).values()];
  const [only] = distinct;
  const union = distinct.length === 1 && only !== undefined ? only : { oneOf: distinct };
  // The Python SDK fails for a list or an object where a type has alternatives, so such a value is passed on as it is written.
  if (union !== only && !distinct.every((one) => isScalar(one, named))) return any;
  Object.assign(types, named);
  return union;
}

function isScalar({ type, $ref = '' }: PropertySpec, types: Types): boolean {
  if ($ref !== '') return types[$ref.replace('#/types/', '')]?.type === 'string';
  return type !== 'array' && type !== 'object';
}

/** `Env` for `{env: NAME}`, `S3` for `{type: 's3', …}`. */
function variantName({ properties = {}, required = [] }: InputJsonSchema): string {
  const constant = Object.values(properties).find((one) => one.const !== undefined)?.const;
  return pascal(String(constant ?? required[0] ?? ''));
}

/** WireProperties of the same shape share one type, which has the name of the first of them. */
function named(name: string, types: Types, spec: ObjectSpec | EnumSpec): PropertySpec {
  const known = Object.entries(types).find(([, type]) => isDeepStrictEqual(type, spec))?.[0];
  const token = known ?? `webdata:index:${name}`;
  types[token] = spec;
  return { $ref: `#/types/${token}` };
}

export function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function singular(name: string): string {
  return name.endsWith('s') ? name.slice(0, -1) : name;
}
