/** Asks the service for the result of a job that it accepted, and counts the rows as they come. */

import type { Unfinished } from '../../service/areas/jobs/results/openResult.ts';
import type { Client } from '../../service/client.ts';
import { ServiceError, type ServiceErrorCode } from '../../service/errors.ts';
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
  const asked = { id: collectionId, triggeredAt: new Date(run.triggeredAt ?? Date.now()), signal };
  try {
    return await (target.startsWith('gd_') ? askDataset(asked, client) : askCollector(asked, client));
  } catch (error) {
    if (signal.aborted) return { as: 'released' };
    if (!(error instanceof ServiceError)) throw error;
    const { code, message: text, retryAfterMs } = error;
    return ends.has(code) ? { as: 'failed', text } : { as: 'no-answer', text, retryAfterMs };
  }
}

/** What the service says of the job itself. A refused key, a server error or an HTML page says nothing about it. */
const ends: ReadonlySet<ServiceErrorCode> = new Set(['job-failed', 'not-found']);

interface AskedJob {
  id: string;
  triggeredAt: Date;
  signal: AbortSignal;
}

async function askCollector({ id, ...options }: AskedJob, { collectors }: Client): Promise<Polled> {
  const result = await collectors.dataset(id, options);
  if (result.state === 'building') return unfinished(result);
  if (result.state === 'expired') return { as: 'expired' };
  return { as: 'finished', rows: result.state === 'ready' ? await count(result.rows) : 0 };
}

/** Asks for one object a line, whatever format was ordered: those rows are the quickest to count. */
async function askDataset(job: AskedJob, { datasets }: Client): Promise<Polled> {
  const { id, ...options } = job;
  try {
    const snapshot = await datasets.download(id, { ...options, format: 'ndjson' });
    return snapshot.state === 'ready' ? { as: 'finished', rows: await count(snapshot.rows) } : unfinished(snapshot);
  } catch (error) {
    if (isOtherContent(error) && (await isTable(job, datasets))) return { as: 'finished', rows: null };
    throw error;
  }
}

/** A result that is there in another format than was asked for: it is not read as rows, and is a result all the same. */
function isOtherContent(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'unexpected-answer' && !error.transient;
}

async function isTable({ id, ...options }: AskedJob, datasets: Client['datasets']): Promise<boolean> {
  const snapshot = await datasets.download(id, { ...options, format: 'csv' });
  if (snapshot.state !== 'ready') return false;
  for await (const _ of snapshot.bytes) break;
  return true;
}

function unfinished({ said, retryAfterMs }: Unfinished): Polled {
  return { as: 'building', words: said, retryAfterMs };
}

async function count(rows: AsyncIterable<unknown>): Promise<number> {
  let total = 0;
  for await (const _ of rows) total += 1;
  return total;
}
