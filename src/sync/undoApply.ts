/** Carries out a planned undo: every call is verified again before it is sent, and confirmed by reading back. */
import { type Problem, ProblemError } from '../input/problem.ts';
import { insistOnAgreed } from '../resources/agreed.ts';
import type { Call, MigrateCall, UnregisterCall } from '../resources/call.ts';
import type { CallRecord, Context } from '../resources/context.ts';
import { convergeMoves } from '../resources/convergeMoves.ts';
import { footprintOfCall } from '../resources/footprint.ts';
import { updateSettings } from '../resources/managerCalls.ts';
import { unregister } from '../resources/registration.ts';
import { callsLeft, failureOf } from './apply.ts';
import type { Config } from './config.ts';
import type { JournaledCall, RunWriter } from './journal.ts';
import type { ApplyResult, ResourceResult } from './outcome.ts';
import type { Session } from './session.ts';
import { kindOf, type ResourceUndo, type UndoPlan } from './undo.ts';
import { type KnownZones, listedFor, remainingMoves, remainingOf, type SettledCall } from './undoCalls.ts';
import { undoGuards } from './undoGuards.ts';

/** Undoes one resource after the other; stops only where nothing more may be sent. */
export async function applyUndo(
  { plan, resources, known }: UndoPlan,
  config: Config,
  session: Session,
  writer: RunWriter,
): Promise<ApplyResult> {
  const live = session.withFreshAccount();
  const results: ResourceResult[] = [];
  let ended = false;
  for (const resource of resources) {
    const undone: Undone = ended ? skipped(resource) : await undoResource(resource, known, config, live, writer);
    results.push(undone.result);
    ended ||= undone.ends;
  }
  return { plan, resources: results };
}

interface Undone {
  result: ResourceResult;
  /** Whether nothing more may be sent. */
  ends: boolean;
}

function skipped({ plan: { kind, collection, name, calls } }: ResourceUndo): Undone {
  return { result: { kind, collection, name, outcome: 'skipped', made: [], notMade: calls, problems: [] }, ends: true };
}

async function undoResource(
  resource: ResourceUndo,
  known: KnownZones,
  config: Config,
  session: Session,
  writer: RunWriter,
): Promise<Undone> {
  const { kind, collection, name, calls } = resource.plan;
  const id = { kind, collection, name };
  const result = (outcome: ResourceResult['outcome'], problems: Problem[] = []): ResourceResult => {
    const made = writer.callsOf(id);
    const sent = made.map(({ call }) => call);
    return { ...id, outcome, made, notMade: callsLeft(calls, sent), problems };
  };
  if (calls.length === 0) return { result: result('nothing'), ends: false };
  const recorder = { sending: (call: Call) => writer.sending(id, call) };
  const context = session.contextFor({ definition: kindOf(collection), name }, { recorder });
  session.account.changed();
  try {
    await sendAll(resource, { context, config, session, known });
    return { result: result('done'), ends: false };
  } catch (error) {
    const { problems, ends } = failureOf(error, context.signal);
    return { result: result('failed', problems), ends };
  }
}

interface Surroundings {
  context: Context;
  config: Config;
  session: Session;
  known: KnownZones;
}

async function sendAll({ plan, done }: ResourceUndo, surroundings: Surroundings): Promise<void> {
  const { context } = surroundings;
  const steps = stepsOf(plan.calls);
  for (const [index, step] of steps.entries()) {
    context.signal?.throwIfAborted();
    const later = steps.slice(index + 1).flat();
    if (isMoves(step)) await moveBack(step, later, plan, surroundings);
    else await sendSettled(step[0], done, plan, surroundings);
  }
}

/** One settled call, or migrations of which none moves an IP of another: those are only planned on once they are read back. */
type Step = MigrateCall[] | [SettledCall];

function isMoves(step: Step): step is MigrateCall[] {
  return step.every(({ type }) => type === 'migrate');
}

function stepsOf(calls: readonly Call[]): Step[] {
  const steps: Step[] = [];
  for (const call of calls) {
    const last = steps.at(-1);
    if (call.type === 'updateSettings' || call.type === 'unregister') steps.push([call]);
    if (call.type !== 'migrate') continue;
    if (last && isMoves(last) && !last.some((other) => sharesIp(call, other))) last.push(call);
    else steps.push([call]);
  }
  return steps;
}

function sharesIp({ moves }: MigrateCall, other: MigrateCall): boolean {
  const ips = new Set(other.moves.map(({ ip }) => ip));
  return moves.some(({ ip }) => ips.has(ip));
}

/** @throws ProblemError, ServiceError */
async function moveBack(
  step: readonly MigrateCall[],
  later: readonly Call[],
  { collection, name }: ResourceUndo['plan'],
  { context, config, session, known }: Surroundings,
): Promise<void> {
  const zones = [...new Set(step.flatMap(({ from, to }) => [from, to]))];
  const observe = async (putIn: KnownZones, lost: ReadonlySet<string>) => ({
    listings: await listedFor(step, context, new Map([...known, ...putIn])),
    guards: await undoGuards({ collection, name }, footprintOfCall(step[0] as Call), config, session),
    lost,
  });
  await convergeMoves(
    await observe(new Map(), new Set()),
    {
      observe: ({ putIn, lost }) => observe(putIn, lost),
      plan: ({ listings, guards, lost }) => {
        const remaining = step.map((call) => remainingMoves(call, listings, lost));
        const batches = remaining.flatMap(({ call }) => (call === undefined ? [] : [call]));
        const problems = remaining.flatMap((each) => each.problems);
        if (problems.length > 0 || batches.length === 0) return { batches, problems };
        return { batches, problems: guards([...batches, ...later]) };
      },
      zones,
    },
    { ...context, agreed: step },
  );
}

/** @throws ProblemError, ServiceError */
async function sendSettled(
  planned: SettledCall,
  done: readonly JournaledCall[],
  resource: ResourceUndo['plan'],
  { context, config, session }: Surroundings,
): Promise<void> {
  session.registered.forget();
  const guards = await undoGuards(resource, footprintOfCall(planned), config, session);
  const { call, problems } = await remainingOf(planned, done, session);
  if (problems.length > 0) throw new ProblemError(problems);
  if (call === undefined) return;
  const broken = guards([call]);
  if (broken.length > 0) throw new ProblemError(broken);
  insistOnAgreed([call], { ...context, agreed: [planned] });
  if (call.type === 'updateSettings') await updateSettings(call, session.manager(call.manager), context);
  else await removeAndConfirm(call, done, session, context);
}

/** An empty answer is no proof: a proxy may have given it. */
async function removeAndConfirm(
  call: UnregisterCall,
  done: readonly JournaledCall[],
  session: Session,
  context: Context,
): Promise<void> {
  const records: CallRecord[] = [];
  const recorder: Context['recorder'] = {
    async sending(sent) {
      const record = await context.recorder.sending(sent);
      records.push(record);
      return record;
    },
  };
  await unregister(call, { ...context, recorder });
  session.registered.forget();
  const { call: left } = await remainingOf(call, done, session);
  if (left === undefined) return;
  await records.at(-1)?.seen({ took: false });
  throw new ProblemError([stillRegistered(call)]);
}

function stillRegistered({ record, owner, name }: UnregisterCall): Problem {
  return {
    code: 'did-not-take',
    found: `the ${record} ${name} of ${owner} is still registered after its removal was answered`,
    fix: 'run it again; if it stays, look what answers at triggers.url',
  };
}
