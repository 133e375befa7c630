/** Kills `webdata apply`, and lets the next one continue. */
import { join } from 'node:path';
import { chargedOnce, expected, journalFaults, quiet, truthOf } from './checks.ts';
import type { Kind, Played } from './kind.ts';
import { after, changesInAll, openPlace } from './moves.ts';
import { filePoints, type Point, requestPoints } from './points.ts';

export const apply: Kind = {
  name: 'apply',
  holds:
    'the history is correct; the next apply completes it; every IP was moved once, with no unnecessary call; the plan is empty; the journal is complete except for at most one line',
  spanMs: 250,
  async boundaries({ folder }) {
    await using place = await openPlace();
    const list = join(folder, 'apply-operations');
    await place.killed(['apply', '--yes'], undefined, list);
    return [...filePoints(list), ...requestPoints(changesInAll)];
  },
  play: (_, point) => playApply(point),
};

async function playApply(point: Point): Promise<Played> {
  await using place = await openPlace();
  const killed = await place.killed(['apply', '--yes'], point);
  const truth = await truthOf(place, 'apply');
  const again = await place.webdata('apply', '--yes', '--lock-timeout', '60');
  const plan = await place.webdata('plan', '--detailed-exitcode');
  const { logs, request_stats: stats } = place.emulator.settings();
  return {
    killed,
    faults: [
      ...truth,
      ...quiet('the next apply', again),
      ...quiet('a plan after it', plan),
      ...expected('places', after, place.places()),
      ...expected('settings', { logs: 7, stats: false }, { logs, stats }),
      ...chargedOnce(place, after.length, changesInAll - 1),
      ...(await journalFaults(place)),
    ],
  };
}
