/** Runs whose lines in the journal are damaged are not undone, and not passed over. */
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { runToUndo } from '../undo/target.ts';
import type { Run } from './journal.ts';
import { shortRunId } from './runId.ts';

/** @throws ProblemError where the run to undo is damaged, or where none is named and a damaged run is later than the one to undo */
export function refuseDamaged(runs: readonly Run[], id: string | undefined): void {
  const damaged = runs.findLast((run) => run.damage && (id === undefined || run.id.startsWith(id.toLowerCase())));
  if (damaged === undefined) return;
  const before = id === undefined ? runBefore(damaged, runs) : undefined;
  if (before === 'later') return;
  throw new ProblemError([damagedRun(damaged, before)]);
}

/** `later` where the run that would be undone comes after the damaged one. */
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
    found: `run ${shortRunId({ id })} is damaged in the journal, so that it is not known what it did: ${lines.join('; ')}`,
    allowed: 'to undo runs whose calls are all known',
    fix: `restore the lines, or declare what should be and apply${other}`,
  };
}
