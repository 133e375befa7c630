/** The capabilities of the kind for the engine. */

import { rangeAddresses } from '../seam/addresses.ts';
import { callWords } from '../seam/callWords.ts';
import { driftComparison } from '../seam/comparison.ts';
import { independence } from '../seam/independence.ts';
import { noteTypes } from '../seam/noteTypes.ts';
import { references } from '../seam/references.ts';
import { resolvableProblems } from '../seam/resolvable.ts';
import { shortLists } from '../seam/shortLists.ts';
import { claimingZones } from '../seam/zoneClaims.ts';
import { migrate } from './calls/migrate.ts';
import { migrateWords } from './calls/migrateWords.ts';
import { zoneClaims } from './claims.ts';
import { areIndependent } from './conflicts.ts';
import { allocationDifferences, describedDifference, endedBy, statedMoves } from './differences.ts';
import { countryFacts } from './heldCountries.ts';
import { zoneIpAllocation } from './kind.ts';
import { allocationNoteTypes } from './notes.ts';
import type { ZoneIpAllocationSpec as Spec } from './spec.ts';
import type { AllocationState } from './state.ts';

noteTypes.provide(zoneIpAllocation, allocationNoteTypes);
references.provide(zoneIpAllocation, { zones: ({ zones }: Spec) => Object.keys(zones) });
claimingZones.provide(zoneIpAllocation, { claims: zoneClaims });
independence.provide(zoneIpAllocation, { areIndependent });
driftComparison.provide(zoneIpAllocation, {
  differences: allocationDifferences,
  stated: statedMoves,
  describe: describedDifference,
  endedBy,
  isReturn: ({ ip, to }, { limits }: AllocationState) => limits.former?.(to)?.has(ip) === true,
  facts: countryFacts,
});
resolvableProblems.provide(zoneIpAllocation, [
  'ip-not-found',
  'ip-seen-twice',
  'ip-taken',
  'count-not-met',
  'below-floor',
]);

shortLists.provide(zoneIpAllocation, {
  paths: [['zones', '*', 'ips'], ['protect']],
  expand: rangeAddresses,
  shorten: (first, last) => (first === last ? first : `${first}-${last}`),
  schemas: [
    {
      title: 'range',
      type: 'string',
      pattern: '^[0-9.]+ *- *[0-9.]+$',
      description: 'A range of IPs: all from the first to the last one.',
      examples: ['192.0.2.10-192.0.2.40'],
    },
    {
      title: 'network',
      type: 'string',
      pattern: '^[0-9.]+/[0-9]+$',
      description: 'A network: all of its IPs.',
      examples: ['192.0.2.0/28'],
    },
  ],
});

callWords.provide(migrate, migrateWords);
