/** Fires due schedules, polls jobs for their results and sends alerts, in one round after another. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { Claim } from '../ledger/claiming.ts';
import { replicationNote } from '../ledger/failover.ts';
import { recordOutcomes, type TriggerOutcome } from '../ledger/outcomes.ts';
import { forgetOld } from '../ledger/pending.ts';
import { type PollClaim, recordPolls } from '../ledger/polling.ts';
import { createServiceAlerts, sendAlerts } from './alerts.ts';
import { lowBalance } from './balance.ts';
import { cancelEarlier } from './cancelEarlier.ts';
import { createEndpointGuard, type EndpointGuard } from './endpointGuard.ts';
import { type FiringDependencies, fire, type Stopwatch } from './fire.ts';
import { createIdleSleep } from './idleSleep.ts';
import { createLedgerWriter } from './ledgerWriter.ts';
import { pollJob } from './pollJob.ts';
import { createProblemReport } from './problemReport.ts';
import { runRound, type Tasks } from './round.ts';
import { createRoundHealth } from './roundHealth.ts';
import type { ServiceAlert } from './slackText.ts';
import { createTaskPool } from './taskPool.ts';
import type { WorkerOptions } from './workerOptions.ts';

export interface Worker {
  /** Starts the next round at once. */
  wake(): void;
  /** Resolves when the work has ended; with `untilIdle` also by itself. Rejects then with the error of a store that cannot be used. */
  readonly ended: Promise<void>;
  /** Starts nothing more, and resolves when running work is recorded: at most `stopMs` and a few seconds later. */
  stop(): Promise<void>;
}

/** Concurrent requests: triggers, and polls for results. */
const maxTriggers = 48;
const maxPolls = 16;

/** The client's concurrency must not be lower: a claimed run that only waits for its turn would be unknown after a crash. */
export const maxRequests = maxTriggers + maxPolls;

/** Pause before the next attempt to reach the store. */
const storeRetryMs = 2000;

/** The time to retry recording outcomes before a worker that works `untilIdle` gives up: as long as another scheduler can be expected to wait. */
const storeAwayMs = 5 * 60_000;

const tidyEveryMs = 10 * 60_000;

const reportEveryMs = 10_000;

const gatherMs = 20;
const gatherManyMs = 100;

/** Kubernetes and systemd send SIGKILL about 30 s after SIGTERM, so record outcomes before then. */
const stopForMs = 24_000;
const writeForMs = 3000;
const endForMs = 1000;

export function startWorker(options: WorkerOptions): Worker {
  const { log, untilIdle = false, health = createRoundHealth() } = options;
  let idle = createIdleSleep(options.database);
  const crew = createCrew(options, () => idle.wake());
  const { tasks, stopping } = crew;
  const tidy = createTidying(options, async () => {
    await tasks.rememberEndpoints();
    tasks.alerts.add(tasks.checkBalance());
  });
  const report = createProblemReport(health, log, (problem) => tasks.alerts.add(tasks.alertAll('store', problem)));
  // A round that hangs cannot report itself.
  const watching = setInterval(report, reportEveryMs).unref();

  /** Survives a store outage: the catch-up policy of each schedule applies to ticks that come meanwhile. */
  async function roundOrRetry(): Promise<number> {
    try {
      const waitMs = await runRound({ ...options, health }, tasks);
      await tidy();
      health.ended();
      return waitMs;
    } catch (error) {
      if (untilIdle) throw error;
      health.failed(error);
      return storeRetryMs;
    } finally {
      report();
    }
  }

  async function playRounds(): Promise<void> {
    const risk = await replicationNote(options.database);
    if (risk !== undefined) log.warn({}, `the store may lose records: ${risk}`);
    while (!stopping.aborted) {
      idle = createIdleSleep(options.database);
      const before = crew.added();
      const waitMs = await roundOrRetry();
      if (untilIdle && crew.added() === before && !crew.isWorking()) return;
      const mayBeBehind = tasks.triggers.free === 0;
      const isWoken = await idle.sleep(waitMs);
      if (!isWoken) continue;
      // Each round costs commits, so tasks that end at the same time share the next one. Where more runs wait, each round claims many.
      await (mayBeBehind ? endsWithin(tasks.triggers.halfFree(), gatherManyMs) : sleep(gatherMs));
    }
  }

  const playing = playRounds().finally(() => clearInterval(watching));
  const ended = playing.then(crew.drained, async (error: unknown) => {
    crew.giveUpStoreAfter(storeAwayMs);
    await crew.drained();
    throw error;
  });
  return {
    wake: () => idle.wake(),
    ended,
    stop() {
      const stopped = crew.stop(ended.catch(() => undefined));
      idle.wake();
      return stopped;
    },
  };
}

/** Creates the pools with their tasks, and what ends them in order. `onEnd` is called after each task. */
function createCrew(options: WorkerOptions, onEnd: () => void) {
  const { log, stopMs = stopForMs } = options;
  const [stopping, answersLost, storeLost] = [new AbortController(), new AbortController(), new AbortController()];
  const guard = createEndpointGuard(options.allowPrivate, options.endpointHosts);
  const onFailure = (error: unknown) => log.warn(reasonField(error), 'task failed; it will be retried');
  const pools = {
    triggers: createTaskPool(maxTriggers, onEnd, onFailure),
    polls: createTaskPool(maxPolls, onEnd, onFailure),
    alerts: createTaskPool(1, onEnd, onFailure),
  };
  const all = Object.values(pools);
  const signals = { stopping: stopping.signal, answersLost: answersLost.signal, storeLost: storeLost.signal };
  return {
    tasks: {
      ...pools,
      ...createTasks(options, guard, pools, signals),
      own: new Set<string>(),
      signal: stopping.signal,
    },
    stopping: stopping.signal,
    added: () => all.reduce((sum, pool) => sum + pool.added, 0),
    isWorking: () => all.some((pool) => pool.running > 0),
    async drained() {
      await Promise.all(all.map((pool) => pool.drained()));
      await guard.dispatcher.destroy();
    },
    giveUpStoreAfter: (ms: number) => void setTimeout(() => storeLost.abort(), ms).unref(),
    async stop(working: Promise<void>): Promise<void> {
      stopping.abort();
      if (await endsWithin(working, stopMs)) return;
      answersLost.abort();
      if (await endsWithin(working, writeForMs)) return;
      storeLost.abort();
      await endsWithin(working, endForMs);
    },
  };
}

interface Signals {
  stopping: AbortSignal;
  /** Ends waiting for answers. */
  answersLost: AbortSignal;
  /** Ends waiting for the store. */
  storeLost: AbortSignal;
}

function createTasks(
  options: WorkerOptions,
  guard: EndpointGuard,
  { triggers, polls }: Pick<Tasks, 'triggers' | 'polls'>,
  { stopping: signal, answersLost, storeLost }: Signals,
) {
  const { database, client, sealer, keeper, log, onOutcome } = options;
  const dependencies: FiringDependencies = { ...options, givingUp: answersLost };
  const outcomes = createLedgerWriter({
    database,
    record: recordOutcomes,
    expected: () => triggers.running,
    onFailure: (error) => log.warn(reasonField(error), 'cannot record the outcome of a trigger yet; retrying'),
    givingUp: storeLost,
  });
  const answers = createLedgerWriter({
    database,
    record: recordPolls,
    expected: () => polls.running,
    onFailure: (error) => log.warn(reasonField(error), 'cannot record the answer to a poll yet; retrying'),
    // A poll whose answer is lost is repeated.
    givingUp: signal,
  });
  const serviceAlerts = createServiceAlerts({ database, sealer, guard, signal });
  /** Sends an alert about all schedules, which the ledger does not queue. */
  async function alertAll(why: ServiceAlert, problem: Problem): Promise<void> {
    for (const found of await serviceAlerts.send(why, problem)) log.warn({ found }, 'alert delivery failed');
  }
  return {
    async trigger(claim: Claim, sinceClaim: Stopwatch) {
      const outcome = await fire(claim, sinceClaim, dependencies);
      const state = await outcomes.write({ claim, outcome });
      const { id, owner, schedule, attempts, tickAt } = claim.run;
      const fields = { run: id, owner, schedule, attempt: attempts, outcome: outcome.status };
      if (outcome.status === 'accepted') {
        log.info({ ...fields, collectionId: outcome.collectionId }, 'triggered');
      } else log.warn({ ...fields, reason: outcome.text }, logText(outcome));
      if (state === undefined) log.warn({ run: id }, 'the outcome was not recorded: the run will be unknown');
      onOutcome?.(state ?? 'unknown', (Date.now() - tickAt) / 1000);
      // A run whose acceptance is not recorded replaces no other.
      if (state !== 'running') return;
      for (const job of await cancelEarlier(claim, { database, client }))
        log.warn({ run: id, schedule, job }, 'the service cannot cancel the earlier job; it goes on');
    },
    async poll(run: PollClaim) {
      const answer = await pollJob(run, { database, client, keeper, signal, record: answers.write });
      const fields = { run: run.id, schedule: run.schedule, became: answer.status };
      if (answer.status === 'unkept') log.warn({ ...fields, reason: answer.text }, 'the rows are not kept yet');
      else if (answer.status !== 'building') log.info(fields, 'polled');
    },
    async alert() {
      for (const missed of await sendAlerts({ database, sealer, guard, signal }))
        log.warn({ ...missed }, 'alert delivery failed');
    },
    alertAll,
    async checkBalance() {
      const problem = await lowBalance(options);
      if (problem === undefined) return;
      log.warn({ reason: problem.found }, 'the balance is low');
      await alertAll('balance', problem);
    },
    rememberEndpoints: serviceAlerts.remember,
  };
}

/** Never logs a lost trigger as not triggered: a person would send it again, and both would be billed. */
function logText(outcome: Exclude<TriggerOutcome, { status: 'accepted' }>): string {
  if (outcome.status === 'lost') return 'outcome unknown: it may have been accepted and billed';
  if (outcome.status === 'not-prepared') return 'not prepared yet: nothing was sent';
  if (outcome.status === 'refused') return 'not triggered';
  return outcome.mayBeAccepted
    ? 'answered with a server error: it may have been accepted and billed'
    : 'not triggered yet';
}

/** Deletes old records and looks after the rest at intervals. While more records are left, deletes a part with each round. */
function createTidying({ database, retention }: WorkerOptions, lookAfter: () => Promise<void>): () => Promise<void> {
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() < next) return;
    next = performance.now() + tidyEveryMs;
    await lookAfter();
    if (await forgetOld(database, retention)) next = performance.now();
  };
}

function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false);
  return Promise.race([work.then(() => true), over]).finally(() => clearTimeout(timer));
}

function reasonField(error: unknown): { reason: string } {
  return { reason: error instanceof Error ? error.message : String(error) };
}
