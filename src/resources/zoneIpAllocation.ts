/** `ZoneIpAllocation`: which static IPs each zone holds. Live state: `GET /zone/ips`; moved by `POST /zone/ips/migrate` (D). */
import { sortedIps } from '../allocation/addresses.ts';
import type { AllocationPlan, Limits, MigrateBatch, Neighbourhood } from '../allocation/model.ts';
import { planAllocation } from '../allocation/plan.ts';
import { planRelease } from '../allocation/release.ts';
import { type Problem, ProblemError } from '../input/problem.ts';
import { ServiceError } from '../service/errors.ts';
import { countriesOf, type Listing } from './accountView.ts';
import { allocationConflicts } from './allocationConflicts.ts';
import { allocationNotes } from './allocationNotes.ts';
import { allocationSpec, toAllocation, type ZoneIpAllocationSpec } from './allocationSpec.ts';
import { propertyChanges } from './changes.ts';
import type { Context } from './context.ts';
import type { Diff, Kind } from './kind.ts';
import { sendBatches } from './migrate.ts';
import { untilSettled } from './settle.ts';

export interface ZoneIpAllocationState {
  /** Zone → IP → what the service says of it, for every zone that the declaration or a neighbour names. */
  listings: ReadonlyMap<string, Listing>;
  neighbours: Neighbourhood;
  limits: Limits;
  /** IPs that the last update moved. */
  moved: readonly string[];
}

type Spec = ZoneIpAllocationSpec;
type State = ZoneIpAllocationState;

export const zoneIpAllocation = {
  name: 'ZoneIpAllocation',
  collection: 'zoneIpAllocations',
  spec: allocationSpec,
  conflicts: allocationConflicts,
  footprint: () => 'account',
  read: (spec, context) => observe(spec, context, {}),
  diff: (spec, state) => diffOf(spec, state, planOf(spec, state)),
  diffDelete: (spec, state) => diffOf(spec, state, releaseOf(spec, state)),
  create: async (spec, context) => converge(spec, await observe(spec, context, {}), context, planOf),
  update: (spec, state, context) => converge(spec, state, context, planOf),
  delete: async (spec, context) => {
    await converge(spec, await observe(spec, context, {}), context, releaseOf);
  },
  async declare({ zones }, context) {
    if (zones.length === 0) return undefined;
    const listings = await context.account.list(zones);
    const declared = zones.map((zone) => [zone, { ips: sortedIps(listings.get(zone)?.keys() ?? []) }] as const);
    return allocationSpec.parse({ zones: Object.fromEntries(declared) });
  },
} satisfies Kind<Spec, State>;

type Planner = (spec: Spec, state: State) => AllocationPlan;

function planOf(spec: Spec, { listings, neighbours, limits }: State): AllocationPlan {
  return planAllocation(toAllocation(spec), countriesOf(listings), neighbours, limits);
}

function releaseOf(spec: Spec, { listings, neighbours, limits }: State): AllocationPlan {
  if (spec.onDelete === 'leave') return { batches: [], unmanaged: new Map(), problems: [] };
  return planRelease(toAllocation(spec), countriesOf(listings), neighbours, limits);
}

function diffOf(spec: Spec, { listings }: State, { batches, unmanaged, problems }: AllocationPlan): Diff {
  return {
    changes: propertyChanges(placesOf(batches, 'from'), placesOf(batches, 'to')),
    calls: batches.map((batch) => ({ type: 'migrate', ...batch })),
    notes: allocationNotes(spec, listings, batches, unmanaged),
    problems,
  };
}

/** Zone → IP → country of all that moves, before or after. */
function placesOf(batches: readonly MigrateBatch[], end: 'from' | 'to'): object {
  const places: Record<string, Record<string, string>> = {};
  for (const batch of batches) {
    const its = batch.moves.map(({ ip, country }) => [ip, country] as const);
    places[batch[end]] = { ...places[batch[end]], ...Object.fromEntries(its) };
  }
  return { zones: places };
}

/**
 * Plans, moves, reads back, and plans again while somebody else's moves come between, within the same guards. Ends when nothing
 * is left to move. @throws ProblemError, ServiceError
 */
async function converge(spec: Spec, start: State, context: Context<Spec>, planner: Planner): Promise<State> {
  const moved = new Set<string>();
  const lost = new Set<string>();
  let state = start;
  for (let round = 0; round < mostRounds; round++) {
    const { batches, problems } = planner(spec, state);
    if (problems.length > 0) throw new ProblemError(problems);
    if (batches.length === 0) return { ...state, moved: [...moved] };
    const outcome = await sendBatches(batches, zonesOf(spec, context), context);
    for (const ip of outcome.moved) moved.add(ip);
    for (const ip of outcome.elsewhere) lost.add(ip);
    state = await observe(spec, context, { alreadyMoved: moved, lost });
  }
  throw new ProblemError([unsteady(moved)]);
}

const mostRounds = 5;

function unsteady(moved: ReadonlySet<string>): Problem {
  return {
    code: 'account-unsteady',
    found: `after ${mostRounds} rounds and ${moved.size} IPs moved, the zones are still not as declared: somebody else keeps moving IPs`,
    fix: 'find out who does, then run again',
  };
}

/** Lists the zones, again for as long as IPs that matter are found nowhere or twice, or a call of an interrupted run is in doubt. */
async function observe(spec: Spec, context: Context<Spec>, run: Limits): Promise<State> {
  const declared = Object.values(spec.zones).flatMap(({ ips = [] }) => ips);
  const isSettled = (listings: ReadonlyMap<string, Listing>) => {
    const places = new Map<string, number>();
    for (const listing of listings.values()) for (const ip of listing.keys()) places.set(ip, (places.get(ip) ?? 0) + 1);
    return (
      declared.every((ip) => places.has(ip)) &&
      ![...places.values()].some((count) => count > 1) &&
      !inDoubt(listings, context)
    );
  };
  const zones = zonesOf(spec, context);
  await checkZones(spec, zones, context);
  const listings = await untilSettled(zones, context, isSettled);
  const { migrateBatchLimit: batchLimit } = context.client().profile;
  const limits = { batchLimit, allowMoves: context.overrides.allowMoves, ...run };
  return { listings, neighbours: neighboursOf(context.others), limits, moved: [] };
}

/** A call that was cut off may still take effect, for as long as listings may lag behind it. */
function inDoubt(listings: ReadonlyMap<string, Listing>, context: Context): boolean {
  const oldest = Date.now() - context.client().profile.settleSeconds * 1000;
  return context.inDoubt.some(({ to, ips, sentAt }) => sentAt > oldest && ips.some((ip) => !listings.get(to)?.has(ip)));
}

/** Every zone that is named here or by a neighbour: a declared IP may be in any of them. */
function zonesOf(spec: Spec, { others }: Context<Spec>): string[] {
  return [...new Set([spec, ...others].flatMap(namesIn))];
}

function namesIn({ zones, sources, spare }: Spec): string[] {
  return [...Object.keys(zones), ...sources, ...(spare === undefined ? [] : [spare])];
}

/** Names every zone that the service does not know, with its place in the declaration. @throws ProblemError, ServiceError */
async function checkZones(spec: Spec, zones: readonly string[], { account }: Context): Promise<void> {
  const results = await Promise.allSettled(zones.map((zone) => account.list([zone])));
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ zone: zones[index] ?? '', error: result.reason as unknown }] : [],
  );
  const other = failures.find(({ error }) => !isNotFound(error));
  if (other) throw other.error;
  if (failures.length > 0) throw new ProblemError(failures.map(({ zone, error }) => unknownZone(spec, zone, error)));
}

function isNotFound(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'not-found';
}

function unknownZone({ zones, sources, spare }: Spec, zone: string, error: unknown): Problem {
  const path = Object.hasOwn(zones, zone)
    ? ['zones', zone]
    : zone === spare
      ? ['spare']
      : ['sources', sources.indexOf(zone)];
  const said = isNotFound(error) && error.said ? ` (the service said: ${error.said})` : '';
  return {
    code: 'unknown-zone',
    path,
    found: `${zone}, a zone that the service does not know${said}`,
    allowed: 'the name of a zone of this account',
    fix: 'correct the name: zones are made in the control panel, and their names cannot change',
  };
}

function neighboursOf(others: readonly Spec[]): Neighbourhood {
  const zones = others.flatMap((other) => Object.entries(other.zones));
  return {
    declared: new Map(zones.flatMap(([zone, { ips = [] }]) => ips.map((ip) => [ip, zone] as const))),
    protect: new Set(others.flatMap(({ protect }) => protect)),
    floors: new Map(
      zones.flatMap(([zone, { keepAtLeast }]) => (keepAtLeast === undefined ? [] : [[zone, keepAtLeast] as const])),
    ),
  };
}
