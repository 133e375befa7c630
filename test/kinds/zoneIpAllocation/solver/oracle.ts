/**
 * The fewest moves and then the fewest calls by trying every place for every IP: slow, and written from the design's sentences
 * without a look at the planner.
 */
import type { Allocation, Live } from '../../../../src/kinds/zoneIpAllocation/solver/model.ts';

interface Cost {
  moves: number;
  calls: number;
}

interface Ip {
  ip: string;
  country: string;
  at: string;
}

export function leastCost({ allocation, live }: { allocation: Allocation; live: Live }): Cost | undefined {
  const ips = [...live].flatMap(([at, its]) => [...its].map(([ip, country]): Ip => ({ ip, country, at })));
  const places = ips.map((ip) => placesFor(ip, allocation));
  let best: Cost | undefined;
  const chosen: string[] = [];
  const tryFrom = (index: number, moves: number) => {
    if (best && moves > best.moves) return;
    const ip = ips[index];
    if (!ip) {
      if (!isReached(ips, chosen, allocation)) return;
      const calls = new Set(ips.flatMap(({ at }, i) => (at === chosen[i] ? [] : [`${at} ${chosen[i]}`]))).size;
      if (!best || moves < best.moves || calls < best.calls) best = { moves, calls };
      return;
    }
    for (const place of places[index] ?? []) {
      chosen[index] = place;
      tryFrom(index + 1, moves + (place === ip.at ? 0 : 1));
    }
  };
  tryFrom(0, 0);
  return best;
}

function placesFor({ ip, country, at }: Ip, { zones, sources, spare, unmanaged, protect }: Allocation): string[] {
  const declaredIn = [...zones].find(([, zone]) => zone.ips.includes(ip))?.[0];
  if (declaredIn !== undefined) return [declaredIn];
  if (protect.has(ip)) return [at];
  const filling = [...zones]
    .filter(([zone, { count }]) => zone !== at && isCounted(count, country))
    .map(([zone]) => zone);
  if (at === spare || sources.includes(at)) return [at, ...filling];
  const out = [...filling, ...(spare === undefined ? [] : [spare])];
  if (isCounted(zones.get(at)?.count, country)) return [at, ...out];
  return unmanaged === 'release' ? out : [at];
}

function isCounted(count: number | ReadonlyMap<string, number> | undefined, country: string): boolean {
  return typeof count === 'number' || (count?.has(country) ?? false);
}

/** Every count is exact, and no IP that serves in one was exchanged for another. */
function isReached(ips: readonly Ip[], chosen: readonly string[], { zones }: Allocation): boolean {
  const declared = new Set([...zones.values()].flatMap((zone) => zone.ips));
  for (const [zone, { count }] of zones) {
    const scopes = typeof count === 'number' ? [[undefined, count] as const] : [...(count ?? [])];
    for (const [country, target] of scopes) {
      const inScope = ips
        .map((ip, index) => ({ ...ip, to: chosen[index] }))
        .filter((ip) => !country || ip.country === country);
      if (inScope.filter(({ to }) => to === zone).length !== target) return false;
      const undeclared = inScope.filter(({ ip }) => !declared.has(ip));
      const left = undeclared.filter(({ at, to }) => at === zone && to !== zone).length;
      const came = undeclared.filter(({ at, to }) => at !== zone && to === zone).length;
      if (left > 0 && came > 0) return false;
    }
  }
  return true;
}
