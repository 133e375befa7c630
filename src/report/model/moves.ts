/** The moves of calls and reports, with the outcome of each: one by one, and by pair of zones. */

import type { JournaledCall } from '../../engine/doors/history.ts';
import { resourceTitle } from '../../engine/doors/plan.ts';
import { callTypeOf, movedBy, outcomeOf } from '../../kinds/knownCalls.ts';
import type { Call } from '../../kinds/seam/call.ts';
import type { Move } from '../../kinds/seam/move.ts';
import { movesOfAll } from './calls.ts';
import type { Report } from './report.ts';

type Fate = 'moved' | 'stayed' | 'moved by another user' | 'not visible yet' | 'refused' | 'unknown' | 'not sent';

export interface TracedMove extends Move {
  /** The outcome, for a run. */
  fate?: Fate;
}

export interface ZonePair {
  /** The resource whose plan moves the IPs. Absent for a run. */
  resource?: string;
  from: string;
  to: string;
  moves: readonly TracedMove[];
  /** The number of planned calls. Absent for a run. */
  calls?: number;
}

/** Returns the moves in the order of the calls. A move that was sent more than once appears once, with its best outcome. */
export function tracedMoves(report: Report): TracedMove[] {
  if (report.about === 'plan') return report.plan.resources.flatMap(({ calls }) => movesOfAll(calls));
  const reported = report.result.resources.flatMap(({ made, notMade }) => [
    ...made.flatMap(fates),
    ...movesOfAll(notMade).map((move): TracedMove => ({ ...move, fate: 'not sent' })),
  ]);
  const last = new Map<string, TracedMove>();
  for (const move of reported) {
    const key = JSON.stringify([move.ip, move.from, move.to]);
    if (last.get(key)?.fate !== 'moved') last.set(key, move);
  }
  return [...last.values()];
}

/** Groups the moves by pair of zones, the largest first. */
export function zonePairs(report: Report, moves: readonly TracedMove[]): ZonePair[] {
  const pairs =
    report.about === 'run'
      ? byPair(moves).map(({ items, ...pair }): ZonePair => ({ ...pair, moves: items }))
      : report.plan.resources.flatMap((resource) =>
          plannedPairs(resource.calls).map((pair): ZonePair => ({ ...pair, resource: resourceTitle(resource) })),
        );
  return pairs.sort((a, b) => b.moves.length - a.moves.length);
}

/** Returns the moves by pair of zones, in the order of the first call. A batch limit splits one move of IPs into many calls. */
export function plannedPairs(calls: readonly Call[]): ZonePair[] {
  const flows = calls.flatMap((call) => callTypeOf(call).flow(call) ?? []);
  return byPair(flows).map(({ items, ...pair }) => {
    return { ...pair, moves: items.flatMap(({ moves }) => moves), calls: items.length };
  });
}

/** Groups items by their two zones, in their order. Printable names have no line break. */
export function byPair<Item extends { from: string; to: string }>(
  items: readonly Item[],
): { from: string; to: string; items: Item[] }[] {
  const groups = Map.groupBy(items, ({ from, to }) => `${from}\n${to}`);
  return [...groups.values()].flatMap((its) => (its[0] ? [{ from: its[0].from, to: its[0].to, items: its }] : []));
}

/** Reports whether the IP is known to be in its target zone. Planned moves count as carried out. */
export function isCarriedOut({ fate }: TracedMove): boolean {
  return fate === undefined || fate === 'moved';
}

function fates(journaled: JournaledCall): TracedMove[] {
  const moved = new Set(movedBy(journaled));
  const seen = seenFates(journaled);
  const outcome = outcomeOf(journaled);
  const otherwise: Fate = outcome === 'refused' ? 'refused' : 'unknown';
  return movesOfAll([journaled.call]).map((move) => ({
    ...move,
    fate: moved.has(move.ip) ? 'moved' : (seen.get(move.ip) ?? otherwise),
  }));
}

function seenFates({ seen, failed }: JournaledCall): Map<string, Fate> {
  if (!seen || !('moved' in seen)) return new Map();
  const each = (ips: readonly string[], fate: Fate) => ips.map((ip): [string, Fate] => [ip, fate]);
  return new Map([
    // Only of IPs that this call did not move.
    ...each(seen.moved, 'moved by another user'),
    ...each(seen.notMoved, failed?.effect === 'none' ? 'refused' : 'stayed'),
    ...each(seen.elsewhere, 'moved by another user'),
    ...each(seen.notVisible, 'not visible yet'),
  ]);
}
