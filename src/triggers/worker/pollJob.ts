/** Asks the service for the result of a job that it accepted, and counts the rows as they come. */
import type { Client } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';
import { keepPoll, type Polled, pollLeaseMs, settlePoll } from '../ledger/polling.ts';
import type { Run } from '../model.ts';
import type { Database } from '../store/database.ts';

export interface Polling {
  database: Database;
  client: Client;
  signal: AbortSignal;
}

/** Polls once, records the answer, and keeps other servers from polling meanwhile. */
export async function pollJob(run: Run, { database, client, signal }: Polling): Promise<Polled> {
  // Where the lease cannot be kept, another server polls too, which costs nothing.
  const keep = () => keepPoll(database, run).catch(() => undefined);
  const keeping = setInterval(keep, pollLeaseMs / 4);
  try {
    const polled = await askJob(run, client, signal);
    await settlePoll(database, run, polled);
    return polled;
  } finally {
    clearInterval(keeping);
  }
}

/** Asks once, and records nothing. */
export async function askJob(run: Run, client: Client, signal: AbortSignal): Promise<Polled> {
  const { collectionId, target } = run;
  if (collectionId === null) return { as: 'failed', text: 'it has no collection id' };
  try {
    return await (target.startsWith('gd_')
      ? askDataset(collectionId, client, signal)
      : askCollector(run, collectionId, client, signal));
  } catch (error) {
    if (signal.aborted) return { as: 'released' };
    if (!(error instanceof ServiceError)) throw error;
    const isEnd = error.code === 'not-found' || error.code === 'job-failed';
    return { as: isEnd ? 'failed' : 'no-answer', text: error.message };
  }
}

async function askCollector(
  { triggeredAt }: Run,
  id: string,
  { collectors }: Client,
  signal: AbortSignal,
): Promise<Polled> {
  const result = await collectors.dataset(id, { signal, triggeredAt: new Date(triggeredAt ?? Date.now()) });
  if (result.state === 'building') return { as: 'building' };
  if (result.state === 'expired' || result.state === 'empty-or-expired') return { as: 'expired' };
  return { as: 'finished', rows: result.state === 'ready' ? await count(result.rows) : 0 };
}

/** Asks for one object a line, whatever format was ordered: those rows are the quickest to count. */
async function askDataset(id: string, { datasets }: Client, signal: AbortSignal): Promise<Polled> {
  const snapshot = await datasets.download(id, { format: 'ndjson', signal });
  return snapshot.state === 'ready' ? { as: 'finished', rows: await count(snapshot.rows) } : { as: 'building' };
}

async function count(rows: AsyncIterable<unknown>): Promise<number> {
  let total = 0;
  for await (const _ of rows) total += 1;
  return total;
}
