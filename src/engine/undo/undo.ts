/** Plans the undo of a run: the calls that undo what the run is known to have done, refused if something has changed since. */
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { ServiceError } from '../../client/errors.ts';
import { callTypeOf, effectOf, outcomeOf } from '../../kinds/knownCalls.ts';
import { kinds } from '../../kinds/knownKinds.ts';
import type { Call } from '../../kinds/seam/call.ts';
import type { UndoCall } from '../../kinds/seam/callType.ts';
import type { Kind } from '../../kinds/seam/kind.ts';
import type { Note } from '../../kinds/seam/notes.ts';
import type { Config } from '../declaration/config.ts';
import { type Plan, type ResourceId, type ResourcePlan, resourceKey } from '../plan/plan.ts';
import { expectDone, problemsOfError } from '../plan/planResource.ts';
import type { Planned } from '../plan/resources.ts';
import type { JournaledCall, Run } from '../run/journal.ts';
import type { Session } from '../run/session.ts';
import { declaredGuards } from './guards.ts';

export interface UndoPlan {
  plan: Plan;
  /** Calls that were sent so recently that listings may not show their effect yet. */
  recent: readonly JournaledCall[];
  resources: ResourceUndo[];
}

export interface ResourceUndo extends Pick<Planned, 'plan' | 'unread'> {
  /** The calls that are undone, the last one first. */
  done: readonly JournaledCall[];
  /** The changes of the run that the undo leaves. */
  left: readonly Note[];
}

/**
 * Plans an undo. Reads only. Problems name what has changed since. The last call is undone first, and each is planned as if those after it were
 * undone already, because an IP may have gone through a spare. `runs` are those of the journal.
 */
export async function planUndo(
  run: Run,
  runs: readonly Run[],
  config: Config,
  session: Session,
  lagMs: number,
): Promise<UndoPlan> {
  const planning = session.withFreshAccount();
  const recent = recentCalls(runs, lagMs);
  const resources: ResourceUndo[] = [];
  for (const done of byResource(run.calls.filter(hasEffect).toReversed())) {
    const [last] = done;
    if (!last) continue;
    const guards = await declaredGuards(last.resource, callTypeOf(last.call).target(last.call), config, planning);
    const { plan: planned, unread } = await planInverse(last.resource, done, planning, recent);
    const problems = planned.problems.length > 0 ? planned.problems : guards(planned.calls);
    const inverses = done.map(({ call }) => callTypeOf(call).invert(call));
    const left = inverses.flatMap((inverse) => (inverse.isFinal ? [] : inverse.notes));
    const stays = inverses.flatMap((inverse) => inverse.notes);
    const notes = [...stackNotes(run), ...stays];
    resources.push({ done, left, plan: { ...planned, notes, problems }, unread });
  }
  const isNothingLeftToSend = resources.every(({ plan }) => plan.calls.length + plan.problems.length === 0);
  if (isNothingLeftToSend) for (const { plan, left } of resources) plan.problems.push(...incomplete(left));
  return { plan: { resources: resources.map(({ plan }) => plan) }, recent, resources };
}

/** An undo that leaves something does not count as one. */
export function incomplete(left: readonly Note[]): Problem[] {
  if (left.length === 0) return [];
  const found = `not undone: ${left.map(({ text }) => text).join('; ')}`;
  const fix = 'change it by hand, or declare what it should be and apply; `webdata undo RUN` undoes an earlier run';
  return [{ code: 'undo-incomplete', found, fix }];
}

const stackFronts: Readonly<Record<string, string>> = { pulumi: 'Pulumi', terraform: 'Terraform' };

/** Returns the name of the front whose program and state keep what an undo takes back; undefined for commands and programs. */
export function stackFrontOf({ front = '' }: Run): string | undefined {
  return stackFronts[front];
}

function stackNotes(run: Run): Note[] {
  const front = stackFrontOf(run);
  if (front === undefined) return [];
  const text = `made by ${front}: unless its program is changed first, its next apply makes these moves again`;
  return [{ code: 'left-as-is', text }];
}

/** Reports whether the call changed something, or may have. */
export function hasEffect(journaled: JournaledCall): boolean {
  return effectOf(journaled).length > 0 || (takesEffectAsWhole(journaled) && outcomeOf(journaled) !== 'refused');
}

/** The effect of a call that moves IPs is known for each IP; the effect of any other call is known only as a whole. */
function takesEffectAsWhole({ call }: JournaledCall): boolean {
  return callTypeOf(call).flow(call) === undefined;
}

/** True also for a call of which an undo can only say that it stays. */
export function canBeUndone(journaled: JournaledCall): boolean {
  return hasEffect(journaled) && !callTypeOf(journaled.call).invert(journaled.call).isFinal;
}

function inverseOf(journaled: JournaledCall): Call[] {
  const effects = takesEffectAsWhole(journaled) ? [journaled.call] : effectOf(journaled);
  return effects.flatMap((effect) => callTypeOf(effect).invert(effect).calls);
}

function byResource(calls: readonly JournaledCall[]): JournaledCall[][] {
  return [...Map.groupBy(calls, ({ resource }) => resourceKey(resource)).values()];
}

function recentCalls(runs: readonly Run[], lagMs: number): JournaledCall[] {
  const recent = runs.filter(({ ageMs = 0 }) => ageMs < lagMs);
  return recent.flatMap(({ calls }) => calls).filter((sent) => effectOf(sent).length > 0);
}

async function planInverse(
  id: ResourceId,
  done: readonly JournaledCall[],
  session: Session,
  recent: readonly JournaledCall[],
): Promise<Pick<Planned, 'plan' | 'unread'>> {
  const calls: Call[] = [];
  const problems: Problem[] = [];
  let unread: ServiceError | undefined;
  for (const inverse of done.flatMap(inverseOf)) {
    const context = session.contextFor({ definition: kindOf(id.collection), name: id.name });
    const remaining = await undoOf(inverse)
      .remaining(inverse, { context, done, recent })
      .catch((error: unknown) => {
        if (error instanceof ServiceError) unread = error;
        return { call: inverse, problems: problemsOfError(error) };
      });
    problems.push(...remaining.problems);
    if (remaining.call === undefined) continue;
    calls.push(remaining.call);
    expectDone(remaining.call, session);
  }
  const plan: ResourcePlan = {
    ...id,
    changes: calls.flatMap((call) => callTypeOf(call).changes(call)),
    calls,
    notes: [],
    problems,
  };
  return { plan, unread };
}

/** Returns the undo part of a type of call. @throws TypeError for a call that `invert` never returns */
export function undoOf(call: Call): UndoCall<Call> {
  const { undo, type } = callTypeOf(call);
  if (undo === undefined) throw new TypeError(`a call of type ${type} undoes nothing`);
  return undo;
}

/** @throws ProblemError for a collection of another version */
export function kindOf(collection: string): Kind<unknown, unknown> {
  const kind = kinds.find((each) => each.collection === collection);
  if (kind) return kind;
  const found = `the run changed \`${collection}\`, a kind of resource that this version does not know`;
  throw new ProblemError([{ code: 'unknown-kind', found, fix: 'undo it with the version that made the run' }]);
}
