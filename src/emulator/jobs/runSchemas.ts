/** Collectors and datasets of an account file: their inputs, the duration of a job, and its rows. */
import { z } from 'zod';
import { isMapValue } from '../../base/values/plain.ts';
import { Refusal, type RefusalCode } from '../core/refusal.ts';
import { deliverySettingsSchema } from './deliverySettings.ts';

const inputField = z.strictObject({
  type: z
    .enum(['string', 'number', 'boolean', 'array', 'object'])
    .default('string')
    .describe('JSON type of the field.'),
  required: z.boolean().default(false).describe('Makes the field required; a missing optional field is null.'),
});

const record = z.record(z.string(), z.unknown());

const content = {
  inputs: z
    .union([z.record(z.string().min(1), inputField.prefault({})), z.literal('any')], 'must be fields, or `any`')
    .default({ url: { type: 'string', required: true } })
    .describe('Fields of an input, or `any`; by default a `url` only.'),
  seconds: z.number().nonnegative().default(0).describe('Duration of a job, in seconds.'),
  row: record
    .default({})
    .describe(
      'Fields of a row besides `input`. In texts, `{n}` is its number, `{run}` the id of the job, and `{url}` that field of its input.',
    ),
  rowsPerInput: z.int().nonnegative().default(1).describe('Number of rows per input.'),
  rows: z
    .union([z.int().nonnegative(), z.array(record)], 'must be a number of rows, or a list of them')
    .optional()
    .describe('Rows of a job, independent of its inputs: a number of `row`, or a list of rows.'),
  fails: z
    .string()
    .min(1)
    .optional()
    .describe('Reason for which every job fails at its end; `{detail}` of `job-failed` and `snapshot-failed`.'),
};

const source = z.strictObject(content);

export type Source = z.output<typeof source>;

/** An input of a job, or a row of its result. */
export type SourceRow = Record<string, unknown>;

const collector = source.extend({
  deliver: deliverySettingsSchema
    .optional()
    .describe('Destination of a job whose trigger has no `deliver`, in the form of that parameter.'),
});

/** Returns the source of this name, or the one with the longest matching start. The name may be any text. */
export function sourceOf<Of extends Source>(sources: Readonly<Record<string, Of>>, name: string): Of | undefined {
  if (Object.hasOwn(sources, name)) return sources[name];
  const starts = Object.keys(sources).filter((id) => id.endsWith('*') && name.startsWith(id.slice(0, -1)));
  return sources[starts.sort((a, b) => b.length - a.length)[0] ?? ''];
}

export const collectorsSchema = z
  .record(z.string().startsWith('c_', 'must be a text that begins with c_'), collector.prefault({}))
  .default({})
  .describe('Collectors by ID (B), or by the start of IDs followed by *.');

export const datasetsSchema = z
  .record(z.string().startsWith('gd_', 'must be a text that begins with gd_'), source.prefault({}))
  .default({})
  .describe('Dataset scrapers by ID (C), or by the start of IDs followed by *.');

export const maxConcurrentSchema = z
  .strictObject({
    account: z.int().min(1).optional().describe('Limit for all collectors and datasets together.'),
    collector: z.int().min(1).optional().describe('Limit per collector.'),
  })
  .prefault({})
  .describe('Maximum numbers of active jobs; more are refused with 429. Unlimited by default.');

/** Returns the inputs of a request with null for missing fields. Inputs of another shape are refused with `mismatch`. */
export function inputsOf(body: unknown, { inputs: fields }: Source, mismatch: RefusalCode): SourceRow[] {
  if (!Array.isArray(body)) throw new Refusal('invalid-request', 'the body is not an array');
  if (body.length === 0) throw new Refusal('invalid-request', 'the body is an empty array');
  const named = fields === 'any' ? [] : Object.keys(fields);
  return body.map((input, index) => {
    const fault = isMapValue(input) ? faultIn(input, fields) : 'not an object';
    if (fault !== undefined) throw new Refusal(mismatch, `input ${index}: ${fault}`);
    return { ...Object.fromEntries(named.map((name) => [name, null])), ...(input as SourceRow) };
  });
}

function faultIn(input: SourceRow, fields: Source['inputs']): string | undefined {
  if (fields === 'any') return undefined;
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
