/** Answers that are held in memory as a whole, and their texts. */
import { isUtf8 } from 'node:buffer';
import { decodeUtf8 } from '../../base/values/utf8.ts';
import type { Fail } from '../errors.ts';
import { abandon, brokenBody, type Response, type ResponseHead } from './exchange.ts';

/** An answer as far as it was received. */
export interface Whole extends ResponseHead {
  pieces: readonly Uint8Array[];
  /** Size in bytes. For an answer that is too large, a number above the limit. */
  size: number;
  /** Error that broke off the answer; undefined for a complete one. */
  cause?: unknown;
}

/** Reads the body of an answer, as far as it has at most `maxBytes`. */
export async function drained({ status, header, body }: Response, maxBytes: number): Promise<Whole> {
  const pieces: Uint8Array[] = [];
  let size = Number(header('content-length') ?? 0);
  if (size > maxBytes) {
    abandon(body);
    return { status, header, pieces, size };
  }
  size = 0;
  try {
    for await (const piece of body) {
      size += piece.length;
      if (size > maxBytes) break;
      pieces.push(piece);
    }
    return { status, header, pieces, size };
  } catch (cause) {
    return { status, header, pieces, size, cause };
  }
}

/**
 * Returns the text of an answer in its declared charset, by default UTF-8.
 * @throws ServiceError from `fail` if it broke off, stalled or is longer than `maxBytes`
 */
export function readAnswerText(
  { status, header, pieces, size, cause }: Whole,
  maxBytes: number,
  signal: AbortSignal | undefined,
  fail: Fail,
): AnswerText {
  if (size > maxBytes) throw fail('unexpected-answer', `was answered with more than ${maxBytes} bytes`, { status });
  // The status of a refusal is enough if its text broke off.
  if (cause && (status < 400 || signal?.aborted)) throw brokenBody(cause, status, size, signal, fail);
  return decoded(Buffer.concat(pieces), header('content-type'));
}

interface AnswerText {
  text: string;
  /** Set if the text has replaced letters: the bytes are not in their encoding. */
  replaced?: string;
}

const utf8 = new TextDecoder();

/** Decodes the text. An unknown charset is read as UTF-8. */
function decoded(bytes: Uint8Array, contentType = ''): AnswerText {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  const known = charset === undefined || /^utf-?8$/i.test(charset) ? undefined : decoderOf(charset);
  if (known === undefined && isUtf8(bytes)) return { text: utf8.decode(bytes) };
  try {
    if (known !== undefined) return { text: known.decode(bytes) };
  } catch {
    // Explained below.
  }
  return { text: utf8.decode(bytes), replaced: faultIn(bytes) };
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
}

function faultIn(bytes: Uint8Array): string {
  const decodedBytes = decodeUtf8(bytes);
  if ('text' in decodedBytes) return 'text that is not in its declared encoding';
  return `text that is not UTF-8 (line ${decodedBytes.wrongLine})`;
}
