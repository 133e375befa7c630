/** `webdata simulate`: applies the plan to a copy of the live account, one call after the other. */
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { carryOut, executionOf } from '../../engine/carryOut.ts';
import type { PlanningContext } from '../../engine/context.ts';
import type { PlanningOptions } from '../../engine/options.ts';
import { isSameResource, type Plan, type ResourceId, resourceKey } from '../../engine/plan/plan.ts';
import { planOf, problemsOfError } from '../../engine/plan/planner.ts';
import { isRefused, type Planned } from '../../engine/plan/resources.ts';
import { planLive } from '../../engine/planAccount.ts';
import { reconcileInFlight } from '../../engine/run/inFlight.ts';
import { beginRun, type JournaledCall, type Run, type RunWriter, recordFindings } from '../../engine/run/journal.ts';
import type { ApplyResult } from '../../engine/run/outcome.ts';
import type { Session } from '../../engine/run/sessionViews.ts';
import { runToUndo } from '../../engine/undo/target.ts';
import { planUndo } from '../../engine/undo/undo.ts';
import type { Call } from '../../kinds/call.ts';
import type { CallRecord } from '../../kinds/context.ts';
import type { ZoneInventory } from '../../kinds/kind.ts';
import { areSameCalls, factsOf } from '../../kinds/knownCalls.ts';
import { type AccountCopy, type CopySize, copyAccount } from './copy.ts';
import type { FailureKind } from './failures.ts';

export interface SimulatedCall {
  /** The number of the call in the run, from 1. */
  number: number;
  resource: ResourceId;
  sent: JournaledCall;
  /** The zones that the call may change, before and after it. */
  zones: ZoneInventory[];
}

export interface Simulation {
  /** Undefined if nothing was simulated. */
  copied: CopySize | undefined;
  /** The plan on the live account. */
  plan: Plan;
  /** True if an apply would refuse the plan, so that nothing was simulated. */
  isRefused: boolean;
  calls: SimulatedCall[];
  /** The result of the run; undefined if nothing was simulated or webdata was killed. */
  result: ApplyResult | undefined;
  failure: PlayedFailure | undefined;
  /** The next plan on the copy. */
  next: Plan | undefined;
  /** The undo of the run that failed, or the problems that prevent it. */
  undo: { plan: Plan; problems: Problem[] } | undefined;
}

interface PlayedFailure {
  /** The number of the call that fails. */
  at: number;
  how: FailureKind;
}

interface SimulateOptions extends PlanningOptions {
  failure?: PlayedFailure | undefined;
}

/** @throws ProblemError, ServiceError */
export async function simulate(
  context: PlanningContext,
  live: readonly Planned[],
  options: SimulateOptions,
): Promise<Simulation> {
  const { failure } = options;
  const plan = planOf(live);
  const refused = isRefused(live);
  const nothing = { plan, isRefused: refused, calls: [], result: undefined, failure, next: undefined, undo: undefined };
  if (refused) return { ...nothing, copied: undefined };
  const copy = await copyAccount(context.config, context.session);
  try {
    const session = context.session.onServers(copy);
    const onCopy = { ...context, session, lagMs: 0, recentRuns: [], warnings: [], during: withoutProgress };
    const planned = await planLive(onCopy, options, 'update');
    assertSamePlan(plan, planOf(planned));
    assertReached(failure, plan);
    const copied = copy.size();
    const done = await applyOnCopy(planned, onCopy, copy, failure);
    const recentRuns = failure === undefined ? [] : [done.run];
    const later = context.session.onServers(copy, done.run.calls.flatMap(factsOf));
    const next = planOf(await planLive({ ...onCopy, session: later, recentRuns }, options, 'update'));
    const undo = failure === undefined ? undefined : await undoOnCopy(done.run, onCopy, later);
    return withLiveAddresses({ ...nothing, copied, calls: done.calls, result: done.result, next, undo }, copy);
  } finally {
    await copy.close();
  }
}

/** Plans of the copy and of the account differ if the account has changed between two reads, or if the copy leaves something out. */
function assertSamePlan(live: Plan, copied: Plan): void {
  const onCopy = (resource: ResourceId) => copied.resources.find((each) => isSameResource(each, resource));
  const differing = live.resources.find((each) => !areSameCalls(each.calls, onCopy(each)?.calls ?? []));
  if (differing === undefined) return;
  throw new ProblemError([
    {
      code: 'copy-differs',
      found: `${resourceKey(differing)} would need other calls on the copy than on the live account`,
      allowed: 'an account that does not change while it is copied',
      fix: 'run it again; if it differs again, report it with the output of `webdata plan --format json`',
    },
  ]);
}

function assertReached(failure: PlayedFailure | undefined, { resources }: Plan): void {
  const calls = resources.flatMap((resource) => resource.calls).length;
  if (failure === undefined || failure.at <= calls) return;
  throw new ProblemError([
    {
      code: 'no-such-call',
      found: `--fail-at ${failure.at}: the plan has ${calls === 0 ? 'no calls' : `only ${calls}`}`,
      allowed: calls === 0 ? 'a plan with calls' : `1 to ${calls}`,
    },
  ]);
}

interface Done {
  calls: SimulatedCall[];
  run: Run;
  result: ApplyResult | undefined;
}

async function applyOnCopy(
  planned: readonly Planned[],
  context: PlanningContext,
  copy: AccountCopy,
  failure: PlayedFailure | undefined,
): Promise<Done> {
  const writer = await beginRun(undefined, { command: 'apply', ...context.meta });
  const rehearsed = new RehearsedRun(writer, copy, failure);
  const execution = executionOf(planned, 'update', context, { parallelism: 1 });
  const log = { ...context.log, begin: async () => rehearsed.writer };
  const backend = { ...context.backend, updateDocument: async () => undefined };
  const { calls } = rehearsed;
  const signal = new AbortController().signal;
  try {
    const { run } = await carryOut(execution, { ...context, log, backend }, { signal });
    return { calls, run: writer.run, result: run?.report.result ?? nothingDone(execution.plan) };
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    return { calls, run: writer.run, result: undefined };
  }
}

const withoutProgress: PlanningContext['during'] = (_phase, work) => work();

function nothingDone(plan: Plan): ApplyResult {
  const resources = plan.resources.map(({ kind, collection, name, problems }) => {
    return { kind, collection, name, outcome: 'nothing' as const, made: [], notMade: [], problems };
  });
  return { plan, resources };
}

/** Stands for the end of the process. */
class Killed extends Error {}

/** A run that looks at the zones before and after each call, and lets one of them fail. Its session makes one call at a time. */
class RehearsedRun {
  readonly calls: SimulatedCall[] = [];
  readonly writer: RunWriter;
  readonly #copy: AccountCopy;
  readonly #failure: PlayedFailure | undefined;
  #isKilled = false;

  constructor(writer: RunWriter, copy: AccountCopy, failure: PlayedFailure | undefined) {
    this.#copy = copy;
    this.#failure = failure;
    this.writer = { ...writer, sending: (resource, call) => this.#sending(writer, resource, call) };
  }

  async #sending(writer: RunWriter, resource: ResourceId, call: Call): Promise<CallRecord> {
    if (this.#isKilled) throw new Killed();
    const number = this.calls.length + 1;
    const failure = number === this.#failure?.at ? this.#failure : undefined;
    const record = await writer.sending(resource, call);
    const sent = writer.run.calls.at(-1);
    if (sent === undefined) throw new TypeError('a call that is sent is in its run');
    const changedZones = this.#copy.before(call);
    const zones: ZoneInventory[] = [];
    const simulated = { number, resource, sent, zones };
    this.calls.push(simulated);
    if (failure !== undefined) this.#copy.failNext(failure.how);
    const ended = () => {
      zones.push(...changedZones());
      this.#copy.endFailure();
      this.#isKilled = failure?.how === 'killed';
      if (this.#isKilled) throw new Killed();
    };
    return {
      async answered(answer) {
        ended();
        await record.answered(answer);
      },
      async failed(error) {
        ended();
        await record.failed(error);
      },
      withdraw: async () => {
        this.calls.splice(this.calls.indexOf(simulated), 1);
        await record.withdraw();
      },
      seen: record.seen,
    };
  }
}

/** Plans the undo of a run whose open calls are looked up first, as `webdata undo` does. */
async function undoOnCopy(
  run: Run,
  { config }: PlanningContext,
  session: Session,
): Promise<NonNullable<Simulation['undo']>> {
  try {
    await reconcileInFlight([run], session, { lagMs: 0, record: (findings) => recordFindings(undefined, findings) });
    const { plan } = await planUndo(runToUndo([run]), [run], config, session, 0);
    return { plan, problems: [] };
  } catch (error) {
    return { plan: { resources: [] }, problems: problemsOfError(error) };
  }
}

/** Errors of the copy name its own addresses. There are rarely any, and a copy of a large simulation takes much memory. */
function withLiveAddresses(simulation: Simulation, copy: AccountCopy): Simulation {
  const json = JSON.stringify(simulation);
  const hidden = copy.hideAddresses(json);
  return hidden === json ? simulation : JSON.parse(hidden);
}
