/** The planning of one resource after the other, for every front: each is planned as if those before it were applied. Reads only. */
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isKeyRefusal, ServiceError } from '../../client/errors.ts';
import { callTypeOf } from '../../kinds/knownCalls.ts';
import type { Call } from '../../kinds/seam/call.ts';
import type { Diff } from '../../kinds/seam/kind.ts';
import type { Views } from '../../kinds/seam/views.ts';
import type { InFlight, WithheldMove } from '../run/inFlight.ts';

/** A resource as its kind sees it. */
export interface LiveComparison {
  diff: Diff;
  state: unknown;
}

export interface PlannedDiff extends Partial<LiveComparison> {
  /** Why nothing may be sent: those of the diff, those of reading, and `withheld`. */
  problems: Problem[];
  /** Problems of calls that were sent before and whose effect no listing shows yet. */
  withheld: readonly Problem[];
  /** The error of reading the live state. */
  unread?: ServiceError | undefined;
}

interface PlanningViews {
  /** The views in which planned calls count as done. */
  views: Views;
  /** The calls that may be on their way. */
  inFlight?: Pick<InFlight, 'problems'> | undefined;
  /** Accepted moves of the resource itself that no listing shows. */
  unseen?: readonly WithheldMove[] | undefined;
}

/** Compares a resource with the live state. Its calls count as done for those that are planned later, unless it has problems. */
export async function planResource(
  compare: () => Promise<LiveComparison>,
  { views, inFlight, unseen }: PlanningViews,
): Promise<PlannedDiff> {
  const found = await comparedOrProblems(compare);
  const calls = found.diff?.calls ?? [];
  const withheld = inFlight?.problems(calls, unseen) ?? [];
  const problems = [...found.problems, ...withheld];
  if (problems.length === 0) for (const call of calls) expectDone(call, views);
  return { ...found, problems, withheld };
}

/** Compares a resource. What cannot be read is a problem of it. */
export async function comparedOrProblems(
  compare: () => Promise<LiveComparison>,
): Promise<Partial<LiveComparison> & Pick<PlannedDiff, 'problems' | 'unread'>> {
  try {
    const { diff, state } = await compare();
    return { diff, state, problems: diff.problems };
  } catch (error) {
    return { problems: problemsOfError(error), unread: error instanceof ServiceError ? error : undefined };
  }
}

/**
 * Plans each target, and those with problems again, as long as that helps one of them: another may release what they need. Not after the API key was
 * refused. `left` are those that still have problems.
 */
export async function planInRounds<Target, Planned extends Pick<PlannedDiff, 'unread'>>(
  targets: readonly Target[],
  plan: (target: Target) => Promise<Planned>,
  hasProblems: (planned: Planned) => boolean,
): Promise<Record<'done' | 'left', { target: Target; planned: Planned }[]>> {
  const done: { target: Target; planned: Planned }[] = [];
  for (let waiting = targets; ; ) {
    const left: typeof done = [];
    for (const target of waiting) {
      const planned = await plan(target);
      (hasProblems(planned) ? left : done).push({ target, planned });
    }
    const isRefused = left.some(({ planned }) => isKeyRefusal(planned.unread));
    if (isRefused || left.length === 0 || left.length === waiting.length) return { done, left };
    waiting = left.map(({ target }) => target);
  }
}

/** Changes the views as if the call were sent, for the resources that are planned after it. */
export function expectDone(call: Call, views: Views): void {
  callTypeOf(call).expect?.(call, views);
}

/** Turns expected errors into problems. @throws other errors, which are bugs */
export function problemsOfError(error: unknown): Problem[] {
  if (error instanceof ProblemError) return [...error.problems];
  if (!(error instanceof ServiceError)) throw error;
  const { code, message, fix, fixFor } = error;
  return [{ code, found: message, fix, ...(fixFor && { fixFor }), affects: [] }];
}
