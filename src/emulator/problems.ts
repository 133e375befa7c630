/** From what zod reports to problems: what was found, what is allowed, the nearest valid name. */

import type { z } from 'zod';
import { nearest } from '../input/nearest.ts';
import { formatPath } from '../input/path.ts';
import { valueAt } from '../input/plain.ts';
import { type Problem, ProblemError } from '../input/problem.ts';
import { isSecretName, redact } from './redact.ts';

type Issue = z.core.$ZodIssue;

/** Parses a value, or throws a `ProblemError` with every problem; `locate` may add the place in a file to each. */
export function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  locate: (problem: Problem) => Problem = (problem) => problem,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ProblemError(result.error.issues.flatMap((issue) => problemsOf(issue, value)).map(locate));
}

function problemsOf(issue: Issue, root: unknown): Problem[] {
  if (issue.code === 'invalid_union') {
    const meant = meantBranch(issue.errors);
    if (meant) return meant.flatMap((inner) => problemsOf({ ...inner, path: [...issue.path, ...inner.path] }, root));
  }
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(issue, key));
  return [wrongValue(issue, root)];
}

/** Of a union's branches the one that got furthest into the value is what was meant; none, if none got further than others. */
function meantBranch(branches: Issue[][]): Issue[] | undefined {
  const depth = (branch: Issue[] = []) => Math.max(0, ...branch.map(({ path }) => path.length));
  const [first, second] = branches.toSorted((a, b) => depth(b) - depth(a));
  return depth(first) > depth(second) ? first : undefined;
}

function unknownKey({ path, message }: Issue, key: string): Problem {
  const meant = nearest(key, message.split(', '));
  return {
    code: 'unknown-key',
    found: `unknown key \`${key}\``,
    allowed: message,
    ...(meant && { fix: `perhaps \`${meant}\` is meant` }),
    path: [...path, key],
    at: 'key',
  };
}

function wrongValue(issue: Issue, root: unknown): Problem {
  const value = valueAt(root, issue.path);
  const first: PropertyKey[] | undefined = issue.code === 'custom' ? issue.params?.first : undefined;
  return {
    code: value === undefined ? 'missing' : 'invalid-value',
    found: `${label(issue.path)} is ${value === undefined ? 'missing' : show(value, issue.path.at(-1))}`,
    allowed: allowedBy(issue),
    path: issue.path,
    at: issue.code === 'invalid_key' ? 'key' : 'value',
    ...(first && { also: [{ path: first, what: 'first stands here' }] }),
  };
}

function allowedBy(issue: Issue): string {
  if (issue.code === 'invalid_value') return issue.values.join(', ');
  if (issue.code === 'invalid_union' && 'options' in issue && issue.options) return issue.options.join(', ');
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
    return `a value of type ${issue.expected}`;
  return issue.message;
}

const label = (path: PropertyKey[]): string => (path.length > 0 ? `\`${formatPath(path)}\`` : 'the whole');

/** Neither a password nor an API key's `value` is repeated to whoever mistyped it. */
function show(value: unknown, name: PropertyKey = ''): string {
  if (isSecretName(String(name)) || name === 'value') return `of type ${typeof value}`;
  const text = JSON.stringify(redact(value, [])) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
