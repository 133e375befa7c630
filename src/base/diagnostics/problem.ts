/** Problems as data: what is wrong with a user's input, and how to fix it. `src/report/text/problems.ts` turns them into text. */
import type { FixesFor } from './fix.ts';
import { counted } from './valueWords.ts';

/** A line and a column of a file, both counted from 1. */
export interface Location {
  file: string;
  line: number;
  column: number;
}

export interface Problem {
  /** Stable, kebab-case, for programs and for the documentation of errors: `unknown-key`, `ip-declared-twice`. */
  code: string;
  /** The fault, as a phrase that can follow the location. */
  found: string;
  /** The values that are allowed instead. */
  allowed?: string;
  /** A solution: a command or an edit. */
  fix?: string;
  /** The fix in the words of other fronts, where they differ. */
  fixFor?: FixesFor;
  /** The path of keys to the cause: from the top of the file, or from the spec of a resource until `locate` adds the rest. */
  path?: PropertyKey[];
  /** The part of the entry at `path` that the location points at: the key, or by default the value. */
  at?: 'key' | 'value';
  /** Set once `path` was looked up in the file. */
  place?: Location;
  /** Related locations, such as the first declaration of a duplicate. */
  also?: { path: PropertyKey[]; at?: 'key' | 'value'; place?: Location; what: string }[];
  /**
   * The resources that a cause outside the declaration affects, such as a service that cannot be reached or a missing API key. Such a
   * problem has no location.
   */
  affects?: readonly string[];
  /** Set for a fault of one value, because one written item, such as a network, may stand for thousands: see `mergeByItem`. */
  value?: FaultyValue;
}

interface FaultyValue {
  text: string;
  /** The name of such a value, such as `IP`. */
  noun: string;
  /** The fault of several values, such as `are in no zone`. */
  are: string;
}

/** Merges the problems of values with the same fault that one written item stands for. Separately written values keep their problems. */
export function mergeByItem<P extends Omit<Problem, 'code'>>(problems: readonly P[]): Omit<P, 'value'>[] {
  const groups = Map.groupBy(problems.entries(), ([index, problem]) => itemKey(problem) ?? index);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { value, ...problem } = first[1];
    if (value === undefined || others.length === 0) return [problem];
    const { text, noun, are } = value;
    return [{ ...problem, found: `${text} and ${counted(others.length, noun)} after it ${are}` }];
  });
}

function itemKey({ path = [], place, value }: Omit<Problem, 'code'>): string | undefined {
  return value && JSON.stringify([path.map(String), place, value.are]);
}

type Cause = Pick<Problem, 'found' | 'fix' | 'affects'> & { code?: string };

/** Merges problems that have the same cause outside the declaration into one, which names all resources it affects. */
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

/** Removes queries from URLs, because requests for different zones fail for the same reason. */
function withoutQueries(found: string): string {
  return found.replaceAll(/(https?:\/\/[^\s?]+)\?\S*/g, '$1');
}

function union(one: Cause, other: Cause): string[] {
  return [...new Set([...(one.affects ?? []), ...(other.affects ?? [])])];
}

/** Sorts by file, line and column. Items without a location come last. */
export function byLocation(a: { place?: Location }, b: { place?: Location }): number {
  if (a.place === undefined || b.place === undefined) {
    return Number(a.place === undefined) - Number(b.place === undefined);
  }
  const [from, to] = [a.place, b.place];
  if (from.file !== to.file) return from.file < to.file ? -1 : 1;
  return from.line - to.line || from.column - to.column;
}

/** An error with problems to print. Its message is for programs that do not print problems themselves. */
export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map((problem) => problem.found).join('; '));
    this.problems = problems;
  }
}

/** @throws ProblemError with all problems, if there are any */
export function assertNoProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ProblemError(problems);
}
