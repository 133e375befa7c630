/** The differences between an allocation and the live account in the terms of the declaration: IPs by address, and counts. */

import { countriesOf } from '../accountView.ts';
import type { SpecDifference } from '../comparison.ts';
import { type Demand, demandOf } from './solver/demand.ts';
import { toAllocation, type ZoneIpAllocationSpec } from './spec.ts';
import type { AllocationState } from './state.ts';

/**
 * Returns the differences without the choice of IPs that would fill a count, so that two specs can be compared by their differences from
 * the same account.
 */
export function allocationDifferences(spec: ZoneIpAllocationSpec, state: AllocationState): SpecDifference[] {
  const { listings, neighbours, limits } = state;
  const allocation = toAllocation(spec);
  const { declared, deficits, surpluses } = demandOf(allocation, countriesOf(listings), neighbours, limits);
  const moved = declared.map(({ ip, from, to }): SpecDifference => {
    return { path: ['zones', to, 'ips', ip], kind: 'change', before: from, after: to, subject: `IP ${ip}` };
  });
  const lacking = deficits.map(({ zone, country, need }) => countDifference(spec, zone, country, -need));
  return [...moved, ...lacking, ...surpluses.map((surplus) => surplusDifference(spec, surplus))];
}

function surplusDifference(spec: ZoneIpAllocationSpec, surplus: Demand['surpluses'][number]): SpecDifference {
  const { zone, must, reason, supplies } = surplus;
  if (reason === 'released') return { path: ['zones', zone, 'unmanaged'], kind: 'change', before: must, after: 0 };
  const isByCountry = typeof spec.zones[zone]?.count === 'object';
  return countDifference(spec, zone, isByCountry ? supplies[0]?.country : undefined, must);
}

/** `excess`: the number of IPs above the count, negative if it is not met. */
function countDifference(
  { zones }: ZoneIpAllocationSpec,
  zone: string,
  country: string | undefined,
  excess: number,
): SpecDifference {
  const count = zones[zone]?.count;
  const counts = typeof count === 'object' ? count : {};
  const key = Object.keys(counts).find((each) => each.toLowerCase() === country);
  const after = typeof count === 'number' ? count : (counts[key ?? ''] ?? 0);
  const path = ['zones', zone, 'count', ...(key === undefined ? [] : [key])];
  return { path, kind: 'change', before: after + excess, after };
}
