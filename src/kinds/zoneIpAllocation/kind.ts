/** `ZoneIpAllocation`: which static IPs each zone holds. Live state: `GET /zone/ips`; moved by `POST /zone/ips/migrate` (D). */

import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { countriesOf } from '../seam/accountView.ts';
import type { Call } from '../seam/call.ts';
import { propertyChanges } from '../seam/changes.ts';
import { concurrencyKeys } from '../seam/concurrencyKey.ts';
import type { Context } from '../seam/context.ts';
import type { Diff, Kind } from '../seam/kind.ts';
import { migrate } from './calls/migrate.ts';
import { isMigrateCall } from './calls/migrateCall.ts';
import { allocationConflicts } from './conflicts.ts';
import { convergeMoves, migrateCalls } from './converge.ts';
import { inventoryOf } from './inventory.ts';
import { allocationNotes, otherMovesNote } from './notes.ts';
import { guardProblems } from './solver/guards.ts';
import type { AllocationPlan, MigrateBatch } from './solver/model.ts';
import { planRelease } from './solver/release.ts';
import { isAbout, planAllocation } from './solver/solve.ts';
import { allocationSpec, toAllocation, type ZoneIpAllocationSpec } from './spec.ts';
import { type AllocationState, namesIn, observe, wantedIn, zonesOf } from './state.ts';
import { unclearListingProblems } from './unclearListings.ts';

type Spec = ZoneIpAllocationSpec;
type State = AllocationState;

export const zoneIpAllocation = {
  name: 'ZoneIpAllocation',
  collection: 'zoneIpAllocations',
  spec: allocationSpec,
  calls: [migrate],
  guards: {
    scopes: {
      protected: 'every',
      'below-floor': 'every',
      'too-many-moves': 'own',
      // An undo moves IPs back to where they were, whether or not the zone is declared.
      'foreign-zone': 'planned',
    },
    broken: brokenGuards,
    couldMake,
  },
  conflicts: allocationConflicts,
  concurrencyKey: () => concurrencyKeys.account,
  observe,
  diff: (spec, state) => diffOf(spec, state, planOf(spec, state)),
  fingerprint: ({ listings }) => {
    return Object.fromEntries([...countriesOf(listings)].map(([zone, ips]) => [`zone ${zone}`, ips]));
  },
  converge: (spec, context) => convergeAllocation(spec, context, planOf),
  removal: {
    diff: (spec, state) => diffOf(spec, state, releaseOf(spec, state)),
    async send(spec, context) {
      await convergeAllocation(spec, context, releaseOf);
    },
  },
} satisfies Kind<Spec, State>;

function brokenGuards(spec: Spec, state: State, calls: readonly Call[]): Problem[] {
  const { listings, neighbours, limits } = state;
  const batches = calls.filter(isMigrateCall);
  const problems = guardProblems(batches, toAllocation(spec), countriesOf(listings), neighbours, limits);
  return [...problems, ...unclearListingProblems(batches, state)];
}

function couldMake(spec: Spec, call: Call): boolean {
  if (!isMigrateCall(call)) return false;
  const names = new Set(namesIn(spec));
  return names.has(call.from) && names.has(call.to);
}

type Planner = (spec: Spec, state: State) => AllocationPlan;

function planOf(spec: Spec, state: State): AllocationPlan {
  const { listings, neighbours, limits } = state;
  const plan = planAllocation(toAllocation(spec), countriesOf(listings), neighbours, limits);
  const above = abovePlan(spec, state).filter((problem) => isAbout(problem, limits.only));
  const problems = [...plan.problems, ...unclearListingProblems(plan.batches, state), ...above];
  return { ...plan, problems };
}

/** Refuses to fill a zone above what its plan allows, before the service does so call by call. */
function abovePlan({ zones }: Spec, { planned }: State): Problem[] {
  return [...planned].flatMap(([zone, most]) => {
    const wanted = wantedIn(zones[zone] ?? {});
    if (wanted <= most) return [];
    return [
      {
        code: 'above-plan',
        path: ['zones', zone],
        found: `${zone} is declared to have ${counted(wanted, 'IP')}, and its plan allows ${most}`,
        allowed: `at most ${most}`,
        fix: 'declare fewer IPs, or change the plan of the zone in the control panel',
      },
    ];
  });
}

function releaseOf(spec: Spec, state: State): AllocationPlan {
  if (spec.onDelete === 'leave') return { batches: [], unmanaged: new Map(), problems: [] };
  const { listings, neighbours, limits } = state;
  const plan = planRelease(toAllocation(spec), countriesOf(listings), neighbours, limits);
  return { ...plan, problems: [...plan.problems, ...unclearListingProblems(plan.batches, state)] };
}

function diffOf(spec: Spec, state: State, { batches, unmanaged, problems, leftOut = 0 }: AllocationPlan): Diff {
  const { listings } = state;
  return {
    changes: propertyChanges(placesOf(batches, 'from'), placesOf(batches, 'to')),
    calls: migrateCalls(batches),
    notes: [...allocationNotes(spec, state, batches, unmanaged), ...otherMovesNote(leftOut)],
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
async function convergeAllocation(spec: Spec, context: Context<Spec>, planner: Planner): Promise<State> {
  return convergeMoves(
    await observe(spec, context),
    {
      observe: ({ putIn, lost }) => observe(spec, context, { alreadyMoved: new Set(putIn.keys()), lost }),
      plan: (now) => planner(spec, now),
      zones: zonesOf(spec, context),
    },
    context,
  );
}
