/** Dataset collections (specification, C): triggers them, streams their snapshots, and saves them completely or not at all. */

import { writeOutputFile } from '../../../base/files/outputFile.ts';
import type { Inferences } from '../../inferredProfile.ts';
import type { ServiceProfile } from '../../profile.ts';
import type { CallOptions, Transport } from '../../transport/transport.ts';
import type { WireRequest } from '../../transport/wireRequest.ts';
import { headerSecrets } from './delivery.ts';
import { isRecent, type ResultOutcome, rowsOf, type Unfinished } from './results/openResult.ts';
import { type PollOptions, pollUntilReady } from './results/pollJob.ts';
import type { ResultFormat } from './results/resultReading.ts';
import type { ParseRow, Row } from './results/rows.ts';
import { createSnapshotRoutes } from './snapshotRoutes.ts';
import { datasetJob, triggeredReader } from './triggerAnswers.ts';
import { checkDatasetTrigger, checkSnapshotFormat } from './triggerRules.ts';

export type SnapshotFormat = ResultFormat;

export interface DatasetTrigger {
  /** The dataset scraper, `gd_…`. */
  datasetId: string;
  /** At least one object; profile and post scrapers take `url`. */
  inputs: readonly Readonly<Record<string, unknown>>[];
  /** Default `json`. */
  format?: SnapshotFormat | undefined;
  /** URL that receives the result by POST. */
  endpoint?: string | undefined;
  /** Sends the result uncompressed; gzip-compressed by default. */
  uncompressed?: boolean | undefined;
  /** Value of the `Authorization` header of that POST. */
  authorization?: string | undefined;
}

export interface SnapshotOptions<Format extends SnapshotFormat = SnapshotFormat> extends CallOptions {
  /** Default `json`. */
  format?: Format | undefined;
  /** Time of the trigger. For 5 minutes from then, a snapshot that the service does not know counts as not ready. */
  triggeredAt?: Date | undefined;
  /** Reads the text of a row; by default JSON.parse. `save` writes the bytes of the service without parsing them. */
  parseRow?: ParseRow | undefined;
}

export interface NotReady extends Unfinished {
  state: 'not-ready';
}

/** A snapshot as it arrives: rows, or the bytes of a `csv`. Read it once, to its end or until its loop is left. */
export type Snapshot<Format extends SnapshotFormat> = Format extends 'csv'
  ? { state: 'ready'; bytes: AsyncIterable<Uint8Array> }
  : { state: 'ready'; rows: AsyncIterable<Row> };

export interface Datasets {
  /**
   * Starts a collection (C1), which is billed each time: never sent again if the first request may have had an effect.
   * @throws ServiceError
   */
  trigger(trigger: DatasetTrigger, options?: CallOptions): Promise<{ snapshotId: string }>;
  /**
   * Returns the current state of a snapshot (C2).
   * @throws ServiceError, `not-found` for an unknown one, `job-failed` if the collection failed
   */
  download<Format extends SnapshotFormat = 'json'>(
    snapshotId: string,
    options?: SnapshotOptions<Format>,
  ): Promise<Snapshot<Format> | NotReady>;
  /** Polls until a snapshot is ready; transient failures do not end the wait. @throws ServiceError, also `max-wait-reached` */
  wait<Format extends SnapshotFormat = 'json'>(
    snapshotId: string,
    options?: SnapshotOptions<Format> & PollOptions,
  ): Promise<Snapshot<Format>>;
  /** Cancels the job of a snapshot. Returns false if the service has no route for that, or the job is not running. @throws ServiceError */
  cancel(snapshotId: string, options?: CallOptions): Promise<boolean>;
  /** Saves a snapshot as it arrives. A regular file gets its name only when it is complete. @throws ServiceError, ProblemError */
  save(
    snapshotId: string,
    file: string,
    options?: SnapshotOptions,
  ): Promise<{ state: 'saved'; bytes: number } | NotReady>;
}

export function createDatasets(transport: Transport, profile: ServiceProfile, inferences: Inferences): Datasets {
  const routes = createSnapshotRoutes(transport, profile, inferences);

  async function open(id: string, options: SnapshotOptions) {
    const { format = 'json', triggeredAt, signal } = options;
    checkSnapshotFormat(format);
    return routes.open({ id, format, isRecent: isRecent(triggeredAt), signal });
  }

  async function ask<Format extends SnapshotFormat>(
    id: string,
    options: SnapshotOptions<Format>,
  ): Promise<ResultOutcome<Snapshot<Format>>> {
    const asked = await open(id, options);
    if ('unfinished' in asked) return asked;
    const { found } = asked;
    const content = options.format === 'csv' ? { bytes: found.body } : { rows: rowsOf(found, options.parseRow) };
    return { found: { state: 'ready', ...content } as Snapshot<Format> };
  }

  return {
    async trigger(trigger, { signal } = {}) {
      const wire: WireRequest = { ...triggerRequest(trigger, profile), takesText: true, signal };
      return { snapshotId: await transport.read(wire, triggeredReader(datasetJob)) };
    },
    async download<Format extends SnapshotFormat = 'json'>(id: string, options: SnapshotOptions<Format> = {}) {
      const asked = await ask(id, options);
      return 'found' in asked ? asked.found : { state: 'not-ready', ...asked.unfinished };
    },
    wait(id, options = {}) {
      const url = `${transport.url}${routes.path(id)}`;
      const fix = `The job itself continues: datasets.wait('${id}') waits for it again.`;
      return pollUntilReady(() => ask(id, options), { ...options, id, url, fix });
    },
    cancel: routes.cancel,
    async save(id, file, options = {}) {
      const asked = await open(id, options);
      if ('unfinished' in asked) return { state: 'not-ready', ...asked.unfinished };
      return { state: 'saved', bytes: await savedBytes(asked.found.body, file) };
    },
  };
}

function triggerRequest(trigger: DatasetTrigger, { datasets }: ServiceProfile): WireRequest {
  checkDatasetTrigger(trigger);
  const { datasetId, inputs, format = 'json', endpoint, uncompressed, authorization } = trigger;
  return {
    method: 'POST',
    path: '/datasets/v3/trigger',
    query: {
      dataset_id: datasetId,
      format: format === 'ndjson' ? datasets.ndjsonFormat : format,
      [datasets.endpointParameter]: endpoint,
      uncompressed_webhook: uncompressed?.toString(),
      [datasets.authorizationParameter]: authorization,
    },
    body: inputs,
    fixes: { 'not-found': `Check the dataset ID ${datasetId}, and that the account has access to it.` },
    secrets: authorization === undefined ? [] : headerSecrets(authorization),
  };
}

/** Saves the pieces, and returns the number of bytes. */
async function savedBytes(pieces: AsyncIterable<Uint8Array>, file: string): Promise<number> {
  let bytes = 0;
  async function* counted() {
    for await (const piece of pieces) {
      bytes += piece.length;
      yield piece;
    }
  }
  await writeOutputFile(file, counted());
  return bytes;
}
