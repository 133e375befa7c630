/** Kills `webdata apply`, and lets the next one continue. */
import { join } from 'node:path';
import { chargedOnce, expected, journalFaults, quiet, truthOf } from './checks.ts';
import type { Kind, Played } from './kind.ts';
import { type Moves, movesOver, openPlace } from './moves.ts';
import { filePoints, type Point, requestPoints } from './points.ts';

export const apply = killedApply('apply', movesOver(3), []);

export const parallelApply = killedApply('apply, 10 calls at a time', movesOver(12), ['--parallelism', '10']);

function killedApply(name: string, moves: Moves, options: readonly string[]): Kind {
  return {
    name,
    holds:
      'the history is correct; the next apply completes it; every IP was moved once, with no unnecessary call; the plan is empty; the journal is complete except for at most one line',
    spanMs: 250,
    async boundaries({ folder }) {
      await using place = await openPlace({}, moves);
      const list = join(folder, `apply-operations-${moves.changes}`);
      await place.killed(['apply', '--yes', ...options], undefined, list);
      return [...filePoints(list), ...requestPoints(moves.changes)];
    },
    play: (_, point) => playApply(point, moves, options),
  };
}

async function playApply(point: Point, moves: Moves, options: readonly string[]): Promise<Played> {
  await using place = await openPlace({}, moves);
  const killed = await place.killed(['apply', '--yes', ...options], point);
  const truth = await truthOf(place, 'apply');
  const again = await place.webdata('apply', '--yes', '--lock-timeout', '60', ...options);
  const plan = await place.webdata('plan', '--detailed-exitcode');
  const { logs, request_stats: stats } = place.emulator.settings();
  return {
    killed,
    faults: [
      ...truth,
      ...quiet('the next apply', again),
      ...quiet('a plan after it', plan),
      ...expected('places', moves.after, place.places()),
      ...expected('settings', { logs: 7, stats: false }, { logs, stats }),
      ...chargedOnce(place, moves.after.length, moves.changes - 1),
      ...(await journalFaults(place)),
    ],
  };
}
