/** Problems about the value at the path of a zod issue. They quote the value as the file has it. */
import * as z from 'zod';
import { valueAt } from '../values/plain.ts';
import { nameOf } from './path.ts';
import type { Problem } from './problem.ts';
import { describeSecret, describeValue } from './valueWords.ts';
import { asNoun, describeAt } from './zodDescribe.ts';
import { isSecretAt, type Schema, unionOptions } from './zodSchema.ts';

export type Issue = z.core.$ZodIssue;

/** The value that was parsed, its schema, and its path in the file. The paths of zod issues start at the value. */
export interface ParsedFrame {
  schema?: Schema;
  value: unknown;
  path: readonly PropertyKey[];
  /** Returns the scalar at a path from the top of the file, as it is in the file. */
  written?: (path: readonly PropertyKey[]) => string | undefined;
}

/** Returns the path of the issue from the top of the file. */
export function whole(issue: Issue, frame: ParsedFrame): PropertyKey[] {
  return [...frame.path, ...issue.path];
}

/** Returns the frame of the value at a path, for issues whose paths start there. */
export function subFrame(frame: ParsedFrame, path: readonly PropertyKey[], schema?: Schema): ParsedFrame {
  const { schema: _, ...rest } = frame;
  return { ...rest, ...(schema && { schema }), value: valueAt(frame.value, path), path: [...frame.path, ...path] };
}

/** Returns a problem that names the value at the issue's path and what is allowed instead. */
export function wrong(
  issue: Issue,
  frame: ParsedFrame,
  problem: { code: string; allowed?: string; fix?: string },
): Problem {
  const path = whole(issue, frame);
  const value = valueAt(frame.value, issue.path);
  if (value === undefined) return missing(issue, frame);
  const { code, fix = value === null ? 'give it a value, or remove the line' : undefined } = problem;
  const allowed = isOneBranch(issue, frame) ? allowedAt(issue, frame) : (authorsWords(issue, value) ?? problem.allowed);
  const found = `${nameOf(path)} is ${describe(issue, frame)}`;
  return { code, found, ...(allowed && { allowed }), ...(fix && { fix }), path };
}

/** Reports whether the issue is about one branch of a union: zod reports only the likely branch, but all of them are allowed. */
function isOneBranch(issue: Issue, frame: ParsedFrame): boolean {
  if (issue.code === 'invalid_union' || frame.schema === undefined) return false;
  return unionOptions(frame.schema, issue.path, frame.value).length > 0;
}

/** Returns a problem for a missing value. */
export function missing(issue: Issue, frame: ParsedFrame): Problem {
  const path = whole(issue, frame);
  const allowed = authorsWords(issue, undefined) ?? allowedAt(issue, frame);
  return {
    code: 'missing-key',
    found: `${nameOf(path)} is missing`,
    ...(allowed && { allowed }),
    fix: fixForMissing(path.at(-1)),
    path,
  };
}

function fixForMissing(key: PropertyKey | undefined): string {
  if (key === undefined) return 'write something';
  // An item of a list without a value comes from a program, such as a variable that is null in Terraform.
  return typeof key === 'number' ? 'give the item a value, or leave it out' : `add \`${String(key)}: …\` here`;
}

/** Describes what the schema allows at the issue's path. */
export function allowedAt(issue: Issue, frame: ParsedFrame): string | undefined {
  return frame.schema && describeAt(frame.schema, issue.path, frame.value);
}

/** Reports whether the value at the issue's path is secret. */
export function isHidden(issue: Issue, frame: ParsedFrame): boolean {
  return frame.schema !== undefined && isSecretAt(frame.schema, issue.path, frame.value);
}

/** Returns the scalar at the issue's path as it is in the file, or else as YAML would write it; undefined for a list or a map. */
export function writtenAt(issue: Issue, frame: ParsedFrame): string | undefined {
  const value = valueAt(frame.value, issue.path);
  return frame.written?.(whole(issue, frame)) ?? (isScalar(value) ? String(value) : undefined);
}

function describe(issue: Issue, frame: ParsedFrame): string {
  const value = valueAt(frame.value, issue.path);
  return isHidden(issue, frame) ? describeSecret(value) : describeValue(value, writtenAt(issue, frame));
}

const ENGLISH = z.locales.en();

/**
 * Returns the author's words for what is allowed, unless the message is zod's own: "a cron expression" for
 * `z.string().regex(CRON, 'must be a cron expression')`.
 */
export function authorsWords(issue: Issue, input: unknown): string | undefined {
  // A schema that coerces to a number complains about the number, such as NaN, and not about the text.
  const inputs = typeof input === 'string' ? [input, Number(input)] : [input];
  if (inputs.some((each) => issue.message === messageOfZod(issue, each))) return undefined;
  return asNoun(issue.message);
}

function messageOfZod(issue: Issue, input: unknown): string | undefined {
  const message = ENGLISH.localeError({ ...issue, input } as z.core.$ZodRawIssue);
  return typeof message === 'string' ? message : message?.message;
}

const MEANT_AS_BOOLEAN = new Map(
  Object.entries({ false: false, no: false, off: false, on: true, true: true, yes: true }),
);

/**
 * Returns how to correct a value of the wrong type.
 * @param expected zod's name of the type
 * @param written the scalar as it is in the file; undefined if it must not be shown
 */
export function wrongTypeFix(expected: string, value: unknown, written: string | undefined): string | undefined {
  switch (expected) {
    case 'string':
      return isScalar(value) ? withExample('put it in quotes', written && JSON.stringify(written)) : undefined;
    case 'number':
    case 'int':
      return isNumeric(value) ? withoutQuotes(written) : undefined;
    case 'boolean':
      return booleanFix(value, written);
    case 'array':
      return isScalar(value) ? withExample('write it as a list', written && `[${quoted(written)}]`) : undefined;
    case 'object':
    case 'record':
      return Array.isArray(value) ? 'write `name: value` lines, without `- `' : undefined;
    default:
      return undefined;
  }
}

function withExample(advice: string, example: string | undefined): string {
  return example === undefined ? advice : `${advice}: ${example}`;
}

function booleanFix(value: unknown, written = ''): string | undefined {
  const meant = typeof value === 'string' ? MEANT_AS_BOOLEAN.get(value.toLowerCase()) : undefined;
  if (meant === undefined) return undefined;
  return String(meant) === value && written.includes('${') ? withoutQuotes(written) : `write ${meant}, without quotes`;
}

/** A variable between { } or [ ] needs quotes, and is text with them. */
function withoutQuotes(written: string | undefined): string {
  if (written?.includes('${')) return `give it a line of its own, without quotes: NAME: ${written}`;
  return withExample('remove the quotes', written);
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
}

/** Quotes an item of `[…]` unless it is plain: more characters have a meaning there than elsewhere. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : JSON.stringify(text);
}
