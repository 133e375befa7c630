/**
 * One request with its answer in memory. Most calls are of this kind, so the answer is collected from undici directly: creating and
 * reading a stream would cost more than everything else in a short call.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, errors } from 'undici';
import { patientTimeout } from '../../base/values/patientTimeout.ts';
import { decodeUtf8 } from '../../base/values/utf8.ts';
import type { Fail } from '../errors.ts';
import { codingsOf, decompress, ForeignCoding } from './codings.ts';
import {
  brokenBody,
  type ExchangeRequest,
  foreignCoding,
  noAnswer,
  Pace,
  type Response,
  type ResponseHead,
  responseHead,
} from './exchange.ts';

/** Limits on the size and duration of an answer. */
interface Bounds {
  /** Maximum size of the text, compressed and decompressed. */
  maxBytes: number;
  /** Timeout between two pieces. An answer that arrives a few bytes at a time is abandoned after as long. */
  timeoutMs: number;
  /** The time at which the request was to be sent, of `performance.now()`. */
  begin: number;
}

/** An answer as far as it was received. */
export interface Whole extends ResponseHead {
  pieces: readonly Uint8Array[];
  /** Size in bytes. For an answer that is too large, a number above the limit. */
  size: number;
  /** Error that broke off the answer; undefined for a complete one. */
  cause?: unknown;
}

/** Sends the request and collects its answer. @throws ServiceError from `fail` if no answer arrives */
export async function wholeAnswer(
  pool: Dispatcher,
  request: ExchangeRequest,
  bounds: Bounds,
  fail: Fail,
): Promise<Whole> {
  const { method, target, headers, body, signal } = request;
  const collector = new Collector(bounds, signal);
  try {
    signal?.throwIfAborted();
    pool.dispatch({ method, path: target, headers, body: body ?? null }, collector);
    return await collector.whole;
  } catch (cause) {
    throw noAnswer(cause, collector, signal, fail);
  } finally {
    collector.release();
  }
}

/** Collects the rest of an answer that began as a stream. */
export async function drained({ status, header, body }: Response, maxBytes: number): Promise<Whole> {
  const pieces: Uint8Array[] = [];
  let size = 0;
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
export async function readAnswerText(
  whole: Whole,
  { maxBytes }: Pick<Bounds, 'maxBytes'>,
  signal: AbortSignal | undefined,
  fail: Fail,
): Promise<AnswerText> {
  const { status, header } = whole;
  const { pieces, size, cause } = await decompressedBody(whole, maxBytes);
  if (size > maxBytes) throw fail('unexpected-answer', `was answered with more than ${maxBytes} bytes`, { status });
  if (cause instanceof ForeignCoding) throw foreignCoding(cause, status, fail);
  // The status of a refusal is enough if its text broke off.
  if (cause && (status < 400 || signal?.aborted)) throw brokenBody(cause, status, size, signal, fail);
  return decoded(joined(pieces), header('content-type'));
}

interface AnswerText {
  text: string;
  /** Set if the text has replaced letters: the bytes are not in their encoding. */
  replaced?: string;
}

class Collector implements Dispatcher.DispatchHandler, Whole {
  sent = false;
  status = 0;
  header: ResponseHead['header'] = () => undefined;
  readonly pieces: Uint8Array[] = [];
  size = 0;
  cause?: unknown;
  readonly whole: Promise<Whole>;
  readonly #bounds: Bounds;
  readonly #signal: AbortSignal | undefined;
  readonly #pace: Pace;
  readonly #resolve: (whole: Whole) => void;
  readonly #reject: (cause: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(bounds: Bounds, signal: AbortSignal | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<Whole>();
    this.whole = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#bounds = bounds;
    this.#signal = signal;
    this.#pace = new Pace(bounds.timeoutMs);
    signal?.addEventListener('abort', this.#onAbort);
  }

  /**
   * Marks the request as sent: undici calls this immediately before it writes to a connection. Timers do not notice that the process was suspended
   * meanwhile, so the time is compared here.
   */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#signal?.aborted) controller.abort(this.#signal.reason);
    else if (performance.now() - this.#bounds.begin > this.#bounds.timeoutMs)
      controller.abort(new errors.ConnectTimeoutError());
    this.#controller = controller;
    this.sent = !controller.aborted;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 1xx, such as early hints.
    if (status < 200) return;
    this.status = status;
    this.header = responseHead(status, headers).header;
    const declared = Number(headers['content-length'] ?? 0);
    if (declared > this.#bounds.maxBytes) this.#giveUp(controller, declared);
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Uint8Array): void {
    this.size += piece.length;
    this.pieces.push(piece);
    const slow = this.#pace.after(piece);
    if (this.size > this.#bounds.maxBytes) this.#giveUp(controller, this.size);
    else if (slow) controller.abort(slow);
  }

  onResponseEnd(): void {
    this.#resolve(this);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, cause: unknown): void {
    this.cause = cause;
    if (this.status === 0) this.#reject(cause);
    else this.#resolve(this);
  }

  release(): void {
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  /** Rejects immediately if there is no connection yet; undici would wait for one. After a request was sent, takes an answer that has arrived. */
  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal?.reason;
    if (this.#controller === undefined) this.#reject(reason);
    else patientTimeout(() => this.#controller?.abort(reason as Error), 0);
  };

  #giveUp(controller: Dispatcher.DispatchController, size: number): void {
    this.size = size;
    this.#resolve(this);
    controller.abort(new Error('the answer is too long'));
  }
}

type Body = Pick<Whole, 'pieces' | 'size' | 'cause'>;

async function decompressedBody(whole: Whole, maxBytes: number): Promise<Body> {
  const { status, header, pieces, size } = whole;
  const encoding = header('content-encoding');
  if (encoding === undefined || size === 0 || size > maxBytes) return whole;
  try {
    let body = joined(pieces);
    // For a refusal, a truncated text is better than none.
    for (const coding of codingsOf(encoding).toReversed())
      body = await decompress(body, coding, maxBytes, status >= 400);
    return { pieces: [body], size: body.length, cause: whole.cause };
  } catch (cause) {
    const isTooLarge = cause instanceof RangeError;
    return { pieces: [], size: isTooLarge ? maxBytes + 1 : size, cause: whole.cause ?? cause };
  }
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

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}
