/** Collector jobs (specification, B): triggers them, polls them, and streams their rows. */

import { isMapValue } from '../../../base/values/plain.ts';
import type { ServiceProfile } from '../../profile.ts';
import type { Reader } from '../../reading/readers.ts';
import type { CallOptions, Transport } from '../../transport/transport.ts';
import type { WireRequest } from '../../transport/wireRequest.ts';
import { type CollectorTrigger, triggerRequest } from './collectorTrigger.ts';
import { isRecent, openResult, type ResultOutcome, rowsOf, type Unfinished } from './results/openResult.ts';
import { type PollOptions, pollUntilReady } from './results/pollJob.ts';
import type { ParseRow, Row } from './results/rows.ts';
import { collectorJob, triggeredReader } from './triggerAnswers.ts';

export interface CollectorRun {
  /** `j_…`; other calls of the service name it a snapshot id. */
  collectionId: string;
  /** Expected start, ISO 8601; undefined if the service does not report it. */
  startEta: string | undefined;
}

interface RowsResult {
  state: 'ready';
  /** Rows as they arrive; can be read once. A body that breaks off fails the iteration. */
  rows: AsyncIterable<Row>;
}

/**
 * A finished job without rows. The service gives the same answer for a job that had none and for one whose results have expired; the time
 * since its trigger, or since it was ready, distinguishes them.
 */
interface NoRows {
  state: 'empty' | 'expired' | 'empty-or-expired';
}

/** A job without a result yet. */
interface Building extends Unfinished {
  state: 'building';
}

export type CollectorResult = RowsResult | NoRows;

export interface DatasetOptions extends CallOptions {
  /**
   * Time of the trigger. For 5 minutes from then, a job that the service does not know counts as building. Without `readyAt`, a job
   * counts as ready within a day from then.
   */
  triggeredAt?: Date | undefined;
  /** Time when the job was ready; the retention time counts from then. */
  readyAt?: Date | undefined;
  /** True for a real-time job. Those results are kept for 7 days, others for 16. */
  isRealTime?: boolean | undefined;
  /** Reads the text of a row; by default JSON.parse. */
  parseRow?: ParseRow | undefined;
}

export interface Collectors {
  /**
   * Starts a job (B1). Each trigger starts and bills a new job, so it is sent again, after 1, 2 and 4 s, only if the service answered
   * 5xx, and never if its answer was lost.
   * @throws ServiceError
   */
  trigger(trigger: CollectorTrigger, options?: CallOptions): Promise<CollectorRun>;
  /**
   * Returns the current result of a job (B2). Read the rows to their end, or leave their loop.
   * @throws ServiceError, `job-failed` if the job ended without a result, `not-found` if it does not exist
   */
  dataset(collectionId: string, options?: DatasetOptions): Promise<CollectorResult | Building>;
  /**
   * Polls until a job is finished; transient failures do not end the wait.
   * @throws ServiceError, also `aborted` and `max-wait-reached`: the job itself continues
   */
  wait(collectionId: string, options?: DatasetOptions & PollOptions): Promise<CollectorResult>;
  /** Triggers a job and waits for it. @throws ServiceError, which names the job as soon as it has an id */
  run(
    trigger: CollectorTrigger,
    options?: Pick<DatasetOptions, 'parseRow'> & CallOptions & PollOptions,
  ): Promise<CollectorRun & { result: CollectorResult }>;
}

export function createCollectors(transport: Transport, profile: ServiceProfile): Collectors {
  async function ask(id: string, options: DatasetOptions): Promise<ResultOutcome<CollectorResult>> {
    const { triggeredAt, parseRow, signal } = options;
    const expected = { format: 'json', id, isRecent: isRecent(triggeredAt) } as const;
    const asked = await openResult(transport, datasetRequest(id, signal), expected);
    if ('unfinished' in asked) return asked;
    const rows = rowsOf(asked.found, parseRow);
    const first = await rows.next();
    if (first.done) return { found: { state: withoutRows(options) } };
    return { found: { state: 'ready', rows: withFirst(first.value, rows) } };
  }

  async function wait(id: string, options: DatasetOptions & PollOptions = {}) {
    const url = `${transport.url}${datasetPath}?id=${encodeURIComponent(id)}`;
    const fix = `The job itself continues: ${goOn(id)}`;
    return pollUntilReady(() => ask(id, options), { ...options, id, url, fix });
  }

  async function trigger(request: CollectorTrigger, { signal }: CallOptions = {}): Promise<CollectorRun> {
    const wire: WireRequest = { ...triggerRequest(request, profile), takesText: true, signal };
    return transport.read(wire, startedRun);
  }

  return {
    trigger,
    async dataset(id, options = {}) {
      const asked = await ask(id, options);
      return 'found' in asked ? asked.found : { state: 'building', ...asked.unfinished };
    },
    wait,
    async run(request, { signal, ...more } = {}) {
      const triggeredAt = new Date();
      const run = await trigger(request, { signal });
      return { ...run, result: await wait(run.collectionId, { triggeredAt, signal, ...more }) };
    },
  };
}

const started = triggeredReader(collectorJob);

const startedRun: Reader<CollectorRun> = (value, at) => {
  const eta = isMapValue(value) ? value.start_eta : undefined;
  const isTold = typeof eta === 'string';
  if (!isTold && eta !== undefined && eta !== null) at.misfits.add([...at.path, 'start_eta'], eta, 'a time');
  return { collectionId: started(value, at), startEta: isTold ? eta : undefined };
};

const day = 24 * 60 * 60 * 1000;

/** Retention of results by the service, from when they are ready. */
const retentionMs = { batch: 16 * day, realTime: 7 * day };

/** Maximum time from trigger to result that is assumed if the time of the result is unknown. */
const longestBuildMs = day;

const datasetPath = '/dca/dataset';

function datasetRequest(id: string, signal: AbortSignal | undefined): WireRequest {
  const keptOn = goOn(id);
  return {
    method: 'GET',
    path: datasetPath,
    query: { id },
    fixes: {
      'not-found':
        'Check the id (`j_…`) against the collection_id in the answer to the trigger. If the job was triggered very recently, try again in a few minutes.',
      'unexpected-answer': `Ask for it again; ${keptOn}`,
      'server-error': `Try again later; ${keptOn}`,
      'timed-out': `Try again, or allow more time (timeoutMs); ${keptOn}`,
      'connection-lost': `Try again; ${keptOn}`,
      aborted: `The job itself continues: ${keptOn}`,
    },
    signal,
  };
}

function goOn(id: string): string {
  return `collectors.wait('${id}') waits for it again.`;
}

function withoutRows({ triggeredAt, readyAt, isRealTime = false }: DatasetOptions): NoRows['state'] {
  const keptMs = isRealTime ? retentionMs.realTime : retentionMs.batch;
  if (readyAt !== undefined) return Date.now() - readyAt.getTime() < keptMs ? 'empty' : 'expired';
  if (triggeredAt === undefined) return 'empty-or-expired';
  const ageMs = Date.now() - triggeredAt.getTime();
  if (ageMs < keptMs) return 'empty';
  return ageMs < keptMs + longestBuildMs ? 'empty-or-expired' : 'expired';
}

async function* withFirst(
  first: Row,
  rest: AsyncGenerator<Row, void, undefined>,
): AsyncGenerator<Row, void, undefined> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}
