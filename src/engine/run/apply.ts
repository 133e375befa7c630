/** Applies a plan, and returns for each resource the calls that were sent and those that were not. */
import pLimit from 'p-limit';
import { mergeByItem, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isKeyRefusal } from '../../client/errors.ts';
import type { Call } from '../../kinds/call.ts';
import type { Context } from '../../kinds/context.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { areSameCalls, callKey } from '../../kinds/knownCalls.ts';
import type { Config } from '../declaration/config.ts';
import type { ResourcePlan } from '../plan/plan.ts';
import { defaultParallelism, planOf, problemsOfError } from '../plan/planner.ts';
import type { Planned } from '../plan/resources.ts';
import type { RunWriter } from './journal.ts';
import type { ApplyResult, ResourceResult } from './outcome.ts';
import type { Session } from './sessionViews.ts';

/** Applies resources with the same concurrency key one after the other, in the order of the plan. Other groups run in parallel. */
export async function applyPlanned(
  planned: readonly Planned[],
  config: Config,
  session: Session,
  writer: RunWriter,
  parallelism = defaultParallelism,
): Promise<ApplyResult> {
  const groups = Map.groupBy(planned, ({ concurrencyKey }) => concurrencyKey);
  const limit = pLimit(parallelism);
  const groupsDone = await Promise.allSettled(
    [...groups.values()].map((group) =>
      limit(async () => {
        const inGroup: ResourceResult[] = [];
        let ended = group.some(({ unread }) => isKeyRefusal(unread));
        for (const each of group) {
          if (ended && each.plan.problems.length === 0) {
            inGroup.push(skipped(each));
            continue;
          }
          const { result, ends } = await applyOne(each, config, session, writer);
          inGroup.push(result);
          ended ||= ends;
        }
        return inGroup;
      }),
    ),
  );
  // All groups finish first: a bug in one must not interrupt the calls of another.
  const results = groupsDone.map((done) => {
    if (done.status === 'rejected') throw done.reason;
    return done.value;
  });
  return { plan: planOf(planned), resources: results.flat() };
}

async function applyOne(
  { declared, plan, intent }: Planned,
  config: Config,
  session: Session,
  writer: RunWriter,
): Promise<Applied> {
  const { definition, spec, collection, name } = declared;
  return applyResource(plan, session, writer, {
    definition,
    send: (context) =>
      intent === 'delete' ? definition.removal.send(spec, context) : definition.converge(spec, context),
    locate: (problem) => config.locate(problem, [collection, name]),
  });
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

/** Makes the calls of a resource, and returns what became of them. */
export async function applyResource(
  plan: ResourcePlan,
  session: Session,
  writer: RunWriter,
  { definition, send, locate = (problem) => problem }: Sending,
): Promise<Applied> {
  const { kind, collection, name, calls } = plan;
  const id = { kind, collection, name };
  const result = (outcome: ResourceResult['outcome'], problems = plan.problems): ResourceResult => {
    const made = writer.callsOf(id);
    const sent = made.map(({ call }) => call);
    return { ...id, outcome, made, notMade: callsLeft(calls, sent), problems };
  };
  if (plan.problems.length > 0) return { result: result('failed'), ends: false };
  if (calls.length === 0) return { result: result('nothing'), ends: false };
  const context = session.contextFor(
    { definition, name },
    { recorder: { sending: (call) => writer.sending(id, call) }, isPlanned: (its) => areSameCalls(its, calls) },
  );
  session.changed();
  try {
    await send(context);
    return { result: result('done'), ends: false };
  } catch (error) {
    const { problems, ends } = failureOf(error, context.signal);
    return { result: result('failed', mergeByItem(problems.map(locate))), ends };
  }
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
