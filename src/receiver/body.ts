/** Reads the body of a delivery as a stream: with time limits and a size limit, and decompressed. */
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { patientTimeout } from '../base/values/patientTimeout.ts';
import { brokenOff, RefusedDelivery } from './refusal.ts';

export interface BodyLimits {
  /** The limit of the body, both as sent and decompressed. */
  maxBytes: number;
  /** The longest pause between two bytes. */
  idleMs: number;
  /** The longest time for a whole delivery. */
  totalMs: number;
}

/** Returns the body as it was sent. Fails with a `RefusedDelivery` if it breaks off, stalls or is too large; an answer is still possible then. */
export function readBody(request: IncomingMessage, { maxBytes, idleMs, totalMs }: BodyLimits): Readable {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  let bytes = 0;
  const body = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > maxBytes) done(tooLarge(maxBytes));
      else done(null, piece);
    },
  });
  const cancel = patientTimeout(() => body.destroy(tooSlow(totalMs)), totalMs);
  // The socket is also silent while this side is slow to write, which is not the sender's fault.
  request.setTimeout(idleMs, () => {
    const before = bytes;
    patientTimeout(() => bytes > before || body.writableNeedDrain || body.destroy(stalled(idleMs)), 0);
  });
  request.once('end', () => request.setTimeout(0)).once('error', () => body.destroy(brokenOff()));
  request.once('close', () => request.complete || body.destroy(brokenOff()));
  // The reader of the body gets the error, even if it occurs before the first read.
  body.on('error', () => undefined).once('close', cancel);
  return request.pipe(body);
}

/** The body of a delivery as it was sent. */
interface EncodedBody {
  isGzip: boolean;
  /** Stays open when a reader of `restOf` fails, so that the rest can still be read. */
  pieces: AsyncIterator<Buffer>;
}

/**
 * Recognizes gzip by the first bytes alone: the specification mentions compression but not the header, and a proxy may unpack a body without
 * removing the header. JSON and CSV never start like gzip.
 */
export async function openEncoded(body: Readable): Promise<EncodedBody> {
  const pieces: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  const head = await firstBytes(pieces);
  return { isGzip: head.subarray(0, 2).equals(gzipMagic), pieces: continued(head, pieces) };
}

/** Returns whether this receiver cannot decode a `Content-Encoding`. */
export function isUnknownEncoding(encoding = ''): boolean {
  return !/^(x-gzip|gzip|identity)?$/i.test(encoding.trim());
}

/** Iterates over the pieces that are left, and leaves the iterator open. */
export async function* restOf(pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
}

/** Decompresses gzip. @throws an error that `isBrokenGzip` recognizes */
export async function* decompressed(pieces: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  // The loop throws all errors, so the callback does nothing.
  for await (const piece of pipeline(Readable.from(pieces), createGunzip({ chunkSize }), () => undefined)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield piece;
  }
}

export function isBrokenGzip(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true;
}

/**
 * Reads a little more of a refused request, so that its sender can read the answer: closing a connection with unread bytes discards it.
 */
export async function drain(request: IncomingMessage): Promise<void> {
  let bytes = 0;
  const enough = new AbortController();
  const stop = () => enough.abort();
  request.unpipe();
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > drainedBytes) stop();
  });
  request.once('end', stop).once('close', stop).once('error', stop);
  if (request.complete || request.destroyed) stop();
  await sleep(drainedMs, undefined, { signal: enough.signal }).catch(() => undefined);
  request.pause();
}

const drainedBytes = 4 * 1024 * 1024;
const drainedMs = 1000;

const gzipMagic = Buffer.of(0x1f, 0x8b);
/** Larger than the default, for fewer writes. */
const chunkSize = 64 * 1024;

async function firstBytes(pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  let head: Buffer = Buffer.of();
  while (head.length < gzipMagic.length) {
    const { done = false, value } = await pieces.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

async function* continued(head: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* restOf(pieces);
}

function tooLarge(maxBytes: number): RefusedDelivery {
  return new RefusedDelivery(413, 'too-large', `The delivery is larger than ${maxBytes} bytes.`);
}

function stalled(idleMs: number): RefusedDelivery {
  return new RefusedDelivery(408, 'stalled', `No data arrived for ${idleMs / 1000} s.`);
}

function tooSlow(totalMs: number): RefusedDelivery {
  return new RefusedDelivery(408, 'too-slow', `The delivery was not complete after ${totalMs / 1000} s.`);
}
