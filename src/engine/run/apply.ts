/** Applies a plan, and returns for each resource the calls that were sent and those that were not. */
import pLimit from 'p-limit';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isKeyRefusal } from '../../client/errors.ts';
import type { Call } from '../../kinds/call.ts';
import { areSameCalls, callKey } from '../../kinds/knownCalls.ts';
import type { Config } from '../declaration/config.ts';
import type { ResourcePlan } from '../plan/plan.ts';
import { defaultParallelism, planOf, problemsOfError } from '../plan/planner.ts';
import type { Planned } from '../plan/resources.ts';
import type { RunWriter } from './journal.ts';
import type { ApplyResult, ResourceResult } from './outcome.ts';
import type { Session } from './sessionViews.ts';

interface ApplyOptions {
  parallelism?: number | undefined;
}

/** Applies resources with the same concurrency key one after the other, in the order of the plan. Other groups run in parallel. */
export async function applyPlanned(
  planned: readonly Planned[],
  config: Config,
  session: Session,
  writer: RunWriter,
  { parallelism = defaultParallelism }: ApplyOptions = {},
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

interface Applied extends Pick<Failure, 'ends'> {
  result: ResourceResult;
}

async function applyOne(
  { declared, plan, intent }: Planned,
  config: Config,
  session: Session,
  writer: RunWriter,
): Promise<Applied> {
  const { definition, spec, kind, collection, name } = declared;
  const id = { kind, collection, name };
  const result = (outcome: ResourceResult['outcome'], problems = plan.problems): ResourceResult => {
    const made = writer.callsOf(id);
    return {
      ...id,
      outcome,
      made,
      notMade: callsLeft(
        plan.calls,
        made.map(({ call }) => call),
      ),
      problems,
    };
  };
  if (plan.problems.length > 0) return { result: result('failed'), ends: false };
  if (plan.calls.length === 0) return { result: result('nothing'), ends: false };
  const context = session.contextFor(declared, {
    recorder: { sending: (call) => writer.sending(id, call) },
    isPlanned: (calls) => areSameCalls(calls, plan.calls),
  });
  session.changed();
  try {
    if (intent === 'delete') await definition.removal.send(spec, context);
    else await definition.converge(spec, context);
    return { result: result('done'), ends: false };
  } catch (error) {
    const { problems, ends } = failureOf(error, context.signal);
    const placed = problems.map((problem) => config.locate(problem, [collection, name]));
    return { result: result('failed', placed), ends };
  }
}

interface Failure {
  problems: Problem[];
  /** True if nothing more may be sent: the key or its role was refused, or the run was interrupted. */
  ends: boolean;
}

export function failureOf(error: unknown, signal: AbortSignal | undefined): Failure {
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
