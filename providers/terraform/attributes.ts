/**
 * The attributes of Terraform that correspond to a zod schema: names in snake case, types, and the translation of values in both directions.
 * Attributes never have defaults, so that the state holds what was written.
 */
import type * as z from 'zod';
import { ProblemError } from '../../src/base/diagnostics/problem.ts';
import { isMapValue } from '../../src/base/values/plain.ts';
import { inexactNumber, keepsDigits } from '../../src/base/yaml/exactNumbers.ts';
import { describedWithDefault, holdsSecret, type InputJsonSchema, inputJsonSchema } from '../core/jsonSchema.ts';
import { unknownValue } from '../core/unknown.ts';
import { Unknown, unknown } from './wire.ts';

/** A type constraint, in the JSON form of the protocol. */
export type Type = string | readonly [string, unknown];

/** One shape of values: how the schema describes it, and its translation. Values that are not set are undefined here and null on the wire. */
export interface ValueShape {
  /** `type` for a plain attribute, `nested` for one with attributes of its own. */
  type?: Type;
  nested?: { nesting: 'SINGLE' | 'LIST' | 'MAP'; attributes: readonly Attribute[] };
  /** The spelling of a value that Terraform has no type for, as a sentence for the description. */
  spelling?: string;
  toWire(value: unknown): unknown;
  fromWire(wire: unknown): unknown;
}

export interface Attribute {
  /** `keep_at_least`. */
  name: string;
  /** `keepAtLeast`. */
  property: string;
  description: string;
  isRequired: boolean;
  /** True if only the provider sets it, or may set it. */
  isComputed: boolean;
  isOptional: boolean;
  isSensitive: boolean;
  /** True for a value that no state and no plan keeps. */
  isWriteOnly: boolean;
  shape: ValueShape;
}

type Use = 'input' | 'output';

/** Returns the attributes of an object schema. Those of an `output` are computed. */
export function attributesOf(schema: z.ZodType, use: Use = 'input'): Attribute[] {
  return attributesIn(inputJsonSchema(schema), use);
}

function attributesIn({ properties = {}, required = [] }: InputJsonSchema, use: Use): Attribute[] {
  return Object.entries(properties).map(([property, schema]) => {
    const shape = shapeOf(schema, use);
    return {
      name: snakeCase(property),
      property,
      description: [inSnakeCase(describedWithDefault(schema)), shape.spelling].filter(Boolean).join(' '),
      isRequired: use === 'input' && required.includes(property),
      isOptional: use === 'input' && !required.includes(property),
      isComputed: use === 'output',
      isSensitive: schema.writeOnly === true,
      isWriteOnly: schema.writeOnly === true,
      shape,
    };
  });
}

/** Descriptions name properties as the other fronts write them. */
function inSnakeCase(description: string): string {
  return description.replace(/`[a-z]+[A-Z]\w*`/g, snakeCase);
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]|(?<=[a-z])\d/g, (start) => `_${start.toLowerCase()}`);
}

function shapeOf(schema: InputJsonSchema, use: Use): ValueShape {
  const { type, items, properties, additionalProperties } = schema;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) return unionOf(alternatives, use);
  if (schema.enum !== undefined || schema.const !== undefined) return scalar('string');
  if (type === 'string') return scalar('string');
  if (type === 'integer' || type === 'number') return scalar('number');
  if (type === 'boolean') return scalar('bool');
  if (type === 'array' && items !== undefined) return listOf(items, use);
  if (type === 'object' && properties !== undefined) return single(attributesIn(schema, use));
  if (type === 'object' && typeof additionalProperties === 'object') return mapOf(additionalProperties, use);
  return dynamic;
}

/** Lists of texts and numbers have no order: addresses, zones, ports. */
function listOf(items: InputJsonSchema, use: Use): ValueShape {
  const shape = shapeOf(items, use);
  if (shape.nested !== undefined) return listOfObjects(shape.nested.attributes);
  if (shape.type === undefined || shape === dynamic || items.type === 'object') return dynamic;
  return {
    type: ['set', shape.type],
    toWire: known((value) => (value as unknown[]).map((each) => shape.toWire(each))),
    fromWire: given((wire) => (wire as unknown[]).map((each) => shape.fromWire(each))),
  };
}

export function listOfObjects(attributes: readonly Attribute[]): ValueShape {
  return {
    nested: { nesting: 'LIST', attributes },
    toWire: known((value) => (value as object[]).map((each) => toWireObject(attributes, each))),
    fromWire: given((wire) => (wire as object[]).map((each) => fromWireObject(attributes, each))),
  };
}

function single(attributes: readonly Attribute[]): ValueShape {
  return {
    nested: { nesting: 'SINGLE', attributes },
    toWire: known((value) => toWireObject(attributes, value as object)),
    fromWire: given((wire) => fromWireObject(attributes, wire as object)),
  };
}

function mapOf(values: InputJsonSchema, use: Use): ValueShape {
  const shape = shapeOf(values, use);
  if (shape === dynamic || (shape.type === undefined && shape.nested?.nesting !== 'SINGLE')) return dynamic;
  const described =
    shape.nested === undefined
      ? { type: ['map', shape.type] as const }
      : { nested: { nesting: 'MAP' as const, attributes: shape.nested.attributes } };
  return {
    ...described,
    toWire: known((value) => mapped(value as object, shape.toWire)),
    fromWire: given((wire) => mapped(wire as object, shape.fromWire)),
  };
}

function scalar(type: 'string' | 'number' | 'bool'): ValueShape {
  return {
    type,
    toWire: known((value) => (type === 'number' ? numberOnWire(value) : value)),
    fromWire: given((wire) => (type === 'number' ? numberFrom(wire) : wire)),
  };
}

/** The key of the one number in a map of numbers. */
const forAll = '*';

/**
 * Terraform has no unions. A number or a text is a text. A number or a map of numbers is a map, in which the key `*` stands for the number.
 * A secret or its place is an object in which `value` is the secret. Objects of several forms are one object. Anything else has the type of
 * the value that is written.
 */
function unionOf(alternatives: readonly InputJsonSchema[], use: Use): ValueShape {
  const shapes = alternatives.map((each) => shapeOf(each, use));
  const isSecret = ({ type, writeOnly }: InputJsonSchema) => type === 'string' && writeOnly === true;
  if (shapes.every(({ type }) => typeof type === 'string' && type !== 'dynamic')) return numberOrText(alternatives);
  const map = shapes.find(({ type }) => Array.isArray(type) && type[0] === 'map');
  if (map !== undefined && alternatives.length === 2 && alternatives.some(({ type }) => type === 'integer'))
    return numberOrMap(map);
  if (shapes.every(({ nested }) => nested?.nesting === 'SINGLE')) return single(merged(alternatives, use));
  if (alternatives.some(isSecret))
    return secret(
      alternatives.filter((each) => !isSecret(each)),
      use,
    );
  const texts = alternatives.filter(({ type }) => type === 'string');
  // An object that may hold secrets belongs in a resource of its own, which the text names.
  if (texts.length === 1 && alternatives.some(holdsSecret))
    return { ...scalar('string'), spelling: 'Terraform takes the name.' };
  return dynamic;
}

function numberOrText(alternatives: readonly InputJsonSchema[]): ValueShape {
  const hasNumbers = alternatives.some(({ type }) => type === 'integer' || type === 'number');
  return {
    type: 'string',
    toWire: known(String),
    fromWire: given((wire) => (hasNumbers && /^\d+$/.test(String(wire)) ? Number(wire) : wire)),
  };
}

function numberOrMap(map: ValueShape): ValueShape {
  return {
    ...map,
    spelling: `Write a number as a map: \`{ "${forAll}" = 20 }\`.`,
    toWire: known((value) => map.toWire(typeof value === 'number' ? { [forAll]: value } : value)),
    fromWire: given((wire) => {
      const value = map.fromWire(wire) as Record<string, unknown>;
      return Object.keys(value).join() === forAll ? value[forAll] : value;
    }),
  };
}

function merged(alternatives: readonly InputJsonSchema[], use: Use): Attribute[] {
  const all = alternatives.flatMap((each) => attributesIn(each, use));
  const isShared = (name: string) =>
    alternatives.every((each) => attributesIn(each, use).some((other) => other.name === name && other.isRequired));
  const byName = new Map(all.map((each) => [each.name, each]));
  return [...byName.values()].map((each) => ({
    ...each,
    isRequired: isShared(each.name),
    isOptional: !isShared(each.name),
  }));
}

function secret(places: readonly InputJsonSchema[], use: Use): ValueShape {
  const description = 'The secret itself. Neither the state nor a plan keeps it.';
  const value: InputJsonSchema = { type: 'string', writeOnly: true, description };
  const shape = single([
    ...attributesIn({ properties: { value } }, use),
    ...merged(places, use).map((each) => ({ ...each, isRequired: false, isOptional: true })),
  ]);
  return {
    ...shape,
    toWire: known((given) => shape.toWire(typeof given === 'string' ? { value: given } : given)),
    fromWire: given((wire) => {
      const object = shape.fromWire(wire) as { value?: unknown };
      return object.value === undefined ? object : object.value;
    }),
  };
}

/** A value of any type, which is next to it on the wire. */
const dynamic: ValueShape = {
  type: 'dynamic',
  toWire: known((value) => [Buffer.from(JSON.stringify(typeOf(value))), dynamicOnWire(value)]),
  fromWire: given(dynamicFrom),
};

/** A number that no binary number holds is a text on the wire, as in the client: 0.1 would differ from what is written. */
function numberOnWire(value: unknown): unknown {
  return Number.isInteger(value) ? value : String(value);
}

/** @throws ProblemError for a number whose digits would be lost */
function numberFrom(wire: unknown): number {
  if (typeof wire === 'string' && !keepsDigits(wire)) throw new ProblemError([inexactNumber(wire)]);
  return Number(wire);
}

function dynamicOnWire(value: unknown): unknown {
  if (typeof value === 'number') return numberOnWire(value);
  if (Array.isArray(value)) return value.map(dynamicOnWire);
  return isMapValue(value) ? mapped(value, dynamicOnWire) : value;
}

function dynamicFrom(wire: unknown): unknown {
  const [type, value] = wire as [Uint8Array, unknown];
  return typedValue(JSON.parse(Buffer.from(type).toString()) as Type, value);
}

/** Reads a value by its type. An attribute of an object that is null, as `optional()` makes it, is left out. */
function typedValue(type: Type, value: unknown): unknown {
  if (value instanceof Unknown) return unknownValue;
  if (value === null) return null;
  if (type === 'number') return numberFrom(value);
  if (type === 'dynamic') return dynamicFrom(value);
  if (typeof type === 'string') return value;
  const [name, inner] = type;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      typedValue(name === 'tuple' ? ((inner as Type[])[index] ?? 'dynamic') : (inner as Type), item),
    );
  }
  const typeOfKey = (key: string) =>
    (name === 'object' ? (inner as Record<string, Type>)[key] : (inner as Type)) ?? 'dynamic';
  const entries = Object.entries(value as object).filter(([, field]) => name !== 'object' || field !== null);
  return Object.fromEntries(entries.map(([key, field]) => [key, typedValue(typeOfKey(key), field)]));
}

function typeOf(value: unknown): Type {
  if (Array.isArray(value)) return ['tuple', value.map(typeOf)];
  if (isMapValue(value)) return ['object', mapped(value, typeOf)];
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'bool' : 'dynamic';
}

function known(toWire: (value: unknown) => unknown): (value: unknown) => unknown {
  return (value) => {
    if (value === undefined || value === null) return null;
    return value === unknownValue ? unknown : toWire(value);
  };
}

function given(fromWire: (wire: unknown) => unknown): (wire: unknown) => unknown {
  return (wire) => {
    if (wire === null || wire === undefined) return undefined;
    return wire instanceof Unknown ? unknownValue : fromWire(wire);
  };
}

export function mapped<T>(object: object, change: (value: unknown) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

/** Returns the object on the wire. It has every attribute. */
export function toWireObject(attributes: readonly Attribute[], value: object): Record<string, unknown> {
  const properties = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(attributes.map(({ name, property, shape }) => [name, shape.toWire(properties[property])]));
}

/** Returns the properties that are set. @throws ProblemError, with the path, for a number whose digits would be lost */
export function fromWireObject(attributes: readonly Attribute[], wire: object): Record<string, unknown> {
  const given = wire as Readonly<Record<string, unknown>>;
  const entries = attributes.map(({ name, property, shape }) => {
    try {
      return [property, shape.fromWire(given[name])] as const;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      throw new ProblemError(
        error.problems.map((problem) => ({ ...problem, path: [property, ...(problem.path ?? [])] })),
      );
    }
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
