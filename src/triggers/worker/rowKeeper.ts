/** Keeps the rows of a result in one file or object: completely or not at all, and in little memory. */
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { bucketAddress } from '../../base/drivers/bucketAddress.ts';
import { csvRow, csvText } from '../../base/values/csv.ts';
import { parseExact } from '../../base/yaml/exactNumbers.ts';
import type { Row } from '../../client/areas/jobs/results/rows.ts';
import { ServiceError } from '../../client/errors.ts';
import type { DeliveryStore } from '../../keeping/destination.ts';
import { type Spooled, spool } from '../../keeping/spool.ts';
import { storeFailure } from '../../keeping/storeFailure.ts';
import type { Keep } from '../declared/scheduleSpec.ts';

/** Rows, or a text that already has its format, such as a table of the service. */
export type ResultContent =
  | { rows: AsyncIterable<Row> }
  | { text: AsyncIterable<string | Uint8Array>; format: Keep['format'] };

export interface KeptRows {
  /** Null for a text. */
  rows: number | null;
  /** The file, below the folder of the declaration, or the object. */
  kept: string;
}

export interface RowKeeper {
  /** Fails with `NotKept` if the place cannot be written, and with the error of the service if the rows break off. */
  keep(keep: Keep, name: readonly string[], content: ResultContent, signal: AbortSignal): Promise<KeptRows>;
  /** Opens kept rows; undefined if they are not there. */
  read(keep: Keep, kept: string): Promise<Readable | undefined>;
  /** Finds out whether the place can be written, before a large result is read again. @throws NotKept */
  probe(keep: Keep, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The place cannot be written; the message says why. */
export class NotKept extends Error {
  override name = 'NotKept';
}

interface Surroundings {
  /** The folder that relative folders start from. */
  folder: string;
  /** The settings of the client for buckets. */
  env: Readonly<Record<string, string | undefined>>;
}

export function createRowKeeper({ folder, env }: Surroundings): RowKeeper {
  const opened = new Map<string, Promise<DeliveryStore>>();

  async function open(to: string): Promise<DeliveryStore> {
    const address = bucketAddress(to);
    if (address === undefined) return (await import('../../keeping/folder.ts')).openFolder(resolve(folder, to));
    return (await import('../../keeping/bucket.ts')).openBucket(address, env);
  }

  /** A place that cannot be opened is opened again the next time. */
  async function placeOf({ to }: Keep): Promise<DeliveryStore> {
    const known = opened.get(to) ?? open(to);
    opened.set(to, known);
    try {
      return await known;
    } catch (error) {
      opened.delete(to);
      throw notKept(to, error);
    }
  }

  return {
    async keep(keep, name, content, signal) {
      const place = await placeOf(keep);
      const { format } = 'text' in content ? content : keep;
      const names = [...name.slice(0, -1), `${name.at(-1)}.${format}`];
      try {
        const { file, count } =
          'text' in content
            ? { file: await spool(buffers(content.text), place.spoolFolder), count: null }
            : await spooledRows(content.rows, format, place.spoolFolder);
        await place
          .keep(file, names, { kind: 'rows', run: undefined }, signal)
          .finally(() => rm(file.file, { force: true }));
        return { rows: count, kept: [shownPlace(keep), ...names].join('/') };
      } catch (error) {
        if (error instanceof ServiceError || signal.aborted) throw error;
        throw notKept(keep.to, error);
      }
    },
    async read(keep, kept) {
      return (await placeOf(keep)).read(kept.slice(shownPlace(keep).length + 1).split('/'));
    },
    async probe(keep, signal) {
      const place = await placeOf(keep);
      await place.probe(signal).catch((error: unknown) => {
        throw notKept(keep.to, error);
      });
    },
    async close() {
      for (const place of opened.values()) await (await place.catch(() => undefined))?.close();
    },
  };
}

function shownPlace({ to }: Keep): string {
  return to.replace(/\/+$/, '');
}

function notKept(to: string, error: unknown): NotKept {
  const why = error instanceof ProblemError ? error.message : storeFailure({ name: to }, error).message;
  return new NotKept(`the rows could not be kept: ${why}`, { cause: error });
}

async function* buffers(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

async function spooledRows(
  rows: AsyncIterable<Row>,
  format: Keep['format'],
  folder: string,
): Promise<{ file: Spooled; count: number }> {
  let count = 0;
  const columns = new Set<string>();
  const isList = format === 'json';
  async function* texts() {
    for await (const row of rows) {
      if (format === 'csv') for (const column of Object.keys(row)) columns.add(column);
      const text = JSON.stringify(row);
      yield isList ? `${count === 0 ? '[' : ','}\n${text}` : `${text}\n`;
      count += 1;
    }
    if (isList) yield count === 0 ? '[]\n' : '\n]\n';
  }
  const file = await spool(inChunks(texts()), folder);
  if (format !== 'csv') return { file, count };
  // A later row may have other fields, so the header is known only at the end.
  try {
    return { file: await spool(inChunks(tableOf(file.file, [...columns])), folder), count };
  } finally {
    await rm(file.file, { force: true });
  }
}

async function* tableOf(file: string, columns: readonly string[]): AsyncGenerator<string> {
  if (columns.length > 0) yield csvRow(columns);
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    const row = parseExact(line) as Row;
    yield csvRow(columns.map((column) => csvText(row[column])));
  }
}

const chunkBytes = 64 * 1024;

/** Joins short texts, as each piece costs a call of the system, in one buffer: the next piece is made when this one is written. */
async function* inChunks(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  let length = 0;
  for await (const text of texts) {
    const bytes = Buffer.byteLength(text);
    if (length + bytes > chunkBytes) {
      yield chunk.subarray(0, length);
      length = 0;
    }
    if (bytes > chunkBytes) yield Buffer.from(text);
    else length += chunk.write(text, length);
  }
  yield chunk.subarray(0, length);
}
