/** Carries out a planned undo: every call is verified again before it is sent, and confirmed by reading back. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { Call } from '../../kinds/call.ts';
import type { SendingUndo } from '../../kinds/callType.ts';
import { areSameCalls, callTypeOf } from '../../kinds/knownCalls.ts';
import type { Config } from '../declaration/config.ts';
import { callsLeft, failureOf, skipped } from '../run/apply.ts';
import type { RunWriter } from '../run/journal.ts';
import type { ApplyResult, ResourceResult } from '../run/outcome.ts';
import type { Session } from '../run/sessionViews.ts';
import { undoGuards } from './guards.ts';
import { kindOf, type ResourceUndo, type UndoPlan, undoOf } from './undo.ts';

/** Undoes one resource after the other; stops only if nothing more may be sent. */
export async function applyUndo(
  { plan, resources, recent }: UndoPlan,
  config: Config,
  session: Session,
  writer: RunWriter,
): Promise<ApplyResult> {
  const live = session.withFreshAccount();
  const results: ResourceResult[] = [];
  let hasEnded = false;
  for (const resource of resources) {
    if (hasEnded) {
      results.push(skipped(resource));
      continue;
    }
    const { result, ends } = await undoResource(resource, recent, config, live, writer);
    results.push(result);
    hasEnded = ends;
  }
  return { plan, resources: results };
}

interface Undone {
  result: ResourceResult;
  /** True if nothing more may be sent. */
  ends: boolean;
}

async function undoResource(
  { plan, done }: ResourceUndo,
  recent: UndoPlan['recent'],
  config: Config,
  session: Session,
  writer: RunWriter,
): Promise<Undone> {
  const { kind, collection, name, calls } = plan;
  const id = { kind, collection, name };
  const result = (outcome: ResourceResult['outcome'], problems: Problem[] = []): ResourceResult => {
    const made = writer.callsOf(id);
    const sent = made.map(({ call }) => call);
    return { ...id, outcome, made, notMade: callsLeft(calls, sent), problems };
  };
  if (plan.problems.length > 0) return { result: result('failed', plan.problems), ends: false };
  if (calls.length === 0) return { result: result('nothing'), ends: false };
  const recorder = { sending: (call: Call) => writer.sending(id, call) };
  const context = session.contextFor({ definition: kindOf(collection), name }, { recorder });
  session.changed();
  const guardsFor = (call: Call) => undoGuards(id, callTypeOf(call).target(call), config, session);
  try {
    await sendSteps(stepsOf(calls), { context, done, recent }, guardsFor);
    return { result: result('done'), ends: false };
  } catch (error) {
    const { problems, ends } = failureOf(error, context.signal);
    return { result: result('failed', problems), ends };
  }
}

/** Calls of one type that are sent together, before any of them is read back. */
type Step = [Call, ...Call[]];

async function sendSteps(
  steps: readonly Step[],
  undoing: Pick<SendingUndo, 'context' | 'done' | 'recent'>,
  guardsFor: (call: Call) => ReturnType<SendingUndo['readGuards']>,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    undoing.context.signal?.throwIfAborted();
    await undoOf(step[0]).send(step, {
      ...undoing,
      context: { ...undoing.context, isPlanned: (calls) => areSameCalls(calls, step) },
      later: steps.slice(index + 1).flat(),
      readGuards: () => guardsFor(step[0]),
    });
  }
}

function stepsOf(calls: readonly Call[]): Step[] {
  const steps: Step[] = [];
  for (const call of calls) {
    const last = steps.at(-1);
    if (last?.[0].type === call.type && undoOf(call).joins(last, call)) last.push(call);
    else steps.push([call]);
  }
  return steps;
}
