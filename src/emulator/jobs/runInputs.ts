/** Inputs of a trigger, checked by the schema of a collector or dataset. */
import { isMapValue } from '../../values/plain.ts';
import { Refusal, type RefusalCode } from '../core/refusal.ts';
import type { SourceRow } from '../core/runs.ts';
import type { RouteCall } from '../http/route.ts';
import type { Source } from './runSchemas.ts';

/** Returns the inputs with null for missing fields. Inputs of another shape are refused with `mismatch`. */
export function inputsOf(call: RouteCall, { inputs: fields }: Source, mismatch: RefusalCode): SourceRow[] {
  const body = call.json();
  if (!Array.isArray(body)) throw new Refusal('invalid-request', 'the body is not an array');
  if (body.length === 0) throw new Refusal('invalid-request', 'the body is an empty array');
  return filledInputs(body, fields, (fault) => new Refusal(mismatch, fault));
}

/** Fills in missing fields. @throws the result of `refuse` for the first input that does not fit */
export function filledInputs(
  inputs: readonly unknown[],
  fields: Source['inputs'],
  refuse: (fault: string) => Error,
): SourceRow[] {
  return inputs.map((input, index) => {
    const fault = isMapValue(input) ? faultIn(input, fields) : 'not an object';
    if (fault !== undefined) throw refuse(`input ${index}: ${fault}`);
    return { ...Object.fromEntries(Object.keys(fields).map((name) => [name, null])), ...(input as SourceRow) };
  });
}

function faultIn(input: SourceRow, fields: Source['inputs']): string | undefined {
  const unknown = Object.keys(input).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) return `unknown field ${unknown}`;
  for (const [name, { type, required }] of Object.entries(fields)) {
    const value = input[name] ?? null;
    if (value === null && required) return `${name} is required`;
    if (value !== null && typeName(value) !== type) return `${name} is not of type ${type}`;
  }
  return undefined;
}

const typeName = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);
