/** `webdata history --prune`: chooses the old runs that nothing needs any more, and removes them. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { serverKey } from '../../base/values/serverUrl.ts';
import { factsOf } from '../../kinds/knownCalls.ts';
import type { LockOptions } from '../backend/backend.ts';
import type { AccountBackend } from '../identity/accountBackend.ts';
import { openCalls } from '../run/applyResult.ts';
import { type Run, removeRuns } from '../run/journal.ts';
import { ageOfLog, readJournal } from '../run/journalReader.ts';
import { runToUndo } from '../undo/target.ts';

export interface Pruning {
  removed: readonly Run[];
  kept: readonly KeptRun[];
}

interface KeptRun {
  run: Run;
  /** A phrase that follows the run: `has calls whose outcome is open`. */
  why: string;
}

/** Removes the runs that are older and not needed. Under the lock, so that no run that is going on is among them. */
export function pruneRuns(
  backend: AccountBackend,
  options: LockOptions,
  ages: Omit<Ages, 'ageMs'>,
): Promise<Pruning & { cutoff: string }> {
  return backend.withLock(options, async () => {
    const [runs, ageMs] = [await readJournal(backend), await ageOfLog(backend)];
    const cutoff = cutoffOf(runs, { ...ages, ageMs });
    const chosen = chooseRuns(runs, cutoff);
    await removeRuns(backend, chosen.removed);
    return { ...chosen, cutoff };
  });
}

interface Ages {
  olderThanMs: number;
  now: number;
  /** The least time since the log was written, by the clock of its store. */
  ageMs: number;
}

/**
 * Returns the time, in ISO 8601, before which runs are old. A clock of this machine that is ahead makes no run old: now is at most the time of the
 * last run and the age of the log.
 */
export function cutoffOf(runs: readonly Run[], { olderThanMs, now, ageMs }: Ages): string {
  const last = runs.at(-1);
  const nowOfLast = last === undefined ? now : Date.parse(timesOf(last).reduce(later)) + ageMs;
  return new Date(Math.min(now, nowOfLast) - olderThanMs).toISOString();
}

/** Chooses among the runs that started before `cutoff`. A run is not older than those before it in the log, even if its clock said so. Pure. */
export function chooseRuns(runs: readonly Run[], cutoff: string): Pruning {
  const reasons = new Map<Run, string>();
  const old: Run[] = [];
  let startedAt = '';
  for (const run of runs) {
    startedAt = later(startedAt, run.startedAt);
    if (startedAt < cutoff) old.push(run);
    const why = startedAt < cutoff ? reasonToKeep(run, cutoff) : 'started later';
    if (why !== undefined) reasons.set(run, why);
  }
  for (const account of Map.groupBy(runs, accountOf).values()) keepForUndo(account, reasons);
  return {
    removed: old.filter((run) => !reasons.has(run)),
    kept: old.flatMap((run) => (reasons.has(run) ? [{ run, why: reasons.get(run) ?? '' }] : [])),
  };
}

function reasonToKeep(run: Run, cutoff: string): string | undefined {
  if (timesOf(run).some((time) => time >= cutoff)) return 'ended later';
  if (openCalls(run).length > 0) return 'has calls whose outcome is open';
  if (run.damage !== undefined || run.command === 'unknown') return 'is damaged, so its calls are not fully known';
  if (run.calls.flatMap(factsOf).some(({ items }) => items.length > 0)) return 'has calls that plans take into account';
  return undefined;
}

function timesOf({ startedAt, calls, ended }: Run): string[] {
  return [startedAt, ...calls.flatMap(({ sentAt, seen }) => [sentAt, seen?.at ?? '']), ended?.at ?? ''];
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function accountOf({ origin, account }: Run): string {
  return account ?? serverKey(origin);
}

/** Keeps the run that `webdata undo` undoes next, and what shows that kept runs were undone. */
function keepForUndo(runs: readonly Run[], reasons: Map<Run, string>): void {
  const next = nextUndone(runs);
  if (next !== undefined && !reasons.has(next)) reasons.set(next, 'is the run that `webdata undo` undoes next');
  const byId = new Map(runs.map((run) => [run.id, run]));
  for (let before = -1; before !== reasons.size; ) {
    before = reasons.size;
    for (const run of runs) {
      const undone = byId.get(run.undoes ?? '');
      if (undone === undefined || reasons.has(run) === reasons.has(undone)) continue;
      reasons.set(reasons.has(run) ? undone : run, 'belongs to an undo that is kept');
    }
  }
}

function nextUndone(runs: readonly Run[]): Run | undefined {
  try {
    return runToUndo(runs);
  } catch (error) {
    if (error instanceof ProblemError) return undefined;
    throw error;
  }
}
