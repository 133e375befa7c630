/** The differences of an allocation in the terms of its declaration agree with its plan. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { causesOf } from '../../../src/engine/baseline/causes.ts';
import type { Listing, Listings } from '../../../src/kinds/seam/accountView.ts';
import { AddressMap } from '../../../src/kinds/seam/addressMap.ts';
import { allocationDifferences } from '../../../src/kinds/zoneIpAllocation/differences.ts';
import { type Allocation, alone, type Live } from '../../../src/kinds/zoneIpAllocation/solver/model.ts';
import { planAllocation } from '../../../src/kinds/zoneIpAllocation/solver/solve.ts';
import type { ZoneIpAllocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';
import type { AllocationState } from '../../../src/kinds/zoneIpAllocation/state.ts';
import { afterCalls, cases } from './solver/arbitraries.ts';

const drawn = cases({ ips: 12, zones: 5 });

function specOf({ zones, sources, spare, unmanaged, protect }: Allocation): ZoneIpAllocationSpec {
  const entries = [...zones].map(([zone, { ips, count }]) => [
    zone,
    {
      ips: [...ips],
      ...(count !== undefined && { count: typeof count === 'number' ? count : Object.fromEntries(count) }),
    },
  ]);
  return {
    zones: Object.fromEntries(entries),
    sources: [...sources],
    ...(spare !== undefined && { spare }),
    unmanaged,
    protect: [...protect],
    onDelete: 'leave',
    ignoreChanges: [],
  };
}

function stateOf(live: Live): AllocationState {
  const listings: Listings = new Map(
    [...live].map(([zone, ips]): [string, Listing] => [
      zone,
      AddressMap.of([...ips].map(([ip, country]) => [ip, { country, geolocation: {} }])),
    ]),
  );
  return {
    listings,
    neighbours: alone,
    limits: {},
    planned: new Map(),
    remarks: new Map(),
    held: [],
    allowUnclearListings: false,
    inferred: undefined,
  };
}

it('there are some exactly where the plan has calls, and none after them', () => {
  fc.assert(
    fc.property(drawn, ({ allocation, live }) => {
      const { batches, problems } = planAllocation(allocation, live, alone);
      fc.pre(problems.length === 0);
      const spec = specOf(allocation);
      expect(allocationDifferences(spec, stateOf(live)).length > 0).toBe(batches.length > 0);
      expect(allocationDifferences(spec, stateOf(afterCalls(live, batches)))).toEqual([]);
    }),
  );
});

it('are drift where the spec is as it was applied, and pending where the account is', () => {
  fc.assert(
    fc.property(drawn, drawn, ({ allocation, live }, other) => {
      const [spec, applied] = [specOf(allocation), specOf(other.allocation)];
      const state = stateOf(live);
      const declared = allocationDifferences(spec, state);
      for (const { cause } of causesOf(declared, { differences: declared })) expect(cause).toBe('drift');
      const since = allocationDifferences(applied, state);
      const isAsApplied = since.length === 0;
      for (const { cause } of causesOf(declared, { differences: since })) {
        if (isAsApplied) expect(cause).toBe('pending');
      }
    }),
  );
});
