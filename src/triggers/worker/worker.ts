/** Fires what is due, asks what became of it, and tells of what went wrong: one round after another, until it is stopped. */
import type { Client } from '../../service/client.ts';
import type { ServiceProfile } from '../../service/profile.ts';
import type { Claim, Limits } from '../ledger/claiming.ts';
import type { Outcome } from '../ledger/outcomes.ts';
import { forgetOld, type Retention } from '../ledger/pending.ts';
import { settlePoll } from '../ledger/polling.ts';
import type { Run } from '../model.ts';
import type { Sealer } from '../secrets.ts';
import type { Database } from '../store/database.ts';
import { ask } from './ask.ts';
import { createCrew } from './crew.ts';
import { fire } from './fire.ts';
import { firingOver } from './firingOver.ts';
import { createNap } from './nap.ts';
import { round, type Tasks } from './round.ts';
import type { SecretSources } from './secretSources.ts';
import { createSettling } from './settling.ts';

export interface WorkerOptions {
  database: Database;
  /** Must not send anything again by itself: the ledger counts the attempts, and no crash forgets them. */
  client: Client;
  profile: ServiceProfile;
  sealer: Sealer;
  secrets: SecretSources;
  limits: Limits;
  retention: Retention;
  log: WorkerLog;
  /** An attempt to trigger has ended, so long after its tick. */
  onOutcome?: ((outcome: Outcome['as'], latenessSeconds: number) => void) | undefined;
}

export interface WorkerLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

export interface Worker {
  /** Looks at once, as something has changed. */
  wake(): void;
  /** Begins nothing more, and waits for what is under way to be written down. */
  stop(): Promise<void>;
}

/** Requests under way at once: triggers, and questions what became of them. */
const mostTriggers = 48;
const mostPolls = 8;

/** With the store away. */
const awayMs = 2000;

const forgetEveryMs = 10 * 60_000;

export function startWorker(options: WorkerOptions): Worker {
  const { log } = options;
  const stopping = new AbortController();
  let nap = createNap();
  const leftForLater = (error: unknown) => log.warn(words(error), 'left for later');
  const tasks: Tasks = {
    ...tasksOf(options, stopping.signal),
    triggers: createCrew(mostTriggers, () => nap.end(), leftForLater),
    polls: createCrew(mostPolls, () => nap.end(), leftForLater),
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
    }
    await Promise.all([tasks.triggers.done(), tasks.polls.done()]);
  }

  const working = work();
  return {
    wake: () => nap.end(),
    async stop() {
      stopping.abort();
      nap.end();
      await working;
    },
  };
}

function tasksOf(options: WorkerOptions, signal: AbortSignal): Pick<Tasks, 'trigger' | 'poll'> {
  const { database, client, log, onOutcome } = options;
  const firing = firingOver(options);
  const settling = createSettling(database, (error) =>
    log.warn(words(error), 'what became of a trigger can not be written down yet'),
  );
  return {
    async trigger(claim: Claim, claimedAt: number) {
      const outcome = await fire(claim, claimedAt, firing);
      await settling.add({ claim, outcome });
      const { id, owner, schedule, attempts, tickAt } = claim.run;
      const fields = { run: id, owner, schedule, attempt: attempts, outcome: outcome.as };
      if (outcome.as === 'accepted') log.info({ ...fields, collectionId: outcome.collectionId }, 'triggered');
      else log.warn({ ...fields, reason: outcome.text }, 'not triggered');
      onOutcome?.(outcome.as, (Date.now() - tickAt) / 1000);
    },
    async poll(run: Run) {
      const polled = await ask(run, client, signal);
      await settlePoll(database, run, polled);
      if (polled.as !== 'building') log.info({ run: run.id, schedule: run.schedule, became: polled.as }, 'asked');
    },
  };
}

/** Now and then. */
function forgetting({ database, retention }: WorkerOptions): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - last < forgetEveryMs) return;
    last = performance.now();
    await forgetOld(database, retention);
  };
}

function words(error: unknown): { reason: string } {
  return { reason: error instanceof Error ? error.message : String(error) };
}
