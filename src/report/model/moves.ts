/** The moves of calls and reports, with the outcome of each: one by one, and by pair of zones. */

import type { JournaledCall } from '../../engine/doors/history.ts';
import { type ResourcePlan, resourceTitle } from '../../engine/doors/plan.ts';
import { movedBy, outcomeOf } from '../../kinds/knownCalls.ts';
import type { Move } from '../../kinds/seam/move.ts';
import { movesOfAll } from './calls.ts';
import type { Report } from './report.ts';
import { thisChange, whyFinder, whyWords } from './whys.ts';

type Fate = 'moved' | 'stayed' | 'moved by another user' | 'not visible yet' | 'refused' | 'unknown' | 'not sent';

export interface TracedMove extends Move {
  /** Why it is made, in words. */
  why: string;
  /** The resource whose plan moves the IP. Absent for a run. */
  resource?: string;
  /** The outcome, for a run. */
  fate?: Fate;
}

export interface ZonePair extends Pick<TracedMove, 'from' | 'to' | 'resource'> {
  moves: readonly TracedMove[];
}

/** Returns the moves in the order of the calls. A move that was sent more than once appears once, with its best outcome. */
export function tracedMoves(report: Report): TracedMove[] {
  if (report.about === 'plan') return report.plan.resources.flatMap(plannedMoves);
  const plans = new Map(report.result.plan.resources.map((resource) => [resourceTitle(resource), resource]));
  const reported = report.result.resources.flatMap((result) => {
    const explained = explainer(plans.get(resourceTitle(result)));
    return [
      ...result.made.flatMap(fates).map(explained),
      ...movesOfAll(result.notMade).map((move) => explained({ ...move, fate: 'not sent' })),
    ];
  });
  const last = new Map<string, TracedMove>();
  for (const move of reported) {
    const key = JSON.stringify([move.ip, move.from, move.to]);
    if (last.get(key)?.fate !== 'moved') last.set(key, move);
  }
  return [...last.values()];
}

function plannedMoves(resource: ResourcePlan): TracedMove[] {
  const explained = explainer(resource);
  const title = resourceTitle(resource);
  return movesOfAll(resource.calls).map((move) => ({ ...explained(move), resource: title }));
}

/** Returns a function that adds why a move is made. */
function explainer(resource: ResourcePlan | undefined): (move: Omit<TracedMove, 'why'>) => TracedMove {
  const whyOf = whyFinder(resource);
  return (move) => ({ ...move, why: whyWords(whyOf(move)) });
}

/** Groups the moves by pair of zones, those of a plan also by why they are made: those of the change first, then the largest. */
export function zonePairs(moves: readonly TracedMove[]): ZonePair[] {
  const groups = Map.groupBy(moves, ({ resource = '', from, to, fate, why }) =>
    [resource, from, to, fate === undefined ? why : ''].join('\n'),
  );
  const pairs = [...groups.values()].flatMap(([first, ...others]): ZonePair[] => {
    if (first === undefined) return [];
    const { from, to, resource } = first;
    return [{ from, to, ...(resource !== undefined && { resource }), moves: [first, ...others] }];
  });
  const isOfChange = ({ moves: [first] }: ZonePair) => Number(first?.fate === undefined && first?.why === thisChange);
  return pairs.sort((a, b) => isOfChange(b) - isOfChange(a) || b.moves.length - a.moves.length);
}

/** Groups items by their two zones, in their order. Printable names have no line break. */
export function byPair<Item extends { from: string; to: string }>(
  items: readonly Item[],
): { from: string; to: string; items: Item[] }[] {
  const groups = Map.groupBy(items, ({ from, to }) => `${from}\n${to}`);
  return [...groups.values()].flatMap((flowMoves) =>
    flowMoves[0] ? [{ from: flowMoves[0].from, to: flowMoves[0].to, items: flowMoves }] : [],
  );
}

/** Reports whether the IP is known to be in its target zone. Planned moves count as carried out. */
export function isCarriedOut({ fate }: TracedMove): boolean {
  return fate === undefined || fate === 'moved';
}

function fates(journaled: JournaledCall): Omit<TracedMove, 'why'>[] {
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
