/** Checks a part of a YAML file against a schema: problems point at the line and column, and never show a secret. */
import type * as z from 'zod';
import { formatPath } from '../diagnostics/path.ts';
import type { Problem } from '../diagnostics/problem.ts';
import { zodProblems } from '../diagnostics/zodProblems.ts';
import { valueAt } from '../values/plain.ts';
import type { YamlSource } from './source.ts';

export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

/** Parses the value at a path of a file. Problems carry locations, and show only the variable name of a secret. */
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
