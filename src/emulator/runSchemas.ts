/** What an account file says of its collectors and datasets: which inputs they take, how long they run, and which rows come of it. */

import { z } from 'zod';

const inputField = z.strictObject({
  type: z
    .enum(['string', 'number', 'boolean', 'array', 'object'])
    .default('string')
    .describe('JSON type of the field.'),
  required: z.boolean().default(false).describe('Whether an input must have it; a field left out is null.'),
});

const record = z.record(z.string(), z.unknown());

const content = {
  inputs: z
    .record(z.string().min(1), inputField.prefault({}))
    .default({ url: { type: 'string', required: true } })
    .describe('Fields of an input; by default a `url` only.'),
  seconds: z.number().nonnegative().default(0).describe('How long a run builds.'),
  row: record
    .default({})
    .describe('Fields of a row besides `input`; `{n}` in a text is its number, `{url}` that field of its input.'),
  rowsPerInput: z.int().nonnegative().default(1).describe('How many rows come of one input.'),
  rows: z
    .union([z.int().nonnegative(), z.array(record)], 'must be a number of rows, or a list of them')
    .optional()
    .describe('The rows of a run whatever its inputs: how many of `row`, or the very rows.'),
};

const source = z.strictObject(content);

export type Source = z.output<typeof source>;

export const collectorsSchema = z
  .record(z.string().startsWith('c_', 'must be a text that begins with c_'), source.prefault({}))
  .default({})
  .describe('Collectors by ID (B).');

export const datasetsSchema = z
  .record(z.string().startsWith('gd_', 'must be a text that begins with gd_'), source.prefault({}))
  .default({})
  .describe('Dataset scrapers by ID (C).');
