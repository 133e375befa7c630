/** Describes in words what zod schemas allow. */
import type * as z from 'zod';
import { definitionOf, metaOf, type Schema } from './zodSchema.ts';

/** Describes what alternatives allow, as a noun: "an integer from 1 to 100, or a map from country to number". */
export function describe(schemas: readonly Schema[]): string | undefined {
  return joinAlternatives(schemas.map(describeOne));
}

function describeOne(schema: Schema): string {
  const { title } = metaOf(schema);
  if (title !== undefined) return withArticle(title);
  const def = definitionOf(schema);
  switch (def.type) {
    case 'string':
      return describeString(def);
    case 'number':
      return describeNumber(def);
    case 'boolean':
      return 'true or false';
    case 'array':
      return listOf(describeInside(def.element));
    case 'object':
      return 'a map';
    case 'record':
      return `a map from ${keyName(def.keyType)} to ${describeInside(def.valueType)}`;
    case 'enum':
      return listValues(Object.values(def.entries));
    case 'literal':
      return listValues(def.values);
    case 'union':
      return describe(def.options) ?? 'a value';
    case 'null':
      return 'null';
    default:
      return 'a value';
  }
}

/** Joins values: "a, b or c". Strings have no quotes, as in YAML. */
export function listValues(values: readonly unknown[]): string {
  const texts = [...new Set(values.map(String))];
  return texts.length < 2 ? texts.join() : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
}

/** Joins descriptions: "a number, or a map from country to number". Returns undefined for an empty list. */
export function joinAlternatives(descriptions: readonly string[]): string | undefined {
  return descriptions.length === 0 ? undefined : [...new Set(descriptions)].join(', or ');
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-01-31',
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  url: 'a URL',
};

/** Has the author's words, if there are any: "a cron expression" for `.regex(CRON, 'must be a cron expression')`. */
function describeString(def: z.core.$ZodStringDef): string {
  const format = checksOf(def).find((check) => check.check === 'string_format');
  if (format?.check !== 'string_format') return 'a string';
  const words = format.error?.({} as never);
  if (typeof words === 'string') return asNoun(words);
  return FORMATS[format.format] ?? `text that matches ${format.pattern}`;
}

/** Turns a message such as "must be a cron expression" into a noun. */
export function asNoun(message: string): string {
  return message.replace(/^must be /, '');
}

function describeNumber(def: z.core.$ZodNumberDef): string {
  const checks = checksOf(def);
  const low = checks.find((check) => check.check === 'greater_than');
  const high = checks.find((check) => check.check === 'less_than');
  const isInteger = checks.some((check) => check.check === 'number_format' && check.format.includes('int'));
  const noun = isInteger ? 'an integer' : 'a number';
  if (low?.inclusive && high?.inclusive) return `${noun} from ${low.value} to ${high.value}`;
  const limits = [
    ...(low ? [`${low.inclusive ? 'of at least' : 'above'} ${low.value}`] : []),
    ...(high ? [`${high.inclusive ? 'of at most' : 'below'} ${high.value}`] : []),
  ];
  return limits.length === 0 ? noun : `${noun} ${limits.join(' and ')}`;
}

/** Returns the checks of a schema. A schema such as `z.ipv4()` or `z.int()` is itself the first of them. */
function checksOf(def: z.core.$ZodTypeDef): z.core.$ZodChecks['_zod']['def'][] {
  const attached = (def.checks ?? []) as z.core.$ZodChecks[];
  return [def as unknown as z.core.$ZodChecks['_zod']['def'], ...attached.map((check) => check._zod.def)];
}

/** Describes a part of another noun, without its article: "integer" in "a map from country to integer". */
function describeInside(schema: Schema): string {
  return describeOne(schema).replace(/^an? /, '');
}

function keyName(schema: Schema): string {
  const isNamed = metaOf(schema).title !== undefined || definitionOf(schema).type === 'enum';
  return isNamed ? describeInside(schema) : 'name';
}

/** Returns "a list of strings", but "a list; each item: IPv4 address" for nouns whose plural is not known. */
function listOf(item: string): string {
  return /^[a-z]+$/.test(item) ? `a list of ${item}s` : `a list; each item: ${item}`;
}

function withArticle(noun: string): string {
  if (/^(an?|the) /.test(noun)) return noun;
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
