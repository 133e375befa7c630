/** `ZoneIpAllocation`: which static IPs each zone holds. Live state: `GET /zone/ips`; moved by `POST /zone/ips/migrate` (D). */

import { accountView, countriesOf, type Listing } from '../accountView.ts';
import { rangeAddresses, wrongIpv4 } from '../addresses.ts';
import { AddressMap } from '../addressMap.ts';
import { propertyChanges } from '../changes.ts';
import { concurrencyKeys } from '../concurrencyKey.ts';
import type { Context } from '../context.ts';
import { sortedIps } from '../ipOrder.ts';
import type { Diff, Kind } from '../kind.ts';
import { acceptAllocation } from './acceptLive.ts';
import { migrate } from './calls/migrate.ts';
import { isMigrateCall } from './calls/migrateCall.ts';
import { zoneClaims } from './claims.ts';
import { allocationConflicts } from './conflicts.ts';
import { convergeMoves, migrateCalls } from './converge.ts';
import { allocationDifferences } from './differences.ts';
import { inventoryOf } from './inventory.ts';
import { allocationNotes, allocationNoteTypes } from './notes.ts';
import { guardProblems } from './solver/guards.ts';
import type { AllocationPlan, MigrateBatch } from './solver/model.ts';
import { planAllocation } from './solver/plan.ts';
import { planRelease } from './solver/release.ts';
import { allocationSpec, toAllocation, type ZoneIpAllocationSpec } from './spec.ts';
import { type AllocationState, observe, zonesOf } from './state.ts';
import { unclearListingProblems } from './unclearListings.ts';

type Spec = ZoneIpAllocationSpec;
type State = AllocationState;

export const zoneIpAllocation = {
  name: 'ZoneIpAllocation',
  collection: 'zoneIpAllocations',
  spec: allocationSpec,
  calls: [migrate],
  notes: allocationNoteTypes,
  guards: {
    protected: 'every',
    'below-floor': 'every',
    'too-many-moves': 'own',
    // An undo moves IPs back to where they were, whether or not the zone is declared.
    'foreign-zone': 'planned',
  },
  resolvable: ['ip-not-found', 'ip-seen-twice', 'ip-taken', 'count-not-met', 'below-floor'],
  targets: ({ zones }) => ({ zones: Object.keys(zones) }),
  conflicts: allocationConflicts,
  concurrencyKey: () => concurrencyKeys.account,
  observe,
  diff: (spec, state) => diffOf(spec, state, planOf(spec, state)),
  differences: allocationDifferences,
  guard: (spec, state, calls) => {
    const { listings, neighbours, limits } = state;
    const batches = calls.filter(isMigrateCall);
    const problems = guardProblems(batches, toAllocation(spec), countriesOf(listings), neighbours, limits);
    return [...problems, ...unclearListingProblems(batches, state)];
  },
  fingerprintInput: ({ listings }) => {
    return Object.fromEntries([...countriesOf(listings)].map(([zone, ips]) => [`zone ${zone}`, ips]));
  },
  diffRemoval: (spec, state) => diffOf(spec, state, releaseOf(spec, state)),
  converge: (spec, context) => converge(spec, context, planOf),
  async remove(spec, context) {
    await converge(spec, context, releaseOf);
  },
  async exportLive({ zones, name, isByCount }, context) {
    if (zones.length === 0) return undefined;
    const listings = await context.view(accountView).list(zones);
    const declared = zones.map((zone) => {
      const listing: Listing = listings.get(zone) ?? AddressMap.of([]);
      return [zone, isByCount ? countedZone(listing) : { ips: sortedIps(listing.keys()) }] as const;
    });
    return { [name]: { zones: Object.fromEntries(declared) } };
  },
  acceptLive: acceptAllocation,
  zoneClaims,
  shortLists: {
    paths: [['zones', '*', 'ips'], ['protect']],
    expand: rangeAddresses,
    isItem: (text) => wrongIpv4(text) === undefined,
    itemName: 'an IPv4 address, a range or a network',
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
  },
} satisfies Kind<Spec, State>;

/** Counts the IPs by country. Those whose country is not known cannot be counted, and are listed. */
function countedZone(listing: Listing): Pick<Spec['zones'][string], 'ips' | 'count'> {
  const known = [...listing.values()].filter(({ country }) => country !== '');
  const byCountry = Map.groupBy(known, ({ country }) => country.toLowerCase());
  const counts = [...byCountry].map(([country, its]) => [country, its.length] as const).sort();
  const unknown = [...listing].filter(([, { country }]) => country === '').map(([ip]) => ip);
  return {
    ...(listing.size === 0 && { count: 0 }),
    ...(counts.length > 0 && { count: Object.fromEntries(counts) }),
    ...(unknown.length > 0 && { ips: sortedIps(unknown) }),
  };
}

type Planner = (spec: Spec, state: State) => AllocationPlan;

function planOf(spec: Spec, state: State): AllocationPlan {
  const { listings, neighbours, limits } = state;
  const plan = planAllocation(toAllocation(spec), countriesOf(listings), neighbours, limits);
  return { ...plan, problems: [...plan.problems, ...unclearListingProblems(plan.batches, state)] };
}

function releaseOf(spec: Spec, { listings, neighbours, limits }: State): AllocationPlan {
  if (spec.onDelete === 'leave') return { batches: [], unmanaged: new Map(), problems: [] };
  return planRelease(toAllocation(spec), countriesOf(listings), neighbours, limits);
}

function diffOf(spec: Spec, state: State, { batches, unmanaged, problems }: AllocationPlan): Diff {
  const { listings } = state;
  return {
    changes: propertyChanges(placesOf(batches, 'from'), placesOf(batches, 'to')),
    calls: migrateCalls(batches),
    notes: allocationNotes(spec, state, batches, unmanaged),
    inventory: inventoryOf(spec, listings, batches),
    problems,
  };
}

/** Zone → IP → country of all that moves, before or after. Uses maps instead of objects, because a zone may have any name, even `constructor`. */
function placesOf(batches: readonly MigrateBatch[], end: 'from' | 'to'): object {
  const byZone = Map.groupBy(
    batches.flatMap(({ moves }) => moves),
    (move) => move[end],
  );
  const zones = [...byZone].map(([zone, moves]) => [
    zone,
    Object.fromEntries(moves.map(({ ip, country }) => [ip, country])),
  ]);
  return { zones: Object.fromEntries(zones) };
}

/** Moves IPs until they are as the planner wants them, within the same guards. @throws ProblemError, ServiceError */
async function converge(spec: Spec, context: Context<Spec>, planner: Planner): Promise<State> {
  const { state, moved } = await convergeMoves(
    await observe(spec, context),
    {
      observe: ({ putIn, lost }) => observe(spec, context, { alreadyMoved: new Set(putIn.keys()), lost }),
      plan: (now) => planner(spec, now),
      zones: zonesOf(spec, context),
    },
    context,
  );
  return { ...state, moved };
}
