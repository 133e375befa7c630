/** Batches of collectors (specification, B): triggered, polled, and read as a stream of rows. */
import { z } from 'zod';
import type { WireRequest } from './call.ts';
import { type CollectorTrigger, triggerRequest } from './collectorTrigger.ts';
import { headOf } from './head.ts';
import { type PollOptions, pollUntilReady } from './poll.ts';
import type { ServiceProfile } from './profile.ts';
import { type ParseRow, type Row, readRows } from './rows.ts';
import type { CallOptions, Transport } from './transport.ts';

export interface CollectorRun {
  /** `j_…`; what other calls of the service name a snapshot id. */
  collectionId: string;
  /** When it is expected to start, ISO 8601. */
  startEta: string;
}

export interface RowsResult {
  state: 'ready';
  /** Read as they come, once. What breaks off is an error of the iteration. */
  rows: AsyncIterable<Row>;
}

/**
 * A finished run without rows. The service answers the same for one that had none and for one whose results are no longer
 * kept, which are told apart by the time of the trigger, where that is known.
 */
export interface NoRows {
  state: 'empty' | 'expired' | 'empty-or-expired';
}

export type CollectorResult = RowsResult | NoRows;

export interface DatasetOptions extends CallOptions {
  /** When the run was triggered; tells an empty result from an expired one. */
  triggeredAt?: Date | undefined;
  /** Reads the text of each row; by default JSON.parse. */
  parseRow?: ParseRow | undefined;
}

export interface Collectors {
  /**
   * Starts a run (B1). Each trigger is a run of its own, billed as such: it is sent again, after 1, 2 and 4 s, only where the
   * service answered 5xx, and never where its answer was lost. @throws ServiceError
   */
  trigger(trigger: CollectorTrigger, options?: CallOptions): Promise<CollectorRun>;
  /** What there is of a run at this moment (B2). Read the rows to their end, or leave their loop. @throws ServiceError */
  dataset(collectionId: string, options?: DatasetOptions): Promise<CollectorResult | { state: 'building' }>;
  /** Polls until a run is finished. @throws ServiceError, also when aborted: the run itself goes on. */
  wait(collectionId: string, options?: DatasetOptions & PollOptions): Promise<CollectorResult>;
  /** Triggers a run and waits for it. @throws ServiceError that names the run, once there is one */
  run(
    trigger: CollectorTrigger,
    options?: Pick<DatasetOptions, 'parseRow'> & CallOptions & PollOptions,
  ): Promise<CollectorRun & { result: CollectorResult }>;
}

export function createCollectors(transport: Transport, profile: ServiceProfile): Collectors {
  async function dataset(id: string, { triggeredAt, parseRow, signal }: DatasetOptions = {}) {
    const { body, value, fail } = await transport.stream(datasetRequest(id, signal));
    const head = await headOf(body, longestStatus, (text) => text.startsWith('['));
    if (!head.text.startsWith('[')) {
      await head.cancel();
      const { status } = value(head.text, building);
      return { state: status };
    }
    const rows = readRows(head.body, 'json', fail, parseRow);
    const first = await rows.next();
    if (first.done) return { state: withoutRows(triggeredAt) };
    return { state: 'ready' as const, rows: withFirst(first.value, rows) };
  }

  async function wait(id: string, { pollMs, onProgress, ...options }: DatasetOptions & PollOptions = {}) {
    const ask = async () => {
      const result = await dataset(id, options);
      return result.state === 'building' ? undefined : result;
    };
    const url = `${transport.url}${datasetPath}?id=${encodeURIComponent(id)}`;
    return pollUntilReady(ask, {
      id,
      url,
      fix: `The run itself goes on: ${goOn(id)}`,
      pollMs,
      onProgress,
      signal: options.signal,
    });
  }

  async function trigger(request: CollectorTrigger, { signal }: CallOptions = {}): Promise<CollectorRun> {
    const run = await transport.json({ ...triggerRequest(request, profile), signal }, triggered);
    return { collectionId: run.collection_id, startEta: run.start_eta };
  }

  return {
    trigger,
    dataset,
    wait,
    async run(request, { signal, ...more } = {}) {
      const triggeredAt = new Date();
      const run = await trigger(request, { signal });
      return { ...run, result: await wait(run.collectionId, { triggeredAt, signal, ...more }) };
    },
  };
}

/** How long the service keeps the results of a batch. */
const retentionMs = 16 * 24 * 60 * 60 * 1000;

const datasetPath = '/dca/dataset';

/** A status object is short; whatever is longer is none. */
const longestStatus = 4096;

const triggered = z.looseObject({ collection_id: z.string(), start_eta: z.string() });

const building = z.looseObject({ status: z.literal('building') });

function datasetRequest(id: string, signal: AbortSignal | undefined): WireRequest {
  const keptOn = goOn(id);
  return {
    method: 'GET',
    path: datasetPath,
    query: { id },
    compressed: true,
    fixes: {
      'not-found': 'Check the id (`j_…`): the trigger answered with it as collection_id.',
      'unexpected-answer': `Ask for it again; ${keptOn}`,
      'server-error': `Try again later; ${keptOn}`,
      'timed-out': `Try again, or allow more time (timeoutMs); ${keptOn}`,
      'connection-lost': `Try again; ${keptOn}`,
      aborted: `The run itself goes on: ${keptOn}`,
    },
    signal,
  };
}

function goOn(id: string): string {
  return `collectors.wait('${id}') takes it up again.`;
}

function withoutRows(triggeredAt: Date | undefined): NoRows['state'] {
  if (triggeredAt === undefined) return 'empty-or-expired';
  return Date.now() - triggeredAt.getTime() < retentionMs ? 'empty' : 'expired';
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
