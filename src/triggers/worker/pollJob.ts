/** Polls the service for the result of a job, and keeps or counts the rows as they arrive. */
import { parseExact } from '../../base/yaml/exactNumbers.ts';
import type { Unfinished } from '../../client/areas/jobs/results/openResult.ts';
import type { Client } from '../../client/client.ts';
import { ServiceError } from '../../client/errors.ts';
import type { ScheduledRun } from '../api/runs.ts';
import { tickText } from '../declared/placeholders.ts';
import { tooFewRows } from '../ledger/expectedRows.ts';
import { extendPollLease, type PollAnswer, type PollClaim, type PolledRun, pollLeaseMs } from '../ledger/polling.ts';
import type { Database } from '../store/database.ts';
import { causeFirst } from './causeFirst.ts';
import { NotKept, type ResultContent, type RowKeeper } from './rowKeeper.ts';

interface PollOptions {
  database: Database;
  client: Client;
  keeper: RowKeeper;
  signal: AbortSignal;
  record(polled: PolledRun): Promise<unknown>;
}

/** Polls once, records the answer, and keeps other servers from polling meanwhile. */
export async function pollJob(
  claim: PollClaim,
  { database, client, keeper, signal, record }: PollOptions,
): Promise<PollAnswer> {
  // If extending the lease fails, another server polls too, which costs nothing.
  const extend = () => extendPollLease(database, claim).catch(() => undefined);
  const timer = setInterval(extend, pollLeaseMs / 4);
  try {
    const answer = await withExpectation(await askJob(claim, { client, keeper, signal }), claim, database);
    await record({ run: claim, answer });
    return answer;
  } finally {
    clearInterval(timer);
  }
}

async function withExpectation(answer: PollAnswer, run: ScheduledRun, database: Database): Promise<PollAnswer> {
  if (answer.status !== 'finished' || answer.rows === null) return answer;
  return { ...answer, few: await tooFewRows(database, run, answer.rows) };
}

type AskOptions = Pick<PollOptions, 'client' | 'keeper' | 'signal'>;

/** Polls once, and records nothing. */
export async function askJob(claim: PollClaim, { client, keeper, signal }: AskOptions): Promise<PollAnswer> {
  const { collectionId, target, keep, state } = claim;
  if (collectionId === null) return { status: 'failed', text: 'the run has no collection id' };
  const job = { id: collectionId, triggeredAt: new Date(claim.triggeredAt ?? Date.now()), signal };
  try {
    // A large result is not read again for a place that still cannot be written.
    if (keep !== undefined && state === 'unkept') await keeper.probe(keep, signal);
    const finished = async (content: ResultContent): Promise<PollAnswer> =>
      keep === undefined
        ? { status: 'finished', rows: await counted(content) }
        : { status: 'finished', ...(await keeper.keep(keep, nameOf(claim), content, signal)) };
    const isTable = keep?.format === 'csv';
    return await (target.startsWith('gd_')
      ? askDataset(job, client, isTable, finished)
      : askCollector(job, client, state === 'unkept', finished));
  } catch (error) {
    if (signal.aborted) return { status: 'released' };
    if (error instanceof NotKept) return { status: 'unkept', text: error.message };
    if (!(error instanceof ServiceError)) throw error;
    const { code, retryAfterMs } = error;
    const text = causeFirst(error);
    if (code === 'not-found') return unknownJob(claim, text, error.status === 410);
    return code === 'job-failed' ? { status: 'failed', text } : { status: 'no-answer', text, retryAfterMs };
  }
}

/** Returns the file of a run, without an ending: from what the ledger knows, so that it has one file, also if several servers write it. */
function nameOf({ schedule, tickAt, id }: PollClaim): string[] {
  return [schedule, `${tickText(tickAt)}.${id}`];
}

/** Returns what it means that the service does not know a job that it accepted. Its rows were paid. */
function unknownJob({ collectionId, target, state, isMissing }: PollClaim, said: string, isSure: boolean): PollAnswer {
  if (!isMissing && !isSure) return { status: 'missing', text: said };
  if (state === 'unkept') return { status: 'expired' };
  if (!target.startsWith('gd_')) return { status: 'failed', text: said };
  const text = `the service accepted the job and does not know its snapshot ${collectionId}, at any route: its rows may exist. Look it up in the control panel before you trigger it again (${said})`;
  return { status: 'given-up', text };
}

interface AskedJob {
  id: string;
  triggeredAt: Date;
  signal: AbortSignal;
}

type Finish = (content: ResultContent) => Promise<PollAnswer>;

/** `hadRows`: a result that has none any more has expired. */
async function askCollector(
  { id, ...options }: AskedJob,
  { collectors }: Client,
  hadRows: boolean,
  finished: Finish,
): Promise<PollAnswer> {
  const result = await collectors.dataset(id, { ...options, parseRow: parseExact });
  if (result.state === 'building') return unfinished(result);
  if (result.state === 'expired' || (hadRows && result.state === 'empty-or-expired')) return { status: 'expired' };
  return finished({ rows: result.state === 'ready' ? result.rows : noRows() });
}

async function* noRows() {}

/** Asks for NDJSON although the schedule may have ordered another format: NDJSON rows are the quickest to read. */
async function askDataset(
  job: AskedJob,
  { datasets }: Client,
  isTable: boolean,
  finished: Finish,
): Promise<PollAnswer> {
  const { id, ...options } = job;
  const table = () => datasets.download(id, { ...options, format: 'csv' });
  try {
    if (isTable) {
      const snapshot = await table();
      return snapshot.state === 'ready' ? await finished(asTable(snapshot)) : unfinished(snapshot);
    }
    const snapshot = await datasets.download(id, { ...options, format: 'ndjson', parseRow: parseExact });
    return snapshot.state === 'ready' ? await finished({ rows: snapshot.rows }) : unfinished(snapshot);
  } catch (error) {
    // The result may exist as a table only.
    const isOtherFormat = error instanceof ServiceError && error.code === 'unexpected-answer' && !error.transient;
    if (isTable || !isOtherFormat) throw error;
    const snapshot = await table().catch(() => undefined);
    if (snapshot?.state !== 'ready') throw error;
    return finished(asTable(snapshot));
  }
}

function asTable({ bytes }: { bytes: AsyncIterable<Uint8Array> }): ResultContent {
  return { text: bytes, format: 'csv' };
}

function unfinished({ said, retryAfterMs }: Unfinished): PollAnswer {
  return { status: 'building', words: said, retryAfterMs };
}

/** Returns null for a table, whose rows are not counted. */
async function counted(content: ResultContent): Promise<number | null> {
  if ('text' in content) {
    for await (const _ of content.text) break;
    return null;
  }
  let total = 0;
  for await (const _ of content.rows) total += 1;
  return total;
}
