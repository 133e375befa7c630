/** Registrations as a person would declare them: without defaults, and with variables in place of secrets. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { isMapValue } from '../../base/values/plain.ts';
import { mapSealed } from '../../triggers/secrets/secrets.ts';
import type { Context, PullTarget } from '../seam/context.ts';
import type { RegistrationCall } from './calls/registrationCall.ts';
import { recordsOf, registeredView } from './view.ts';

/** Returns all records of an owner, as a person would declare them. Undefined if the owner is not known. @throws ServiceError */
export async function declaredRecords(
  record: RegistrationCall['record'],
  schema: z.ZodObject,
  { owner }: PullTarget,
  context: Context,
): Promise<Readonly<Record<string, object>> | undefined> {
  if (owner === undefined) return undefined;
  const records = [...recordsOf(record, await context.view(registeredView).of(owner))];
  return Object.fromEntries(records.map(([name, { spec }]) => [name, pulledSpec(name, spec, schema)]));
}

/** Replaces each secret by a variable `${NAME_FIELD}`, because secrets cannot be read. The variable must be set before the declaration is used. */
export function pulledSpec(name: string, spec: object, schema: z.ZodObject): object {
  const fields = Object.entries(spec).filter(([field, value]) => !isDefault(schema, field, value));
  const escaped = fields.map(([field, value]) => [field, withoutVariables(value)]);
  const variable = (_secret: unknown, path: readonly string[]) => `\${${variableName([name, ...path])}}`;
  return mapSealed(Object.fromEntries(escaped), variable) as object;
}

function isDefault({ shape }: z.ZodObject, field: string, value: unknown): boolean {
  const usual = Object.hasOwn(shape, field) ? shape[field]?.safeParse(undefined) : undefined;
  return usual?.success === true && isDeepStrictEqual(usual.data, value);
}

/** In a declaration, `${` begins a variable. */
function withoutVariables(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(withoutVariables);
  if (!isMapValue(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutVariables(field)]));
}

function variableName(path: readonly string[]): string {
  const words = path.map((step) => step.replaceAll(/([a-z])([A-Z])/g, '$1_$2').replaceAll(/\W+/g, '_'));
  return words
    .join('_')
    .toUpperCase()
    .replace(/^(?=\d)/, '_');
}
