/** Checks a part of a YAML file against a schema. Problems have lines and columns, and never show a secret. */
import type * as z from 'zod';
import { formatPath } from '../diagnostics/path.ts';
import type { Problem } from '../diagnostics/problem.ts';
import { type Parsed, parse } from '../diagnostics/zodProblems.ts';
import { valueAt } from '../values/plain.ts';
import { isSecretName } from '../values/secretName.ts';
import type { YamlSource } from './source.ts';
import { alteredValues } from './untyped.ts';

/** Parses the value at a path of a file. Problems carry locations, and show only the variable name of a secret. */
export function parseWith<S extends z.ZodType>(
  schema: S,
  source: YamlSource,
  path: readonly PropertyKey[] = [],
): Parsed<z.output<S>> {
  const value = valueAt(source.value, path);
  const written = (at: readonly PropertyKey[]) => source.written(at);
  // By default, zod compiles a function for each object schema, which takes longer than checking the few objects of a file.
  const parsed = parse(schema, value, { path, written, jitless: true });
  const problems = parsed.ok ? alteredValues(schema, source, path) : parsed.problems;
  if (parsed.ok && problems.length === 0) return parsed;
  return { ok: false, problems: problems.map((problem) => locate(withoutVariables(problem, source), source)) };
}

/**
 * Adds the locations to a problem. `prefix` is the path where the paths of the problem start, for problems of a resource whose paths
 * start at its spec.
 */
export function locate(problem: Problem, source: YamlSource, prefix: readonly PropertyKey[] = []): Problem {
  if (problem.affects !== undefined) {
    return prefix.length === 0 ? problem : { ...problem, affects: [...problem.affects, formatPath(prefix)] };
  }
  const path = [...prefix, ...(problem.path ?? [])];
  const also = problem.also?.map((other) => {
    const otherPath = [...prefix, ...other.path];
    const place = other.place ?? source.locationOf(otherPath, other.at);
    return { ...other, path: writtenPath(otherPath, source), place };
  });
  const place = problem.place ?? source.locationOf(path, problem.at);
  return { ...problem, path: writtenPath(path, source), place, ...(also && { also }) };
}

function writtenPath(path: PropertyKey[], source: YamlSource): PropertyKey[] {
  return [...(source.writtenPath?.(path) ?? path)];
}

/** Shorter values, such as a port, appear in too many messages for other reasons. */
const SHORTEST_SECRET = 4;

/**
 * Hides the values of variables with secret names in the messages of checks, which do not know where a value came from, and those of the variables
 * at the paths of the problem, which may hold anything.
 */
export function withoutVariables(
  problem: Problem,
  source: Pick<YamlSource, 'secrets' | 'written'>,
  prefix: readonly PropertyKey[] = [],
): Problem {
  const paths = [problem.path ?? [], ...(problem.also ?? []).map((other) => other.path)];
  const written = paths.map((path) => source.written([...prefix, ...path])).join();
  // The longest first, since one may be part of another.
  const values = [...source.secrets]
    .filter(([value]) => value.length >= SHORTEST_SECRET)
    .sort(([a], [b]) => b.length - a.length);
  const hiding = (variables: readonly (readonly [string, string])[]) => (text: string) =>
    variables.reduce((rest, [value, name]) => rest.replaceAll(value, () => `\${${name}}`), text);
  const hideSecrets = hiding(values.filter(([, name]) => isSecretName(name)));
  const hide = hiding(values.filter(([, name]) => isSecretName(name) || written.includes(`\${${name}`)));
  const { found, allowed, fix, place } = problem;
  return {
    ...problem,
    found: hide(found),
    // What is allowed does not depend on the value.
    ...(allowed && { allowed: hideSecrets(allowed) }),
    ...(fix && { fix: hide(fix) }),
    ...(place && { place: { ...place, file: hideSecrets(place.file) } }),
  };
}
