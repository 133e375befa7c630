/** Checks the inputs of a schedule against its `inputSchema`, before anything is registered. */
import { z } from 'zod';
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted, describeValue } from '../../base/diagnostics/valueWords.ts';
import { listValues } from '../../base/diagnostics/zodDescribe.ts';
import { keepsDigits } from '../../base/yaml/exactNumbers.ts';

const fieldTypes = ['string', 'number', 'boolean', 'url'] as const;
type FieldType = (typeof fieldTypes)[number];

const fieldType = z.enum(fieldTypes);

export const declaredInputSchema = z
  .record(
    z
      .string()
      .min(1)
      .meta({ examples: ['url'] }),
    z
      .union([
        fieldType,
        z.strictObject({
          type: fieldType.describe('The type of the values.'),
          required: z.boolean().default(true).describe('True if each input must have the field.'),
        }),
      ])
      .describe('The type of one field, or a map.')
      .meta({ examples: ['url', { type: 'string', required: false }] }),
  )
  .describe('The fields of inputs: `string`, `number`, `boolean` or `url`, or a map with `type` and `required`.')
  .meta({ examples: [{ url: 'url', keyword: { type: 'string', required: false } }] });

export type InputSchema = z.output<typeof declaredInputSchema>;
export type Input = Readonly<Record<string, unknown>>;

/** A list of inputs, and the names of its rows in messages. */
export interface Rows {
  inputs: readonly Input[];
  /** `row 3`, `prices.csv:4`. */
  rowName(index: number): string;
  /** The path of a row and its field in the declaration. */
  pathOf(index: number, field?: string): PropertyKey[];
}

/** Returns the problems of the rows, at most the first 20. */
export function inputProblems(schema: InputSchema | undefined, rows: Rows): Problem[] {
  if (schema === undefined) return [];
  const problems: Problem[] = [];
  for (const [index, input] of rows.inputs.entries()) {
    problems.push(...rowProblems(schema, input, index, rows));
    if (problems.length > maxProblems) break;
  }
  if (problems.length <= maxProblems) return problems;
  return [...problems.slice(0, maxProblems), moreProblems];
}

const maxProblems = 20;

const moreProblems: Problem = {
  code: 'more-problems',
  found: `the inputs have more than these ${maxProblems} problems`,
  fix: 'correct these first',
};

function rowProblems(schema: InputSchema, input: Input, index: number, rows: Rows): Problem[] {
  const known = Object.keys(schema);
  const unknown = Object.keys(input).filter((field) => !Object.hasOwn(schema, field));
  return [
    ...unknown.map((field): Problem => {
      const near = didYouMean(field, known);
      return {
        code: 'unknown-input-field',
        path: rows.pathOf(index, field),
        at: 'key',
        found: `${rows.rowName(index)}: the column \`${field}\` is not in the inputSchema`,
        allowed: listValues(known),
        fix: near ?? 'remove the column, or declare it in inputSchema',
      };
    }),
    ...known.flatMap((field) => fieldProblems(schema, input, field, index, rows)),
  ];
}

function fieldProblems(schema: InputSchema, input: Input, field: string, index: number, rows: Rows): Problem[] {
  const { type, isRequired } = ruleOf(schema, field);
  const value = Object.hasOwn(input, field) ? input[field] : undefined;
  if (value === undefined || value === null) {
    if (!isRequired) return [];
    const found = `${rows.rowName(index)}: the column \`${field}\` is missing`;
    return [{ code: 'missing-input-field', path: rows.pathOf(index), found, allowed: nouns[type], fix: 'add a value' }];
  }
  if (fits[type](value)) return [];
  const found = `${rows.rowName(index)}: the column \`${field}\` is ${describeValue(value)}`;
  return [{ code: 'wrong-input', path: rows.pathOf(index, field), found, allowed: nouns[type] }];
}

const nouns: Record<FieldType, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  url: 'an http or https URL',
};

const fits: Record<FieldType, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  url: (value) => typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value),
};

function ruleOf(schema: InputSchema, field: string): { type: FieldType; isRequired: boolean } {
  const rule = schema[field] ?? 'string';
  return typeof rule === 'string' ? { type: rule, isRequired: true } : { type: rule.type, isRequired: rule.required };
}

/**
 * Converts the text of a cell to the type that the schema gives its column. Returns the text itself where the schema gives none or
 * the text does not fit, and undefined for a number that cannot be kept exactly.
 */
export function cellValue(
  schema: InputSchema | undefined,
  column: string,
  text: string,
): string | number | boolean | undefined {
  if (schema === undefined || !Object.hasOwn(schema, column)) return text;
  const { type } = ruleOf(schema, column);
  if (type === 'number' && text.trim() !== '' && !Number.isNaN(Number(text))) {
    return keepsDigits(text) && plainDecimal.test(text) ? Number(text) : undefined;
  }
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

/** Not `01234`, `+1`, `0x1f` or `1e5`, which would be sent as other digits. */
const plainDecimal = /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?\s*$/;

/** Returns the rows of `inputs` in a declaration. */
export function declaredRows(inputs: readonly Input[]): Rows {
  return {
    inputs,
    rowName: (index) => `row ${index + 1} of ${counted(inputs.length, 'input')}`,
    pathOf: (index, field) => ['inputs', index, ...(field === undefined ? [] : [field])],
  };
}
