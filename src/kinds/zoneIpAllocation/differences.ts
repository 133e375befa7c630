/** The differences between an allocation and the live account in the terms of the declaration: IPs by address, and counts. */

import { countriesOf } from '../seam/accountView.ts';
import type { PropertyChange } from '../seam/changes.ts';
import type { DescribedDifference, SpecDifference } from '../seam/comparison.ts';
import type { Move } from '../seam/move.ts';
import type { MigrateCall } from './calls/migrateCall.ts';
import { type Demand, demandOf } from './solver/demand.ts';
import { toAllocation, type ZoneIpAllocationSpec } from './spec.ts';
import type { AllocationState } from './state.ts';

/**
 * Returns the differences without the choice of IPs that would fill a count, so that two specs can be compared by their differences from
 * the same account.
 */
export function allocationDifferences(spec: ZoneIpAllocationSpec, state: AllocationState): SpecDifference[] {
  const { declared, deficits, surpluses } = demandIn(spec, state);
  const moved = declared.map(({ ip, from, to }): SpecDifference => {
    return { path: ['zones', to, 'ips', ip], kind: 'change', before: from, after: to, subject: `IP ${ip}` };
  });
  const count = (zone: string, country?: string) => countDifference(spec, state, zone, country);
  const lacking = deficits.map(({ zone, country }) => count(zone, country));
  return [...moved, ...lacking, ...surpluses.map((surplus) => surplusDifference(spec, surplus, count))];
}

/** Returns the moves of IPs that are declared by address. Which IPs fill a count, or leave a zone, is the choice of a plan. */
export function statedMoves(spec: ZoneIpAllocationSpec, state: AllocationState): MigrateCall[] {
  const { declared } = demandIn(spec, state);
  const pairs = Map.groupBy(declared, ({ from, to }) => JSON.stringify([from, to]));
  return [...pairs.values()].flatMap((moves) => {
    const [first] = moves;
    return first ? [{ type: 'migrate' as const, from: first.from, to: first.to, moves }] : [];
  });
}

export function describedDifference({ path, before, after }: PropertyChange): DescribedDifference | undefined {
  const [top, zone, field, item] = path.map(String);
  if (top !== 'zones' || zone === undefined) return undefined;
  if (field === 'ips' && item !== undefined)
    return { is: 'misplaced', item, live: String(before), declared: String(after) };
  if (typeof before !== 'number' || typeof after !== 'number') return undefined;
  const of = field === 'unmanaged' ? 'undeclared' : { ...(item !== undefined && { country: item }) };
  return { is: 'count', zone, of, live: before, declared: after };
}

/** An IP that is declared by address ends only its own difference; others end those of the counts at both ends. */
export function endedBy<Difference extends PropertyChange>(
  differences: readonly Difference[],
): (move: Move) => readonly Difference[] {
  const byIp = Map.groupBy(differences, ({ path }) => (path[2] === 'ips' ? String(path[3]) : ''));
  const byZone = Map.groupBy(byIp.get('') ?? [], ({ path }) => String(path[1]));
  return ({ ip, country, from, to }) => {
    const declared = (byIp.get(ip) ?? []).filter(({ before, after }) => before === from && after === to);
    if (declared.length > 0) return declared;
    const isOf = ({ path: [, , , key] }: Difference) => key === undefined || String(key).toLowerCase() === country;
    return [to, from].flatMap((zone) => (byZone.get(zone) ?? []).filter(isOf));
  };
}

function demandIn(spec: ZoneIpAllocationSpec, { listings, neighbours, limits }: AllocationState): Demand {
  return demandOf(toAllocation(spec), countriesOf(listings), neighbours, limits);
}

function surplusDifference(
  { zones }: ZoneIpAllocationSpec,
  { zone, must, reason, supplies }: Demand['surpluses'][number],
  count: (zone: string, country?: string) => SpecDifference,
): SpecDifference {
  if (reason === 'released') return { path: ['zones', zone, 'unmanaged'], kind: 'change', before: must, after: 0 };
  return count(zone, typeof zones[zone]?.count === 'object' ? supplies[0]?.country : undefined);
}

/** The IPs that are in the zone now, and those that are declared. */
function countDifference(
  { zones }: ZoneIpAllocationSpec,
  { listings }: AllocationState,
  zone: string,
  country: string | undefined,
): SpecDifference {
  const count = zones[zone]?.count;
  const counts = typeof count === 'object' ? count : {};
  const key = Object.keys(counts).find((each) => each.toLowerCase() === country);
  const live = [...(listings.get(zone)?.counts() ?? [])];
  const before = live.reduce(
    (sum, [ip, count]) => sum + (country === undefined || ip.country === country ? count : 0),
    0,
  );
  const after = typeof count === 'number' ? count : (counts[key ?? ''] ?? 0);
  return { path: ['zones', zone, 'count', ...(key === undefined ? [] : [key])], kind: 'change', before, after };
}
