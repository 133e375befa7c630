/** Fires what is due, asks what became of it, and tells of what went wrong: one round after another, until it is stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim } from '../ledger/claiming.ts';
import type { Outcome } from '../ledger/outcomes.ts';
import { forgetOld } from '../ledger/pending.ts';
import { startSending } from '../ledger/preparing.ts';
import type { Run } from '../model.ts';
import { sendAlerts } from './alerts.ts';
import { createEndpointGuard, type EndpointGuard } from './endpointGuard.ts';
import { type Firing, fire } from './fire.ts';
import type { WorkerOptions } from './options.ts';
import { createSettling } from './outcomeWriter.ts';
import { pollJob } from './pollJob.ts';
import { round, type Tasks } from './round.ts';
import type { Stopwatch } from './stopwatch.ts';
import { createCrew } from './taskPool.ts';
import { createNap } from './wakeableSleep.ts';

export interface Worker {
  /** Looks at once, as something has changed. */
  wake(): void;
  /** Begins nothing more, and waits for what is under way to be written down: at most some seconds longer than `stopMs`. */
  stop(): Promise<void>;
}

/** Requests under way at once: triggers, and questions what became of them. */
const mostTriggers = 48;
const mostPolls = 8;

/** What the client must let through at once: what is claimed and only waits for its turn is unknown after a crash, for nothing. */
export const mostRequests = mostTriggers + mostPolls;

/** With the store away. */
const awayMs = 2000;

const forgetEveryMs = 10 * 60_000;

const gatherMs = 20;

/** Whoever orders a stop kills after 30 seconds, by custom: what can be said is said before. */
const stopForMs = 24_000;
const writeForMs = 3000;
const endForMs = 1000;

export function startWorker(options: WorkerOptions): Worker {
  const { log, stopMs = stopForMs } = options;
  const [stopping, answersLost, storeLost] = [new AbortController(), new AbortController(), new AbortController()];
  const guard = createEndpointGuard(options.allowPrivate, options.endpointHosts);
  let nap = createNap();
  const leftForLater = (error: unknown) => log.warn(words(error), 'left for later');
  const tasks: Tasks = {
    ...tasksOf(options, guard, {
      stopping: stopping.signal,
      answersLost: answersLost.signal,
      storeLost: storeLost.signal,
    }),
    triggers: createCrew(mostTriggers, () => nap.end(), leftForLater),
    polls: createCrew(mostPolls, () => nap.end(), leftForLater),
    alerts: createCrew(1, () => nap.end(), leftForLater),
    signal: stopping.signal,
  };
  const forget = forgetting(options);
  let isAway = false;

  /** A store that is away is no reason to end: ticks that come meanwhile are made up for as their schedules say. */
  async function roundOrLater(): Promise<number> {
    try {
      const wait = await round(options, tasks);
      await forget();
      if (isAway) log.info({}, 'the store is back');
      isAway = false;
      return wait;
    } catch (error) {
      if (!isAway) log.warn(words(error), 'the store can not be used; trying again until it can');
      isAway = true;
      return awayMs;
    }
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      nap = createNap();
      await nap.take(await roundOrLater());
      // What ends in the same moment is followed up in one round: each costs commits.
      await sleep(gatherMs);
    }
    await Promise.all([tasks.triggers.done(), tasks.polls.done(), tasks.alerts.done()]);
    await guard.dispatcher.destroy();
  }

  const working = work();
  return {
    wake: () => nap.end(),
    async stop() {
      stopping.abort();
      nap.end();
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
  /** Nobody waits for answers any more. */
  answersLost: AbortSignal;
  /** Nobody waits for the store any more. */
  storeLost: AbortSignal;
}

function tasksOf(
  options: WorkerOptions,
  guard: EndpointGuard,
  signals: Signals,
): Pick<Tasks, 'trigger' | 'poll' | 'alert'> {
  const { database, client, sealer, log, onOutcome } = options;
  const { stopping: signal, answersLost, storeLost } = signals;
  const firing: Firing = {
    ...options,
    givingUp: answersLost,
    startSending: (claim) => startSending(database, claim),
  };
  const notYet = (error: unknown) => log.warn(words(error), 'what became of a trigger can not be written down yet');
  const settling = createSettling(database, notYet, storeLost);
  return {
    async trigger(claim: Claim, since: Stopwatch) {
      const outcome = await fire(claim, since, firing);
      const state = await settling.add({ claim, outcome });
      const { id, owner, schedule, attempts, tickAt } = claim.run;
      const fields = { run: id, owner, schedule, attempt: attempts, outcome: outcome.as };
      if (outcome.as === 'accepted') log.info({ ...fields, collectionId: outcome.collectionId }, 'triggered');
      else log.warn({ ...fields, reason: outcome.text }, logText(outcome));
      if (state === undefined) log.warn({ run: id }, 'this could not be written down: the run will be unknown');
      onOutcome?.(state ?? 'unknown', (Date.now() - tickAt) / 1000);
    },
    async poll(run: Run) {
      const polled = await pollJob(run, { database, client, signal });
      if (polled.as !== 'building') log.info({ run: run.id, schedule: run.schedule, became: polled.as }, 'asked');
    },
    async alert() {
      for (const missed of await sendAlerts({ database, sealer, guard, signal }))
        log.warn({ ...missed }, 'an alert was not taken by those who are to be told');
    },
  };
}

/** A lost trigger is never logged as one that was not made: it would be sent again by hand, and billed twice. */
function logText(outcome: Exclude<Outcome, { as: 'accepted' }>): string {
  if (outcome.as === 'lost') return 'outcome unknown: it may have been accepted and billed';
  if (outcome.as === 'not-prepared') return 'not prepared yet: nothing was sent';
  if (outcome.as === 'refused') return 'not triggered';
  return outcome.isOpen ? 'answered with a server error: it may have been accepted and billed' : 'not triggered yet';
}

/** Now and then; a part with each round while there is more. */
function forgetting({ database, retention }: WorkerOptions): () => Promise<void> {
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() < next) return;
    next = performance.now() + forgetEveryMs;
    if (await forgetOld(database, retention)) next = performance.now();
  };
}

function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false);
  return Promise.race([work.then(() => true), over]).finally(() => clearTimeout(timer));
}

function words(error: unknown): { reason: string } {
  return { reason: error instanceof Error ? error.message : String(error) };
}
