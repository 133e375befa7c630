/** Applies a plan, and returns for each resource the calls that were sent and those that were not. */
import pLimit from 'p-limit';
import { mergeByItem, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isKeyRefusal } from '../../client/errors.ts';
import { areSameCalls, callKey } from '../../kinds/knownCalls.ts';
import type { Call } from '../../kinds/seam/call.ts';
import type { Context } from '../../kinds/seam/context.ts';
import type { AnyKind } from '../../kinds/seam/kind.ts';
import type { Config } from '../declaration/config.ts';
import type { ResourcePlan } from '../plan/plan.ts';
import { defaultParallelism, planOf } from '../plan/planner.ts';
import { problemsOfError } from '../plan/planResource.ts';
import type { Planned } from '../plan/resources.ts';
import type { ActiveRun } from './activeRun.ts';
import type { ApplyResult, ResourceResult } from './applyResult.ts';
import type { Session } from './session.ts';

/** Applies resources with the same concurrency key one after the other, in the order of the plan, and others in parallel. */
export async function applyPlanned(
  planned: readonly Planned[],
  config: Config,
  session: Session,
  run: ActiveRun,
  parallelism = defaultParallelism,
): Promise<ApplyResult> {
  // A key or role that was refused ends the resources that would use it next.
  const ended = new Set(planned.filter(({ unread }) => isKeyRefusal(unread)).map((each) => each.concurrencyKey));
  const limit = pLimit(parallelism);
  const writes = planned.map((each) =>
    run.inTurn(each.concurrencyKey, () =>
      limit(async () => {
        if (ended.has(each.concurrencyKey) && each.plan.problems.length === 0) return skipped(each);
        const { result, ends } = await applyResource(each.plan, session, run, sendingOf(each, config));
        if (ends) ended.add(each.concurrencyKey);
        return result;
      }),
    ),
  );
  // All writes finish first: a bug in one must not interrupt the calls of another.
  const results = (await Promise.allSettled(writes)).map((done) => {
    if (done.status === 'rejected') throw done.reason;
    return done.value;
  });
  return { plan: planOf(planned), resources: results };
}

function sendingOf({ declared, intent }: Planned, config: Config): Sending {
  const { definition, spec, collection, name } = declared;
  return {
    definition,
    send: (context) =>
      intent === 'delete' ? definition.removal.send(spec, context) : definition.converge(spec, context),
    locate: (problem) => config.locate(problem, [collection, name]),
  };
}

interface Applied {
  result: ResourceResult;
  /** True if nothing more may be sent: the key or its role was refused, or the run was interrupted. */
  ends: boolean;
}

interface Sending {
  definition: AnyKind;
  /** Sends the calls of the plan. @throws ProblemError, ServiceError */
  send(context: Context): Promise<unknown>;
  /** Adds the location to a problem of sending. */
  locate?(problem: Problem): Problem;
}

/** Sends the calls of a plan of one resource, or none, and returns what became of them. */
export async function applyResource(
  plan: ResourcePlan,
  session: Session,
  run: ActiveRun,
  { definition, send, locate = (problem) => problem }: Sending,
): Promise<Applied> {
  const { kind, collection, name, calls, problems: planned } = plan;
  const id = { kind, collection, name };
  const unsent = { ...id, made: [], notMade: calls, problems: planned };
  if (planned.length > 0) return { result: { ...unsent, outcome: 'failed' }, ends: false };
  if (calls.length === 0) return { result: { ...unsent, outcome: 'nothing' }, ends: false };
  session.changed();
  const isPlanned = (wanted: readonly Call[]) => areSameCalls(wanted, calls);
  const { sent, error } = await run.write({
    resource: id,
    contextWith: (recorder) => session.contextFor({ definition, name }, { recorder, isPlanned }),
    send,
  });
  const notMade = callsLeft(
    calls,
    sent.map(({ call }) => call),
  );
  const made = [...sent];
  if (error === undefined) return { result: { ...id, outcome: 'done', made, notMade, problems: [] }, ends: false };
  const { problems, ends } = failureOf(error, session.contextFor({ definition, name }).signal);
  return { result: { ...id, outcome: 'failed', made, notMade, problems: mergeByItem(problems.map(locate)) }, ends };
}

function failureOf(error: unknown, signal: AbortSignal | undefined): { problems: Problem[]; ends: boolean } {
  if (signal?.aborted) {
    const why: unknown = signal.reason;
    return { problems: why instanceof ProblemError ? [...why.problems] : [interrupted], ends: true };
  }
  return { problems: problemsOfError(error), ends: isKeyRefusal(error) };
}

const interrupted: Problem = {
  code: 'interrupted',
  found: 'interrupted',
  fix: 'run the command again: it continues where this run ended',
};

/** Returns the result of a resource that was not handled, because an earlier one ended the run. */
export function skipped({ plan: { kind, collection, name, calls } }: { plan: ResourcePlan }): ResourceResult {
  return { kind, collection, name, outcome: 'skipped', made: [], notMade: calls, problems: [] };
}

/** Returns the planned calls that were not sent. */
export function callsLeft(planned: readonly Call[], made: readonly Call[]): Call[] {
  const sent = new Set(made.map(callKey));
  return planned.filter((call) => !sent.has(callKey(call)));
}
