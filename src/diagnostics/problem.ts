/**
 * A problem is data: what is wrong with something a person wrote or asked for, and what to do about it.
 * It is turned into text in one place (`src/report/text/problems.ts`).
 */

/** Where in a file, both numbers counted from 1. */
export interface Place {
  file: string;
  line: number;
  column: number;
}

export interface Problem {
  /** Stable, kebab-case, for programs and for the documentation of errors: `unknown-key`, `ip-declared-twice`. */
  code: string;
  /** What was found, as a sentence part that can stand after the place. */
  found: string;
  /** What is allowed there. */
  allowed?: string;
  /** What to do about it. */
  fix?: string;
  /** The path of keys to the culprit: from the file's top, or from the resource's spec until the engine adds the rest. */
  path?: PropertyKey[];
  /** Which of the two at `path` is the culprit, and so is pointed at; the value when left out. */
  at?: 'key' | 'value';
  /** Known once the path was looked up in the file; other places that matter (the first declaration of a duplicate) in `also`. */
  place?: Place;
  also?: { path: PropertyKey[]; at?: 'key' | 'value'; place?: Place; what: string }[];
  /**
   * Set where the cause is not in the declaration: a service that can't be reached, a missing key. Names the resources that can't be
   * handled because of it; such a problem has no place in the file.
   */
  affects?: readonly string[];
}

type Cause = Pick<Problem, 'found' | 'fix' | 'affects'> & { code?: string };

/** Returns problems with one cause outside the declaration as one problem that names all resources it affects. */
export function mergeByCause<P extends Cause>(problems: readonly P[]): P[] {
  const merged = new Map<string, P>();
  for (const [index, problem] of problems.entries()) {
    const { code, found, fix, affects } = problem;
    const key = affects === undefined ? `${index}` : JSON.stringify([code, withoutQueries(found), fix]);
    const first = merged.get(key);
    merged.set(key, first === undefined ? problem : { ...first, affects: union(first, problem) });
  }
  return [...merged.values()];
}

/** Requests about different zones fail for one reason: the first of them is shown. */
function withoutQueries(found: string): string {
  return found.replaceAll(/(https?:\/\/[^\s?]+)\?\S*/g, '$1');
}

function union(one: Cause, other: Cause): string[] {
  return [...new Set([...(one.affects ?? []), ...(other.affects ?? [])])];
}

/** In the order of the files; what has no place comes last. */
export function byPlace(a: { place?: Place }, b: { place?: Place }): number {
  if (a.place === undefined || b.place === undefined) {
    return Number(a.place === undefined) - Number(b.place === undefined);
  }
  const [from, to] = [a.place, b.place];
  if (from.file !== to.file) return from.file < to.file ? -1 : 1;
  return from.line - to.line || from.column - to.column;
}

/** Carries problems to whoever prints them. The message is only for programs that do not print problems themselves. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => problem.found).join('; '));
    this.problems = problems;
  }
}
