/** `webdata history --prune`: chooses the old runs that nothing needs any more, and removes them. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { factsOf } from '../../kinds/knownCalls.ts';
import { serverKey } from '../identity/accountIdentity.ts';
import type { Run } from '../run/journal.ts';
import { openCalls } from '../run/outcome.ts';
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

/** Chooses among the runs that started before `cutoff`, in ISO 8601. Pure. */
export function chooseRuns(runs: readonly Run[], cutoff: string): Pruning {
  const reasons = new Map<Run, string>();
  for (const run of runs) {
    const why = reasonToKeep(run, cutoff);
    if (why !== undefined) reasons.set(run, why);
  }
  for (const account of Map.groupBy(runs, accountOf).values()) keepForUndo(account, reasons);
  const old = runs.filter(({ startedAt }) => startedAt < cutoff);
  return {
    removed: old.filter((run) => !reasons.has(run)),
    kept: old.flatMap((run) => (reasons.has(run) ? [{ run, why: reasons.get(run) ?? '' }] : [])),
  };
}

function reasonToKeep(run: Run, cutoff: string): string | undefined {
  const times = run.calls.flatMap(({ sentAt, seen }) => [sentAt, seen?.at ?? '']);
  if ([run.startedAt, run.ended?.at ?? '', ...times].some((time) => time >= cutoff)) return 'ended later';
  if (openCalls(run).length > 0) return 'has calls whose outcome is open';
  if (run.damage !== undefined || run.command === 'unknown') return 'is damaged, so its calls are not fully known';
  if (run.calls.flatMap(factsOf).some(({ items }) => items.length > 0)) return 'has calls that plans take into account';
  return undefined;
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
