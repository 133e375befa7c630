/** What a zod issue is about: the value that was parsed, its schema, and how it is named to the person who wrote it. */
import * as z from 'zod';
import { valueAt } from '../values/plain.ts';
import { nameOf } from './path.ts';
import type { Problem } from './problem.ts';
import { describeSecret, describeValue } from './valueWords.ts';
import { asNoun, describeAt } from './zodDescribe.ts';
import { isSecretAt, type Schema, unionOptions } from './zodSchema.ts';

export type Issue = z.core.$ZodIssue;

/** What was parsed, with what, and where it stands; the paths of its issues start there. */
export interface Frame {
  schema?: Schema;
  value: unknown;
  path: readonly PropertyKey[];
  /** The scalar at a path as the file has it; the path is from the file's top. */
  written?: (path: readonly PropertyKey[]) => string | undefined;
}

/** The issue's path from the file's top. */
export function whole(issue: Issue, frame: Frame): PropertyKey[] {
  return [...frame.path, ...issue.path];
}

/** The part of a frame at a path, for issues whose paths start there. */
export function subFrame(frame: Frame, path: readonly PropertyKey[], schema?: Schema): Frame {
  const { schema: _, ...rest } = frame;
  return { ...rest, ...(schema && { schema }), value: valueAt(frame.value, path), path: [...frame.path, ...path] };
}

/** The usual problem: what stands at the issue's path is not what is allowed there. */
export function wrong(issue: Issue, frame: Frame, problem: { code: string; allowed?: string; fix?: string }): Problem {
  const path = whole(issue, frame);
  const value = valueAt(frame.value, issue.path);
  if (value === undefined) return missing(issue, frame);
  const { code, fix = value === null ? 'give it a value, or remove the line' : undefined } = problem;
  const allowed = isOneBranch(issue, frame) ? allowedAt(issue, frame) : (authorsWords(issue, value) ?? problem.allowed);
  const found = `${nameOf(path)} is ${describe(issue, frame)}`;
  return { code, found, ...(allowed && { allowed }), ...(fix && { fix }), path };
}

/** zod reports a union's only likely branch as if there were no other; to the reader, all of them are allowed. */
function isOneBranch(issue: Issue, frame: Frame): boolean {
  if (issue.code === 'invalid_union' || frame.schema === undefined) return false;
  return unionOptions(frame.schema, issue.path, frame.value).length > 0;
}

/** Nothing stands at the issue's path, and something must. */
export function missing(issue: Issue, frame: Frame): Problem {
  const path = whole(issue, frame);
  const allowed = authorsWords(issue, undefined) ?? allowedAt(issue, frame);
  return {
    code: 'missing-key',
    found: `${nameOf(path)} is missing`,
    ...(allowed && { allowed }),
    fix: path.length === 0 ? 'write something' : `add \`${String(path.at(-1))}: …\` here`,
    path,
  };
}

/** What the schema allows at the issue's path. */
export function allowedAt(issue: Issue, frame: Frame): string | undefined {
  return frame.schema && describeAt(frame.schema, issue.path, frame.value);
}

/** Whether what stands at the issue's path must not be shown. */
export function isHidden(issue: Issue, frame: Frame): boolean {
  return frame.schema !== undefined && isSecretAt(frame.schema, issue.path, frame.value);
}

/** The scalar at the issue's path as the file has it, or as YAML would write it. */
export function writtenAt(issue: Issue, frame: Frame): string {
  return frame.written?.(whole(issue, frame)) ?? String(valueAt(frame.value, issue.path));
}

function describe(issue: Issue, frame: Frame): string {
  const value = valueAt(frame.value, issue.path);
  return isHidden(issue, frame) ? describeSecret(value) : describeValue(value, writtenAt(issue, frame));
}

const ENGLISH = z.locales.en();

/**
 * The message that a schema's author gave to a check, as opposed to zod's own, as what is allowed: "a cron expression" of
 * `z.string().regex(CRON, 'must be a cron expression')`.
 */
export function authorsWords(issue: Issue, input: unknown): string | undefined {
  const own = ENGLISH.localeError({ ...issue, input } as z.core.$ZodRawIssue);
  if (issue.message === (typeof own === 'string' ? own : own?.message)) return undefined;
  return asNoun(issue.message);
}
