/** Plans the undo of a run: the inverse of what the run is known to have done, refused where something has changed since. */
import { type Problem, ProblemError } from '../input/problem.ts';
import type { MigrateCall } from '../resources/call.ts';
import { propertyChanges } from '../resources/changes.ts';
import { footprintOfCall } from '../resources/footprint.ts';
import type { Kind } from '../resources/kind.ts';
import { kinds } from '../resources/kinds.ts';
import { asProperties } from '../resources/settingsDiff.ts';
import type { Config } from './config.ts';
import type { JournaledCall, Run } from './journal.ts';
import { movedBy } from './outcome.ts';
import type { Plan, ResourceId, ResourcePlan } from './plan.ts';
import { expectDone, problemsFrom } from './planner.ts';
import type { Session } from './session.ts';
import {
  hasEffect,
  type InverseCall,
  inverseOf,
  type KnownZones,
  listedFor,
  notesOn,
  type Remaining,
  remainingMoves,
  remainingOf,
} from './undoCalls.ts';
import { undoGuards } from './undoGuards.ts';

export interface UndoPlan {
  plan: Plan;
  known: KnownZones;
  resources: ResourceUndo[];
}

export interface ResourceUndo {
  plan: ResourcePlan;
  /** The calls that are taken back, the last one first. */
  done: readonly JournaledCall[];
}

/**
 * Only reads. The problems name what has changed since. The last call is the first to be taken back, and each is planned as if those
 * after it were taken back already: an IP may have gone by way of a spare. `runs` are those of the journal.
 */
export async function planUndo(
  run: Run,
  runs: readonly Run[],
  config: Config,
  session: Session,
  settleMs: number,
): Promise<UndoPlan> {
  const planning = session.withFreshAccount();
  const known = recentZones(runs, Date.now() - settleMs);
  const resources: ResourceUndo[] = [];
  for (const done of byResource(run.calls.filter(hasEffect).toReversed())) {
    const [last] = done;
    if (!last) continue;
    const guards = await undoGuards(last.resource, footprintOfCall(last.call), config, planning);
    const plan = await planResource(last.resource, done, planning, known);
    resources.push({ done, plan: plan.problems.length > 0 ? plan : { ...plan, problems: guards(plan.calls) } });
  }
  return { plan: { resources: resources.map(({ plan }) => plan) }, known, resources };
}

function byResource(calls: readonly JournaledCall[]): JournaledCall[][] {
  return [...Map.groupBy(calls, ({ resource }) => `${resource.collection}.${resource.name}`).values()];
}

function recentZones(runs: readonly Run[], since: number): KnownZones {
  const moved = runs
    .flatMap(({ calls }) => calls)
    .filter(({ sentAt, seen }) => Date.parse(seen?.at ?? sentAt) >= since)
    .flatMap((journaled) => movedBy(journaled).map((ip) => [ip, (journaled.call as MigrateCall).to] as const));
  return new Map(moved);
}

async function planResource(
  id: ResourceId,
  done: readonly JournaledCall[],
  session: Session,
  known: KnownZones,
): Promise<ResourcePlan> {
  const calls: InverseCall[] = [];
  const problems: Problem[] = [];
  for (const inverse of done.flatMap(inverseOf)) {
    const remaining = await readRemaining(inverse, id, done, session, known).catch((error: unknown) => ({
      call: inverse,
      problems: problemsFrom(error),
    }));
    problems.push(...remaining.problems);
    if (remaining.call === undefined) continue;
    calls.push(remaining.call);
    expectDone(remaining.call, session);
  }
  const updates = calls.filter((call) => call.type === 'updateSettings');
  return {
    ...id,
    changes: updates.flatMap(({ before, settings }) => propertyChanges(asProperties(before), asProperties(settings))),
    calls,
    notes: done.flatMap(({ call }) => notesOn(call)),
    problems,
    fingerprints: {},
  };
}

async function readRemaining(
  call: InverseCall,
  { collection, name }: ResourceId,
  done: readonly JournaledCall[],
  session: Session,
  known: KnownZones,
): Promise<Remaining<InverseCall>> {
  if (call.type !== 'migrate') return remainingOf(call, done, session);
  const context = session.contextFor({ definition: kindOf(collection), name });
  return remainingMoves(call, await listedFor([call], context, known));
}

/** @throws ProblemError for a collection of another version */
export function kindOf(collection: string): Kind<unknown, unknown> {
  const kind = kinds.find((each) => each.collection === collection);
  if (kind) return kind;
  const found = `the run changed \`${collection}\`, a kind of resource that this version does not know`;
  throw new ProblemError([{ code: 'unknown-kind', found, fix: 'undo it with the version that made the run' }]);
}
