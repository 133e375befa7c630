/** Dataset collections and their snapshots (specification, C): triggered, downloaded as a stream, saved whole or not at all. */
import { z } from 'zod';
import type { WireRequest } from './call.ts';
import { pathSegment } from './call.ts';
import { isListOfObjects } from './collectorTrigger.ts';
import { headerSecrets } from './delivery.ts';
import { type Fixes, ServiceError, unusable } from './errors.ts';
import { headOf } from './head.ts';
import { type PollOptions, pollUntilReady } from './poll.ts';
import type { ServiceProfile } from './profile.ts';
import { type ParseRow, type Row, readRows } from './rows.ts';
import { saveStream } from './saveStream.ts';
import { snapshotNotice, snapshotRefusal } from './snapshotNotice.ts';
import type { CallOptions, Streamed, Transport } from './transport.ts';

export type SnapshotFormat = 'json' | 'ndjson' | 'csv';

export interface DatasetTrigger {
  /** The dataset scraper, `gd_…`. */
  datasetId: string;
  /** At least one object; profile and post scrapers take `url`. */
  inputs: readonly Readonly<Record<string, unknown>>[];
  /** Default `json`. */
  format?: SnapshotFormat | undefined;
  /** A URL that the result is sent to by POST, once it is there. */
  endpoint?: string | undefined;
  /** Sends it there as it is; gzip-compressed by default. */
  uncompressed?: boolean | undefined;
  /** The value of the `Authorization` header that it is sent there with. */
  authorization?: string | undefined;
}

export interface SnapshotOptions<Format extends SnapshotFormat = SnapshotFormat> extends CallOptions {
  /** Default `json`. */
  format?: Format | undefined;
  /** Reads the text of each row; by default JSON.parse. What is saved is never parsed. */
  parseRow?: ParseRow | undefined;
}

export interface NotReady {
  state: 'not-ready';
}

/** Read as it comes, once, to the end or until its loop is left: rows, or the text of a `csv` in bytes. */
export type Snapshot<Format extends SnapshotFormat> = Format extends 'csv'
  ? { state: 'ready'; bytes: AsyncIterable<Uint8Array> }
  : { state: 'ready'; rows: AsyncIterable<Row> };

export interface Datasets {
  /** Starts a collection (C1), billed each time: never sent again where it may have had its effect. @throws ServiceError */
  trigger(trigger: DatasetTrigger, options?: CallOptions): Promise<{ snapshotId: string }>;
  /** What there is of a snapshot at this moment (C2). @throws ServiceError, `not-found` for an unknown one */
  download<Format extends SnapshotFormat = 'json'>(
    snapshotId: string,
    options?: SnapshotOptions<Format>,
  ): Promise<Snapshot<Format> | NotReady>;
  /** Polls until a snapshot is there. @throws ServiceError */
  wait<Format extends SnapshotFormat = 'json'>(
    snapshotId: string,
    options?: SnapshotOptions<Format> & PollOptions,
  ): Promise<Snapshot<Format>>;
  /** Saves a snapshot as it comes. The file has its name only once it is whole. @throws ServiceError */
  save(
    snapshotId: string,
    file: string,
    options?: SnapshotOptions,
  ): Promise<{ state: 'saved'; bytes: number } | NotReady>;
}

export function createDatasets(transport: Transport, profile: ServiceProfile): Datasets {
  /** The content of a snapshot, once it is plain that it is content. */
  async function open(id: string, format: SnapshotFormat, signal: AbortSignal | undefined) {
    const answer = await transport.stream({ ...downloadRequest(id, format), signal }).catch((error: unknown) => {
      const refused = error instanceof ServiceError ? snapshotRefusal(error, fixes) : error;
      if (refused !== 'not-ready') throw refused;
    });
    return answer === undefined ? undefined : contentOf(answer, format);
  }

  async function download<Format extends SnapshotFormat>(id: string, options: SnapshotOptions<Format> = {}) {
    const { signal, parseRow } = options;
    const format: SnapshotFormat = options.format ?? 'json';
    const content = await open(id, format, signal);
    if (content === undefined) return { state: 'not-ready' } as const;
    const { body, fail } = content;
    const ready = format === 'csv' ? { bytes: body } : { rows: readRows(body, format, fail, parseRow) };
    return { state: 'ready', ...ready } as Snapshot<Format>;
  }

  return {
    async trigger(trigger, { signal } = {}) {
      const { snapshot_id } = await transport.json({ ...triggerRequest(trigger, profile), signal }, triggered);
      return { snapshotId: snapshot_id };
    },
    download,
    wait(id, { pollMs, onProgress, ...options } = {}) {
      const ask = async () => {
        const snapshot = await download(id, options);
        return snapshot.state === 'not-ready' ? undefined : snapshot;
      };
      const url = `${transport.url}${downloadPath(id)}`;
      const fix = `The collection itself goes on: datasets.wait('${id}') takes it up again.`;
      return pollUntilReady(ask, { id, url, fix, pollMs, onProgress, signal: options.signal });
    },
    async save(id, file, { format = 'json', signal } = {}) {
      const content = await open(id, format, signal);
      return content === undefined
        ? { state: 'not-ready' }
        : { state: 'saved', bytes: await saveStream(content.body, file) };
    },
  };
}

const triggered = z.looseObject({ snapshot_id: z.string() });

function triggerRequest(trigger: DatasetTrigger, { datasets }: ServiceProfile): WireRequest {
  const { datasetId, inputs, format = 'json', endpoint, uncompressed, authorization } = trigger;
  const path = '/datasets/v3/trigger';
  if (!datasetId.startsWith('gd_')) {
    const fix = 'Copy it from the page of the dataset.';
    throw unusable('refused', path, `the dataset ID "${datasetId}" does not begin with gd_`, fix);
  }
  if (!isListOfObjects(inputs)) {
    const message = 'the inputs are not a list of at least one object';
    throw unusable('refused', path, message, 'Write a single input as a list of one.');
  }
  return {
    method: 'POST',
    path,
    query: {
      dataset_id: datasetId,
      format,
      ...(endpoint === undefined ? {} : { [datasets.endpointParameter]: endpoint }),
      ...(uncompressed === undefined ? {} : { uncompressed_webhook: String(uncompressed) }),
      ...(authorization === undefined ? {} : { webhook_header_Authorization: authorization }),
    },
    body: inputs,
    fixes: { 'not-found': `Check the dataset ID ${datasetId}, and that the account has access to it.` },
    secrets: authorization === undefined ? [] : headerSecrets(authorization),
  };
}

const downloadPath = (id: string): string => `/datasets/snapshots/${pathSegment(id)}/download`;

const fixes: Fixes = {
  'not-found':
    'Check the id (`s_…`): the trigger answered with it as snapshot_id; results are kept for some days only.',
  'unexpected-answer': 'Download it again.',
};

function downloadRequest(id: string, format: SnapshotFormat): WireRequest {
  const accept = { json: 'application/json', ndjson: 'application/x-ndjson, */*', csv: 'text/csv, */*' }[format];
  return { method: 'GET', path: downloadPath(id), query: { format }, accept, compressed: true, fixes };
}

/** A notice instead of a content is short. */
const longestNotice = 2048;

/** Undefined where the service says that it is not ready. @throws ServiceError where it says anything else than a content */
async function contentOf(answer: Streamed, format: SnapshotFormat) {
  const head = await headOf(answer.body, longestNotice, (text) => format === 'json' && text.startsWith('['));
  const notice = head.whole ? snapshotNotice(head.text) : undefined;
  if (notice === 'not-ready') return undefined;
  if (notice === 'not-found') throw answer.fail('not-found', 'was answered that there is no such snapshot');
  if (!beginnings[format].test(head.text)) {
    await head.cancel();
    answer.value(head.text, z.array(z.unknown()));
  }
  return { body: head.body, fail: answer.fail };
}

/** How the content of each format may begin: a page is none. */
const beginnings: Record<SnapshotFormat, RegExp> = { json: /^\[/, ndjson: /^(\{|$)/, csv: /^(?!<)/ };
