/** Plays one round of the trigger service without a server: everything that is due is fired, polled and reported, then it ends. */
import type { ScheduledRun } from './api/runs.ts';
import { latestEvent, runsChangedSince } from './ledger/changedRuns.ts';
import { openStore } from './store/open.ts';
import { startWorker } from './worker/worker.ts';
import type { WorkerOptions } from './worker/workerOptions.ts';
import { type WorkerSettings, workerSettings } from './workerSettings.ts';

export interface RoundOptions extends WorkerSettings {
  /** `postgres://…`, or the file of a SQLite database. */
  store: string;
  log: WorkerOptions['log'];
  /** Ends the round: nothing more is started, and open requests are recorded. */
  signal: AbortSignal;
}

/** Returns the runs that changed meanwhile, by this round or another one, and all that are unknown. @throws ProblemError */
export async function playRound({ store, log, signal, ...settings }: RoundOptions): Promise<ScheduledRun[]> {
  const { options, close } = workerSettings(settings);
  const database = await openStore(store);
  try {
    const before = await latestEvent(database);
    const worker = startWorker({ ...options, database, log, untilIdle: true });
    const stop = () => void worker.stop();
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    await worker.ended;
    return await runsChangedSince(database, before);
  } finally {
    await close();
    await database.close();
  }
}
