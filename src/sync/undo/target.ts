/** Chooses the run to undo. */
import { ProblemError } from '../../diagnostics/problem.ts';
import type { Run } from '../run/journal.ts';
import { runWithPrefix, shortRunId } from '../run/runId.ts';
import { canBeUndone, hasEffect } from './undo.ts';

/**
 * Returns the run that `prefix` names; without one, the last run that made a change and was not undone. That is never an undo that
 * ended incomplete: the run that it was undoing comes first. @throws ProblemError
 */
export function runToUndo(runs: readonly Run[], prefix?: string): Run {
  const undoneBy = new Map(runs.filter(isDone).map((run) => [run.undoes, run]));
  if (prefix === undefined) {
    const isCandidate = (run: Run) => !undoneBy.has(run.id) && run.calls.some(canBeUndone);
    const last = runs.findLast((run) => isCandidate(run) && (run.undoes === undefined || isDone(run)));
    return last ?? refuse('no run in the journal made a change that can be undone');
  }
  const run = runWithPrefix(runs, prefix);
  const undo = undoneBy.get(run.id);
  if (undo !== undefined) refuse(`run ${shortRunId(run)} has already been undone, by run ${shortRunId(undo)}`);
  if (!run.calls.some(hasEffect)) refuse(`run ${shortRunId(run)} made no change`);
  return run;
}

function isDone({ ended }: Run): boolean {
  return ended?.result === 'done';
}

function refuse(found: string): never {
  throw new ProblemError([
    {
      code: 'nothing-to-undo',
      found,
      allowed: 'a run that made changes and was not undone yet',
      fix: '`webdata history` lists the runs',
    },
  ]);
}
