/** The body of a delivery, piece by piece: in time, within its limit, and decompressed. */
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { brokenOff, Refusal } from './refusal.ts';

export interface BodyLimits {
  /** Of what is sent, and of what it is when decompressed. */
  maxBytes: number;
  /** Without a byte for so long, a sender has gone. */
  idleMs: number;
  /** However steadily it comes, a delivery is whole after so long. */
  totalMs: number;
}

/** What was sent. Fails with a `Refusal` where it breaks off, stalls or is too large, and leaves the connection to be answered on. */
export function bodyOf(request: IncomingMessage, { maxBytes, idleMs, totalMs }: BodyLimits): Readable {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  let bytes = 0;
  const body = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > maxBytes) done(tooLarge(maxBytes));
      else done(null, piece);
    },
  });
  const tooLong = setTimeout(() => body.destroy(tooSlow(totalMs)), totalMs);
  // A socket is also silent while this side is slow to write: that is no fault of the sender.
  request.setTimeout(idleMs, () => body.writableNeedDrain || body.destroy(stalled(idleMs)));
  request.once('end', () => request.setTimeout(0)).once('error', () => body.destroy(brokenOff()));
  request.once('close', () => request.complete || body.destroy(brokenOff()));
  // Whoever reads the body gets the error, also when it comes before the first read.
  body.on('error', () => undefined).once('close', () => clearTimeout(tooLong));
  return request.pipe(body);
}

/**
 * What was meant, whether its header or only its first bytes say that it is compressed: the specification has the one and does
 * not speak of the other. JSON and CSV never begin like gzip.
 */
export async function* decoded(body: Readable, encoding = '', maxBytes = Infinity): AsyncGenerator<Buffer> {
  if (!/^(x-gzip|gzip|identity)?$/i.test(encoding.trim())) throw unknownEncoding;
  const pieces: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  const head = await firstBytes(pieces);
  const whole = continued(head, pieces);
  const isGzip = head.subarray(0, 2).equals(gzipMagic);
  if (!isGzip && /gzip/i.test(encoding)) throw notGzip;
  yield* isGzip ? decompressed(whole, maxBytes) : whole;
}

/**
 * Takes a little more of a request that is refused, so that its sender gets to read why: closing a connection that still has
 * unread bytes throws the answer away.
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
/** Larger than usual: fewer and larger writes. */
const chunkSize = 64 * 1024;

async function* decompressed(pieces: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  // The callback has nothing to add: what fails is thrown from the loop.
  for await (const piece of pipeline(Readable.from(pieces), createGunzip({ chunkSize }), () => undefined)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield piece;
  }
}

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
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
}

/** What failed, as a refusal where the delivery itself is the reason. */
export function bodyFault(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code.startsWith('Z_') ? notGzip : error;
}

const notGzip = new Refusal(400, 'not-gzip', 'The body is not whole, valid gzip.');
const unknownEncoding = new Refusal(415, 'unknown-encoding', 'Content-Encoding must be gzip, or not be there.');

function tooLarge(maxBytes: number): Refusal {
  return new Refusal(413, 'too-large', `The delivery is larger than ${maxBytes} bytes.`);
}

function stalled(idleMs: number): Refusal {
  return new Refusal(408, 'stalled', `Nothing came for ${idleMs / 1000} s.`);
}

function tooSlow(totalMs: number): Refusal {
  return new Refusal(408, 'too-slow', `The delivery was not whole after ${totalMs / 1000} s.`);
}
