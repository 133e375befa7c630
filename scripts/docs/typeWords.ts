/** Describes the values that a JSON Schema allows, in the few words that fit in a table cell. */
import { stringify } from 'yaml';
import type { JsonSchema } from '../../src/engine/declaration/declarationSchema.ts';
import { code } from './markdown.ts';

export function typeWords(schema: JsonSchema, examples = schema.examples ?? []): string {
  const { anyOf, oneOf, enum: choices, items, type, pattern } = schema;
  const branches = anyOf ?? oneOf;
  if (branches) return [...new Set(branches.map((each) => typeWords(each, examples)))].join(' or ');
  if (choices) return choices.map((choice) => code(String(choice))).join(', ');
  if (items) return isAny(items) ? 'list' : `list of ${listed(items, examples.flat())}`;
  if (type === 'array') return 'list';
  if (type === 'object') return `map${such(schema, examples)}`;
  if (type === 'string' && pattern !== undefined && schema.format === undefined) return `text${such(schema, examples)}`;
  return noun(schema);
}

function isAny({ type, anyOf, enum: choices }: JsonSchema): boolean {
  return type === undefined && anyOf === undefined && choices === undefined;
}

function listed(items: JsonSchema, examples: readonly unknown[]): string {
  if (items.anyOf) return inWords(items.anyOf.map((each) => (each.title ? `${each.title}s` : noun(each, 's'))));
  return items.enum ? typeWords(items) : `${noun(items, 's')}${such(items, examples)}`;
}

function inWords(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function noun(schema: JsonSchema, plural = ''): string {
  const { type = '', format } = schema;
  if (format === 'uri' || format === 'uri-template') return `URL${plural}`;
  if (format === 'ipv4') return `IPv4 address${plural && 'es'}`;
  if (type === 'string') return `text${plural}`;
  if (type === 'boolean') return '`true`, `false`';
  return `${type}${plural}${limits(schema)}`;
}

function limits({ minimum, maximum }: JsonSchema): string {
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) return ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? '' : ` ≥ ${minimum}`;
}

/** The example that is of this type. */
function such({ type, format }: JsonSchema, examples: readonly unknown[]): string {
  const isOfType = (each: unknown) => typeof each === type && !Array.isArray(each);
  const example = format === undefined ? examples.find(isOfType) : undefined;
  if (example === undefined) return '';
  return `, such as ${code(stringify(example, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd())}`;
}
