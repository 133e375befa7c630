/**
 * Pulumi's option `ignoreChanges`: the live value of an ignored property stays, also if someone else has changed it. The engine resets the inputs at these paths
 * to those of its state, which may be older than the live values, so an update would undo what someone else has changed.
 */
import { formatPath } from '../../src/base/diagnostics/path.ts';
import { type Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import { isMapValue } from '../../src/base/values/plain.ts';
import type { Context } from '../../src/kinds/seam/context.ts';
import type { Diff, Properties } from '../../src/kinds/seam/kind.ts';
import { parseResource, type Resource } from './resource.ts';
import type { PropertyPath } from './stored/storedResource.ts';
import { storedOf } from './stored/table.ts';

/** Returns true for an ignored property, and for everything in it. */
export function isIgnored(path: readonly PropertyKey[], ignored: readonly PropertyPath[]): boolean {
  return ignored.some(
    (each) =>
      each.length <= path.length && each.every((key, index) => key === '*' || String(key) === String(path[index])),
  );
}

/** Returns the resource with the live values of its ignored properties. @throws ProblemError if they do not fit the others */
export async function withLiveValues(resource: Resource, context: Context): Promise<Resource> {
  const { kind, spec, inputs, ignored, key } = resource;
  if (ignored.length === 0) return resource;
  const state = await kind.observe(spec, context);
  // A resource that is gone has no live values, and is made as it is declared.
  if (storedOf(kind).isGone(state)) return { ...resource, ignored: [] };
  const kept =
    storedOf(kind).keepLive?.(inputs, (path) => isIgnored(path, ignored), state) ??
    withValuesAt(ignored, inputs, storedOf(kind).liveInputs(inputs, spec, state));
  try {
    return { ...parseResource(kind, kept, ignored), key };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new ProblemError(error.problems.map((problem) => doesNotFit(problem, ignored)));
  }
}

/** Returns the differences of a resource with live values. What still differs at an ignored path is a secret, which cannot be read. */
export function diffOfKept({ kind, spec, ignored }: Resource, state: unknown): Diff {
  const diff = kind.diff(spec, state);
  if (storedOf(kind).keepLive !== undefined) return diff;
  const kept = diff.changes.filter(({ path }) => isIgnored(path, ignored));
  if (kept.length === 0) return diff;
  if (kept.length === diff.changes.length) return { ...diff, changes: [], calls: [] };
  return { ...diff, problems: [...diff.problems, ...kept.map(({ path }) => unreadable(path))] };
}

/** Returns the inputs with the live values at these paths. What cannot be separated from an ignored value is taken over with it. */
export function withValuesAt(paths: readonly PropertyPath[], inputs: Properties, live: Properties): Properties {
  const merged = paths.reduce<unknown>((value, path) => replaced(value, live, path), inputs);
  return withoutGaps(merged) as Properties;
}

/** A value that is undefined is left out in the end, so that indexes stay until then. */
function replaced(own: unknown, live: unknown, [key, ...rest]: PropertyPath): unknown {
  if (key === undefined || (key === '*' && rest.length === 0)) return live;
  if (Array.isArray(own) && Array.isArray(live)) {
    return own.map((item, index) => (isKey(key, index) ? replacedItem(item, live, index, rest) : item));
  }
  if (!isMapValue(live) || !(own === undefined || isMapValue(own))) return live;
  const names = key === '*' ? Object.keys({ ...own, ...live }) : [String(key)];
  const values = names.map((name) => [name, replaced(own?.[name], live[name], rest)]);
  return { ...own, ...Object.fromEntries(values) };
}

function isKey(key: string | number, index: number): boolean {
  return key === '*' || String(key) === String(index);
}

/** The order of plain values has no meaning to a live list: such an item stays if it is there. */
function replacedItem(item: unknown, live: readonly unknown[], index: number, rest: PropertyPath): unknown {
  if (typeof item !== 'object' || item === null) return live.includes(item) ? item : undefined;
  return replaced(item, live[index], rest);
}

function withoutGaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(withoutGaps);
  if (!isMapValue(value)) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries.map(([name, field]) => [name, withoutGaps(field)]));
}

function doesNotFit(problem: Problem, ignored: readonly PropertyPath[]): Problem {
  const names = ignored.map(formatPath).join(', ');
  return {
    ...problem,
    found: `with the live values of what \`ignoreChanges\` names (${names}): ${problem.found}`,
    fix: 'add the properties that belong together to `ignoreChanges`, or declare the live values',
  };
}

function unreadable(path: readonly PropertyKey[]): Problem {
  return {
    code: 'not-kept',
    path: [...path],
    found: `the live value is another secret, which \`ignoreChanges\` keeps, but which cannot be read and sent together with the other changes`,
    allowed: 'a change of other properties while the live secret is the declared one',
    fix: 'declare the live secret, better as a reference such as { env: NAME }; or remove it from `ignoreChanges` to register the declared one',
  };
}
