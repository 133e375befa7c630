/** Polls the service for the result of a job, and counts the rows as they arrive. */
import type { Unfinished } from '../../client/areas/jobs/results/openResult.ts';
import type { Client } from '../../client/client.ts';
import { ServiceError, type ServiceErrorCode } from '../../client/errors.ts';
import type { ScheduledRun } from '../api/runs.ts';
import { extendPollLease, type PollAnswer, type PolledRun, pollLeaseMs } from '../ledger/polling.ts';
import type { Database } from '../store/database.ts';
import { causeFirst } from './causeFirst.ts';

interface PollOptions {
  database: Database;
  client: Client;
  signal: AbortSignal;
  record(polled: PolledRun): Promise<unknown>;
}

/** Polls once, records the answer, and keeps other servers from polling meanwhile. */
export async function pollJob(
  run: ScheduledRun,
  { database, client, signal, record }: PollOptions,
): Promise<PollAnswer> {
  // If extending the lease fails, another server polls too, which costs nothing.
  const extend = () => extendPollLease(database, run).catch(() => undefined);
  const timer = setInterval(extend, pollLeaseMs / 4);
  try {
    const answer = await askJob(run, client, signal);
    await record({ run, answer });
    return answer;
  } finally {
    clearInterval(timer);
  }
}

/** Polls once, and records nothing. */
export async function askJob(run: ScheduledRun, client: Client, signal: AbortSignal): Promise<PollAnswer> {
  const { collectionId, target } = run;
  if (collectionId === null) return { status: 'failed', text: 'the run has no collection id' };
  const job = { id: collectionId, triggeredAt: new Date(run.triggeredAt ?? Date.now()), signal };
  try {
    return await (target.startsWith('gd_') ? askDataset(job, client) : askCollector(job, client));
  } catch (error) {
    if (signal.aborted) return { status: 'released' };
    if (!(error instanceof ServiceError)) throw error;
    const { code, retryAfterMs } = error;
    const text = causeFirst(error);
    return finalErrors.has(code) ? { status: 'failed', text } : { status: 'no-answer', text, retryAfterMs };
  }
}

/** Errors about the job itself. A refused key, a server error or an HTML page says nothing about the job. */
const finalErrors: ReadonlySet<ServiceErrorCode> = new Set(['job-failed', 'not-found']);

interface AskedJob {
  id: string;
  triggeredAt: Date;
  signal: AbortSignal;
}

async function askCollector({ id, ...options }: AskedJob, { collectors }: Client): Promise<PollAnswer> {
  const result = await collectors.dataset(id, options);
  if (result.state === 'building') return unfinished(result);
  if (result.state === 'expired') return { status: 'expired' };
  return { status: 'finished', rows: result.state === 'ready' ? await count(result.rows) : 0 };
}

/** Asks for NDJSON although the schedule may have ordered another format: NDJSON rows are the quickest to count. */
async function askDataset(job: AskedJob, { datasets }: Client): Promise<PollAnswer> {
  const { id, ...options } = job;
  try {
    const snapshot = await datasets.download(id, { ...options, format: 'ndjson' });
    return snapshot.state === 'ready' ? { status: 'finished', rows: await count(snapshot.rows) } : unfinished(snapshot);
  } catch (error) {
    // The result may exist in another format: then its rows are not counted, but the job has finished.
    const isOtherFormat = error instanceof ServiceError && error.code === 'unexpected-answer' && !error.transient;
    if (isOtherFormat && (await hasTable(job, datasets))) return { status: 'finished', rows: null };
    throw error;
  }
}

async function hasTable({ id, ...options }: AskedJob, datasets: Client['datasets']): Promise<boolean> {
  const snapshot = await datasets.download(id, { ...options, format: 'csv' });
  if (snapshot.state !== 'ready') return false;
  for await (const _ of snapshot.bytes) break;
  return true;
}

function unfinished({ said, retryAfterMs }: Unfinished): PollAnswer {
  return { status: 'building', words: said, retryAfterMs };
}

async function count(rows: AsyncIterable<unknown>): Promise<number> {
  let total = 0;
  for await (const _ of rows) total += 1;
  return total;
}
