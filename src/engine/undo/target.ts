/** Chooses the run to undo. A damaged run is an error: it is neither undone nor skipped. */
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import type { Run } from '../run/journal.ts';
import { runWithPrefix, shortRunId } from '../run/runId.ts';
import { canBeUndone, hasEffect, stackFrontOf } from './undo.ts';

/**
 * Returns the run that `prefix` names; without one, the last run of this journal that made a change and was not undone. If an undo ended incomplete,
 * returns the run that it was undoing. Runs of Pulumi, Terraform and other folders must be named. @throws ProblemError
 */
export function runToUndo(runs: readonly Run[], prefix?: string): Run {
  const undoneBy = new Map(runs.filter(isDone).map((run) => [run.undoes, run]));
  if (prefix === undefined) {
    const isCandidate = (run: Run) => !undoneBy.has(run.id) && run.calls.some(canBeUndone);
    const candidates = runs.filter((run) => isCandidate(run) && (run.undoes === undefined || isDone(run)));
    const own = candidates.findLast((run) => !run.isElsewhere && stackFrontOf(run) === undefined);
    const other = candidates.at(-1);
    return own ?? refuse('no run in the journal made a change that can be undone', other && fixForOther(other));
  }
  const run = runWithPrefix(runs, prefix);
  const undo = undoneBy.get(run.id);
  if (undo !== undefined) refuse(`run ${shortRunId(run)} has already been undone, by run ${shortRunId(undo)}`);
  if (!run.calls.some(hasEffect)) refuse(`run ${shortRunId(run)} made no change`);
  return run;
}

function fixForOther(run: Run): string {
  const undo = `\`webdata undo ${shortRunId(run)}\` undoes`;
  const front = stackFrontOf(run);
  return front === undefined
    ? `${undo} the last run of another folder on this machine`
    : `${undo} the last run of ${front}; change its program first, or its next apply makes the moves again`;
}

function isDone({ ended }: Run): boolean {
  return ended?.result === 'done';
}

function refuse(found: string, fix = '`webdata history` lists the runs'): never {
  throw new ProblemError([
    {
      code: 'nothing-to-undo',
      found,
      allowed: 'a run that made changes and was not undone yet',
      fix,
    },
  ]);
}

/** @throws ProblemError if the run to undo is damaged, or if none is named and a damaged run is later than the one to undo */
export function refuseDamaged(runs: readonly Run[], id: string | undefined): void {
  const damaged = runs.findLast((run) => run.damage && (id === undefined || run.id.startsWith(id.toLowerCase())));
  if (damaged === undefined) return;
  const before = id === undefined ? runBefore(damaged, runs) : undefined;
  if (before === 'later') return;
  throw new ProblemError([damagedRun(damaged, before)]);
}

/** Returns the run that would be undone if it is before the damaged one, or `later`. */
function runBefore(damaged: Run, runs: readonly Run[]): Run | 'later' | undefined {
  try {
    const run = runToUndo(runs);
    if (run === damaged) return undefined;
    return runs.indexOf(run) > runs.indexOf(damaged) ? 'later' : run;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return undefined;
  }
}

function damagedRun({ id, damage = [] }: Run, before: Run | undefined): Problem {
  const lines = damage.map(({ line, found }) => `line ${line} ${found}`);
  const other = before === undefined ? '' : `; \`webdata undo ${shortRunId(before)}\` undoes the run before it`;
  return {
    code: 'damaged-run',
    found: `run ${shortRunId({ id })} is damaged in the journal, so its calls are not fully known: ${lines.join('; ')}`,
    allowed: 'undoing a run whose calls are all known',
    fix: `restore the lines, or declare the wanted state and apply${other}`,
  };
}
