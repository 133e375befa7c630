/** The three-way comparison of declaration, baseline and live state. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { PropertyChange } from '../../kinds/seam/changes.ts';
import type { SpecDifference } from '../../kinds/seam/comparison.ts';

/**
 * Why the live state differs from the declaration. `drift`: the live state differs from the baseline, the declaration does not. `pending`: the
 * declaration differs from the baseline, the live state does not. `both`: all three differ.
 */
export const causes = ['drift', 'pending', 'both'] as const;

export type Cause = (typeof causes)[number];

/** A difference between the declaration and the live state, with its cause. */
export interface CausedChange extends PropertyChange {
  cause: Cause;
  /** For `both`: the value of the baseline. */
  baseline?: unknown;
  /** The exception that mutes the alarm. */
  muted?: MutedBy | undefined;
  /** A run of this tool: the one that caused the drift, or the one that was to make a pending change and did not end well. */
  run?: string | undefined;
  /** The maker of the run, in words. */
  by?: string | undefined;
  /** True if it is not known what was applied: the cause is assumed. */
  isAssumed?: boolean;
  /** False if no read shows whether the difference exists. */
  isObserved?: boolean;
}

export interface MutedBy {
  reason: string;
  owner: string;
  /** The last day, such as `2026-12-31`. */
  until: string;
}

/** The baseline of one resource. `unknown`: it is not known what was applied. `none`: the resource was never applied. */
export type Compared = 'unknown' | 'none' | { differences: readonly SpecDifference[]; own?: OwnHalf | undefined };

/** A run of this tool that failed half-way, and how the baseline differs from the live state without its effects. */
export interface OwnHalf extends Pick<CausedChange, 'run' | 'by'> {
  differences: readonly SpecDifference[];
}

/**
 * Returns the cause of each difference between declaration and live state. `compared` are those between baseline and live state. Without a
 * baseline, every difference counts as drift.
 */
export function causesOf(declared: readonly SpecDifference[], compared: Compared): CausedChange[] {
  if (compared === 'unknown')
    return declared.map((change) => ({ ...caused(change, unlessUnseen(change, 'drift')), isAssumed: true }));
  if (compared === 'none') return declared.map((change) => caused(change, 'pending'));
  const relatedTo = relations(compared.differences);
  const { own } = compared;
  const withoutOwn = own && relations(own.differences);
  return declared.map((change) => {
    const related = relatedTo(change);
    const [first, second] = related;
    if (first === undefined || change.isObserved === false) return caused(change, 'pending');
    if (own && withoutOwn?.(change).length === 0) return { ...caused(change, 'pending'), run: own.run, by: own.by };
    if (second === undefined && isSame(first, change)) return caused(change, 'drift');
    return { ...caused(change, 'both'), ...(second === undefined && hasSamePath(first, change) && baselineOf(first)) };
  });
}

/** A difference that no read shows is never drift. */
function unlessUnseen({ isObserved }: SpecDifference, cause: Cause): Cause {
  return isObserved === false ? 'pending' : cause;
}

function caused({ path, kind, before, after, isObserved }: SpecDifference, cause: Cause): CausedChange {
  return {
    path: [...path],
    kind,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    cause,
    ...(isObserved === false && { isObserved }),
  };
}

function baselineOf({ after }: SpecDifference): { baseline?: unknown } {
  return after === undefined ? {} : { baseline: after };
}

function isSame(a: SpecDifference, b: SpecDifference): boolean {
  return a.kind === b.kind && hasSamePath(a, b) && isDeepStrictEqual(a.after, b.after);
}

function hasSamePath(a: SpecDifference, b: SpecDifference): boolean {
  return pathKey(a.path) === pathKey(b.path);
}

/** Returns a function that finds the differences about the same thing: at the same path, above or below it, or with the same subject. */
function relations(differences: readonly SpecDifference[]): (change: SpecDifference) => readonly SpecDifference[] {
  const bySubject = Map.groupBy(differences, ({ subject }) => subject ?? '');
  const atPath = Map.groupBy(differences, ({ path }) => pathKey(path));
  const below = new Map<string, SpecDifference[]>();
  for (const difference of differences) {
    for (let length = 0; length < difference.path.length; length += 1) {
      const key = pathKey(difference.path.slice(0, length));
      below.set(key, [...(below.get(key) ?? []), difference].slice(0, 2));
    }
  }
  return ({ path, subject }) => {
    const ofSubject = subject === undefined ? [] : (bySubject.get(subject) ?? []);
    const above = path.flatMap((_, length) => atPath.get(pathKey(path.slice(0, length))) ?? []);
    return [
      ...new Set([...(atPath.get(pathKey(path)) ?? []), ...above, ...(below.get(pathKey(path)) ?? []), ...ofSubject]),
    ];
  };
}

function pathKey(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}
