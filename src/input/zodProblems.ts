/** From what zod says about a value to problems: with the place, the nearest valid name, and what to do. */
import type * as z from 'zod';
import { formatPath } from './path.ts';
import { valueAt } from './plain.ts';
import type { Problem } from './problem.ts';
import type { YamlSource } from './yamlSource.ts';
import type { Frame } from './zodFrame.ts';
import { problemsOf } from './zodIssue.ts';

/** What makes problems better where it is known. */
export interface ZodContext {
  /** Knows the valid keys, and the limits that an issue leaves out. */
  schema?: z.core.$ZodType;
  /** Where the value stands in the file. */
  path?: readonly PropertyKey[];
  /** Shown instead of the value where a variable was put in (`YamlSource.written`). */
  written?: Frame['written'];
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

/** `value` is what was parsed, since zod's issues do not carry it. Problems come without places. */
export function zodProblems(error: z.core.$ZodError, value: unknown, context: ZodContext = {}): Problem[] {
  const frame: Frame = { ...context, value, path: context.path ?? [] };
  return problemsOf(error.issues, frame);
}

/** Parses what stands at a path of a file. Problems have places, and show no more of a secret than its variable's name. */
export function parseWith<S extends z.ZodType>(
  schema: S,
  source: YamlSource,
  path: readonly PropertyKey[] = [],
): Parsed<z.output<S>> {
  const value = valueAt(source.value, path);
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const context = { schema, path, written: (at: readonly PropertyKey[]) => source.written(at) };
  const problems = zodProblems(parsed.error, value, context).map((problem) => redact(problem, source.secrets));
  return { ok: false, problems: problems.map((problem) => locate(problem, source)) };
}

/**
 * The problem with its places filled in; `prefix` is where the problem's paths start, for those that a resource reported
 * with paths from its own spec.
 */
export function locate(problem: Problem, source: YamlSource, prefix: readonly PropertyKey[] = []): Problem {
  if (problem.affects !== undefined) {
    return prefix.length === 0 ? problem : { ...problem, affects: [...problem.affects, formatPath(prefix)] };
  }
  const path = [...prefix, ...(problem.path ?? [])];
  const also = problem.also?.map((other) => {
    const otherPath = [...prefix, ...other.path];
    return { ...other, path: otherPath, place: other.place ?? source.placeOf(otherPath, other.at) };
  });
  return { ...problem, path, place: problem.place ?? source.placeOf(path, problem.at), ...(also && { also }) };
}

/**
 * Raises a whole problem inside `.check(ctx => …)` or `.superRefine((value, ctx) => …)`. Its paths start at the value that
 * the check is about.
 */
export function problemIssue(ctx: { value: unknown; issues: z.core.$ZodRawIssue[] }, problem: Problem): void {
  ctx.issues.push({
    code: 'custom',
    message: problem.found,
    // A copy: zod prepends to it.
    path: [...(problem.path ?? [])],
    params: { ...problem },
    input: ctx.value,
    continue: true,
  });
}

/** Shorter ones, such as a port, stand in too many messages for other reasons. */
const SHORTEST_SECRET = 4;

/** For what checks say in their own words: they see values, and not which of them came out of variables. */
function redact(problem: Problem, secrets: YamlSource['secrets']): Problem {
  // The longest first: one may be a part of another.
  const hidden = [...secrets]
    .filter(([value]) => value.length >= SHORTEST_SECRET)
    .sort(([a], [b]) => b.length - a.length);
  const hide = (text: string) =>
    hidden.reduce((rest, [value, name]) => rest.replaceAll(value, () => `\${${name}}`), text);
  const { found, allowed, fix } = problem;
  return { ...problem, found: hide(found), ...(allowed && { allowed: hide(allowed) }), ...(fix && { fix: hide(fix) }) };
}
