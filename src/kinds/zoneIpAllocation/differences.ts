/** The differences between an allocation and the live account in the terms of the declaration: IPs by address, and counts. */

import { counted, formatNumber } from '../../base/diagnostics/valueWords.ts';
import { countriesOf } from '../seam/accountView.ts';
import type { PropertyChange } from '../seam/changes.ts';
import type { SpecDifference } from '../seam/comparison.ts';
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

/** `checkout has 19 us IPs, 20 are declared`. A count that is met until a declared IP arrives or leaves needs no sentence. */
export function countSentence({ path, before, after }: PropertyChange): string | undefined {
  const [, zone, field, country] = path;
  if (path[0] !== 'zones' || typeof before !== 'number' || typeof after !== 'number' || before === after)
    return undefined;
  if (field === 'unmanaged')
    return `${String(zone)} has ${counted(before, 'IP')} that ${before === 1 ? 'is' : 'are'} not declared`;
  if (field !== 'count') return undefined;
  const held = counted(before, `${country === undefined ? '' : `${String(country)} `}IP`);
  return `${String(zone)} has ${held}, ${after === 0 ? 'none' : formatNumber(after)} ${after === 1 || after === 0 ? 'is' : 'are'} declared`;
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
  const before = live.reduce((sum, [ip, its]) => sum + (country === undefined || ip.country === country ? its : 0), 0);
  const after = typeof count === 'number' ? count : (counts[key ?? ''] ?? 0);
  return { path: ['zones', zone, 'count', ...(key === undefined ? [] : [key])], kind: 'change', before, after };
}
