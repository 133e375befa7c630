/** Plans the removal of an allocation: its IPs move to the spare, within the same guards as any other move. */
import type { Problem } from '../../../base/diagnostics/problem.ts';
import { sortedByIp } from '../../seam/ipOrder.ts';
import type { Move } from '../../seam/move.ts';
import type { Allocation, AllocationPlan, Limits, Live, Neighbourhood, ZoneDemand } from './model.ts';
import { scheduled } from './schedule.ts';
import { placesOf, seenTwice } from './situation.ts';

export function planRelease(
  allocation: Allocation,
  live: Live,
  neighbours: Neighbourhood,
  limits: Limits = {},
): AllocationPlan {
  const { spare: to } = allocation;
  if (to === undefined) return { batches: [], unmanaged: new Map(), problems: [] };
  const moves = [...allocation.zones].flatMap(([from, demand]) => {
    const listed = new Set(demand.ips);
    const asked = [...(live.get(from) ?? [])].filter(
      ([ip, country]) => asksFor(demand, listed, ip, country) && !neighbours.declared.has(ip) && !limits.lost?.has(ip),
    );
    return sortedByIp(asked, ([ip]) => ip).map(
      ([ip, country]): Move => ({ ip, country, from, to, reason: 'released' }),
    );
  });
  const { batches, problems } = scheduled(moves, allocation, live, neighbours, limits);
  return { batches, problems: [...uncertain(moves, live), ...problems], unmanaged: new Map() };
}

/** An IP that two zones list is never moved. */
function uncertain(moves: readonly Move[], live: Live): Problem[] {
  const { repeated } = placesOf(live);
  return moves.flatMap(({ ip, from }) => {
    const places = repeated.get(ip);
    return places ? [seenTwice(ip, ['zones', from], places)] : [];
  });
}

function asksFor({ count }: ZoneDemand, listed: ReadonlySet<string>, ip: string, country: string): boolean {
  return listed.has(ip) || typeof count === 'number' || (count?.has(country) ?? false);
}
