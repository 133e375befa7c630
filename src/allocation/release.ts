/** Taking an allocation down: what it asks for goes to the spare, within the same guards as any other move. */
import { sortedByIp } from './addresses.ts';
import type { Allocation, AllocationPlan, Limits, Live, Move, Neighbourhood, ZoneDemand } from './model.ts';
import { scheduled } from './schedule.ts';

export function planRelease(
  allocation: Allocation,
  live: Live,
  neighbours: Neighbourhood,
  limits: Limits = {},
): AllocationPlan {
  const { spare: to } = allocation;
  if (to === undefined) return { batches: [], unmanaged: new Map(), problems: [] };
  const moves = [...allocation.zones].flatMap(([from, demand]) => {
    const asked = [...(live.get(from) ?? [])].filter(
      ([ip, country]) => asksFor(demand, ip, country) && !neighbours.declared.has(ip),
    );
    return sortedByIp(asked, ([ip]) => ip).map(
      ([ip, country]): Move => ({ ip, country, from, to, reason: 'released' }),
    );
  });
  return { ...scheduled(moves, allocation, live, neighbours, limits), unmanaged: new Map() };
}

function asksFor({ ips, count }: ZoneDemand, ip: string, country: string): boolean {
  return ips.includes(ip) || typeof count === 'number' || (count?.has(country) ?? false);
}
