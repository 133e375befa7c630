/** Moves of a plan that take back those of an earlier run, as the plan of an older checkout does. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { effectOf, movesOf } from '../../kinds/knownCalls.ts';
import type { Move } from '../../kinds/seam/move.ts';
import type { Run } from '../run/journal.ts';
import { shortRunId } from '../run/runId.ts';
import { startedByText } from '../run/startedBy.ts';
import type { Plan } from './plan.ts';

/** Returns a problem for each run of which the plan takes moves back. `runs` are the last ones, the oldest first. */
export function takenBack({ resources }: Plan, runs: readonly Run[], now: number): Problem[] {
  const last = new Map<string, Move & { run: Run }>();
  for (const run of runs) {
    for (const move of run.calls.flatMap(effectOf).flatMap(movesOf)) last.set(move.ip, { ...move, run });
  }
  const taken = resources
    .flatMap(({ calls }) => calls.flatMap(movesOf))
    .flatMap(({ ip, from, to }) => {
      const before = last.get(ip);
      return before?.from === to && before.to === from ? [before.run] : [];
    });
  return [...Map.groupBy(taken, (run) => run)].map(([run, moves]) => takesBack(run, moves.length, now));
}

function takesBack(run: Run, count: number, now: number): Problem {
  const who = [...(run.by ? [startedByText(run.by)] : []), ago(now - Date.parse(run.startedAt))].join(', ');
  return {
    code: 'takes-back',
    found: `takes back ${counted(count, 'move')} of ${run.command} ${shortRunId(run)} (${who})`,
    fix: 'if this is an older checkout, update it and plan again',
    affects: [],
  };
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['min', 60_000],
] as const;

/** The clock of the run may be ahead of this one. */
function ago(ms: number): string {
  const [unit, size] = units.find(([, each]) => ms >= each) ?? [];
  if (unit === undefined || size === undefined) return 'less than a minute ago';
  const count = Math.floor(ms / size);
  return `${count} ${unit}${count === 1 || unit === 'min' ? '' : 's'} ago`;
}
