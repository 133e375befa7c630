/** Content codings of answers (RFC 9110, 8.4), for whole answers and for streams. */
import { constants as buffers } from 'node:buffer';
import { once } from 'node:events';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** Value of `accept-encoding` in every request. */
export const acceptedCodings = 'gzip, br, deflate';

/** Codings that no request accepts and that cannot be decompressed here. */
const foreign = /^(?:zstd|compress|x-compress|dcb|dcz)$/;

type Coding = 'gzip' | 'br' | 'deflate';

/** Thrown for an answer in a content coding that was not requested. */
export class ForeignCoding extends Error {}

/** Returns the codings of a body in the order in which they were applied. Ignores unknown names of codings. @throws ForeignCoding */
export function codingsOf(contentEncoding = ''): Coding[] {
  const words = contentEncoding.split(',').map((word) => word.trim().toLowerCase());
  const unread = words.find((word) => foreign.test(word));
  if (unread !== undefined) throw new ForeignCoding(unread);
  return words.flatMap((word) => codingByWord.get(word) ?? []);
}

const codingByWord: ReadonlyMap<string, Coding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
  ['deflate', 'deflate'],
]);

/**
 * Decompresses a whole body. With `isPartial`, decompresses as much as possible of a truncated one.
 * @throws RangeError if the result is longer than `maxBytes`
 */
export async function decompress(
  body: Uint8Array,
  coding: Coding,
  maxBytes: number,
  isPartial: boolean,
): Promise<Buffer> {
  const maxOutputLength = Math.min(maxBytes, buffers.MAX_LENGTH);
  if (coding === 'br') {
    const finishFlush = isPartial ? zlib.constants.BROTLI_OPERATION_FLUSH : zlib.constants.BROTLI_OPERATION_FINISH;
    return unbrotli(body, { maxOutputLength, finishFlush });
  }
  const finishFlush = isPartial ? zlib.constants.Z_SYNC_FLUSH : zlib.constants.Z_FINISH;
  const form = formOf(coding, body);
  // A proxy may have decompressed the body and kept the header.
  if (form === 'plain') return Buffer.from(body);
  return { gzip: gunzip, zlib: inflate, raw: inflateRaw }[form](body, { maxOutputLength, finishFlush });
}

const gunzip = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const unbrotli = promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

/** Returns the actual format: `deflate` means zlib, but many servers send raw deflate. */
function formOf(coding: 'gzip' | 'deflate', [first = 0, second = 0]: Uint8Array): 'gzip' | 'zlib' | 'raw' | 'plain' {
  if (coding === 'gzip') return first === 0x1f && second === 0x8b ? 'gzip' : 'plain';
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0 ? 'zlib' : 'raw';
}

/** Decompresses a stream. An error before the first bytes rejects; a later error is emitted by the returned stream. */
export async function decompressedStream(body: Readable, codings: readonly Coding[]): Promise<Readable> {
  let decoded = body;
  for (const coding of codings.toReversed()) {
    const decoder =
      coding === 'br' ? zlib.createBrotliDecompress() : decoderOf(formOf(coding, await firstBytes(decoded)));
    if (decoder !== undefined) decoded = pipeline(decoded, decoder, () => {});
  }
  return decoded;
}

function decoderOf(form: ReturnType<typeof formOf>): Duplex | undefined {
  const make = { gzip: zlib.createGunzip, zlib: zlib.createInflate, raw: zlib.createInflateRaw, plain: undefined };
  return make[form]?.();
}

/** Returns the first bytes of a stream and puts them back. One without any bytes, as of a 304, may end and never be readable. */
async function firstBytes(stream: Readable): Promise<Uint8Array> {
  await Promise.race([once(stream, 'readable'), once(stream, 'end')]);
  const head: Buffer | null = stream.read();
  if (head === null) return new Uint8Array();
  stream.unshift(head);
  return head;
}
