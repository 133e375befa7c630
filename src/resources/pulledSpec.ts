/** What is registered, as a person would declare it: without defaults, and with variables for its secrets. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { isMapValue } from '../input/plain.ts';
import { isSealed } from '../triggers/secrets.ts';

/** Secrets can't be read: each becomes `${NAME_FIELD}`, which has to be set before the declaration can be used. */
export function pulledSpec(name: string, spec: object, schema: z.ZodObject): object {
  const fields = Object.entries(spec).filter(([field, value]) => !isDefault(schema, field, value));
  return Object.fromEntries(fields.map(([field, value]) => [field, declared(value, [name, field])]));
}

function isDefault({ shape }: z.ZodObject, field: string, value: unknown): boolean {
  const usual = Object.hasOwn(shape, field) ? shape[field]?.safeParse(undefined) : undefined;
  return usual?.success === true && isDeepStrictEqual(usual.data, value);
}

/** In a declaration, `${` begins a variable. */
function declared(value: unknown, path: readonly string[]): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map((item, index) => declared(item, [...path, String(index)]));
  if (isSealed(value)) return `\${${variableName(path)}}`;
  if (!isMapValue(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, declared(field, [...path, name])]));
}

function variableName(path: readonly string[]): string {
  const words = path.map((step) => step.replaceAll(/([a-z])([A-Z])/g, '$1_$2').replaceAll(/\W+/g, '_'));
  return words
    .join('_')
    .toUpperCase()
    .replace(/^(?=\d)/, '_');
}
