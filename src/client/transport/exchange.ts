/** One request over a pool of connections, with its answer as a stream. wholeAnswer.ts handles answers that are held in memory. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type Dispatcher, errors, Pool } from 'undici';
import type { Fail } from '../errors.ts';
import { codingsOf, decompressedStream, ForeignCoding } from './codings.ts';

export interface ExchangeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Encoded path and query. */
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
}

export interface ResponseHead {
  status: number;
  /** Returns the value of a header, or the first one if it was sent more than once. */
  header(name: string): string | undefined;
}

/** An answer whose body has not been read yet. */
export interface Response extends ResponseHead {
  body: Readable;
}

/**
 * Opens a pool of kept-alive connections to one origin, at most `most`. `timeoutMs` applies to connecting, to the headers, and between
 * two pieces of a body.
 */
export function connectTo(origin: string, timeoutMs: number, most: number | null = null): Pool {
  return new Pool(origin, {
    connections: most,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    // With one request per connection, a broken connection identifies the lost request.
    allowH2: false,
    pipelining: 1,
  });
}

/** Prepares connections for `exchange`. A body that arrives a few bytes at a time is abandoned after `timeoutMs`. */
export function streamsOver(connections: Dispatcher, timeoutMs: number): Dispatcher {
  return connections.compose(noting, givingUpSlowBodies(timeoutMs));
}

/** Sends the request. @throws ServiceError from `fail` if no answer arrives */
export async function exchange(pool: Dispatcher, request: ExchangeRequest, fail: Fail): Promise<Response> {
  const { method, target, headers, body, signal } = request;
  const progress: Progress = { sent: false };
  try {
    const asked = pool.request({ method, path: target, headers, body, signal, opaque: progress });
    const answer = await unlessAbortedUnsent(asked, progress, signal);
    return {
      ...responseHead(answer.statusCode, answer.headers),
      body: answer.body,
    };
  } catch (cause) {
    throw noAnswer(cause, progress, signal, fail);
  }
}

export function responseHead(status: number, headers: IncomingHttpHeaders): ResponseHead {
  return {
    status,
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
  };
}

/** Returns the answer with a decompressed body. @throws ServiceError from `fail` if the body cannot be decompressed */
export async function decompressedResponse(
  response: Response,
  signal: AbortSignal | undefined,
  fail: Fail,
): Promise<Response> {
  const { status, header, body } = response;
  try {
    const codings = codingsOf(header('content-encoding'));
    return codings.length === 0 ? response : { ...response, body: await decompressedStream(body, codings) };
  } catch (cause) {
    body.once('error', () => {}).destroy();
    if (cause instanceof ForeignCoding) throw foreignCoding(cause, status, fail);
    throw brokenBody(cause, status, 0, signal, fail);
  }
}

/** Yields the body piece by piece. @throws ServiceError from `fail` if it breaks off or stalls */
export async function* readPieces(
  { status, body }: Response,
  signal: AbortSignal | undefined,
  fail: Fail,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  try {
    for await (const piece of body) {
      size += piece.length;
      yield piece;
    }
  } catch (cause) {
    throw brokenBody(cause, status, size, signal, fail);
  }
}

/** Returns the same pieces after the first one has arrived, so that an earlier failure fails the attempt and not the iteration. */
export async function begun(pieces: AsyncGenerator<Uint8Array, void, undefined>): Promise<AsyncIterable<Uint8Array>> {
  const first = await pieces.next();
  return (async function* () {
    try {
      if (!first.done) yield first.value;
      yield* pieces;
    } finally {
      await pieces.return();
    }
  })();
}

/** Records that a request is being sent. undici calls `onRequestStart` immediately before it writes the request to a connection. */
const noting: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { opaque: progress } = options as Partial<Dispatcher.RequestOptions<Progress>>;
  const start = handler.onRequestStart?.bind(handler);
  handler.onRequestStart = (controller, context) => {
    start?.(controller, context);
    if (progress) progress.sent = !controller.aborted;
  };
  return dispatch(options, handler);
};

/** Rejects an aborted request immediately. undici rejects it only once a connection exists. */
function unlessAbortedUnsent<T>(answer: Promise<T>, progress: Progress, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      if (!progress.sent) reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Error of an abandoned body. */
class TooSlow extends Error {}

/** Minimum throughput: 1 KiB per timeout. */
const leastBytes = 1024;

/** Throughput of one body. */
export class Pace {
  readonly #timeoutMs: number;
  #since: number | undefined;
  #bytes = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Counts a piece and returns an error if the body is too slow. */
  after(piece: Uint8Array): TooSlow | undefined {
    const now = performance.now();
    this.#since ??= now;
    this.#bytes += piece.length;
    if (now - this.#since <= this.#timeoutMs) return undefined;
    if (this.#bytes < leastBytes) return new TooSlow(`${this.#bytes} bytes in ${this.#timeoutMs / 1000} s`);
    [this.#since, this.#bytes] = [now, 0];
    return undefined;
  }
}

function givingUpSlowBodies(timeoutMs: number): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const receive = handler.onResponseData?.bind(handler);
    const pace = new Pace(timeoutMs);
    handler.onResponseData = (controller, piece) => {
      const slow = pace.after(piece);
      if (slow) controller.abort(slow);
      else receive?.(controller, piece);
    };
    return dispatch(options, handler);
  };
}

interface Progress {
  /** True if the first byte of the request may have left. */
  sent: boolean;
}

/** Returns the error for a request without an answer. */
export function noAnswer(cause: unknown, { sent }: Progress, signal: AbortSignal | undefined, fail: Fail) {
  const code = codeOf(cause);
  if (signal?.aborted) return fail('aborted', 'was aborted', { sent, cause });
  if (closedCodes.has(code)) return fail('aborted', 'was abandoned because the client was closed', { sent, cause });
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return fail('timed-out', 'could not connect in time', { sent, cause });
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return fail('timed-out', 'was not answered in time', { sent, cause });
  if (cause instanceof errors.HTTPParserError) {
    // Not kept as the cause, because it contains the received bytes.
    return fail('unexpected-answer', 'was answered with something other than HTTP');
  }
  if (sent) return fail('connection-lost', `lost its connection before an answer (${reasonOf(cause)})`, { cause });
  return fail('unreachable', `could not be sent (${reasonOf(cause)})`, {
    sent,
    cause,
    transient: !permanentCode.test(code),
  });
}

/** Returns the error for a body that broke off. */
export function brokenBody(cause: unknown, status: number, size: number, signal: AbortSignal | undefined, fail: Fail) {
  if (signal?.aborted) return fail('aborted', 'was aborted while its answer was read', { status, cause });
  if (codeOf(cause) === 'UND_ERR_BODY_TIMEOUT') {
    return fail('timed-out', `was answered ${status}, but the answer stalled after ${size} bytes`, { status, cause });
  }
  if (cause instanceof TooSlow) {
    return fail('timed-out', `was answered ${status}, but too slowly (${cause.message})`, { status, cause });
  }
  const what = `was answered ${status}, but the answer broke off after ${size} bytes`;
  return fail('unexpected-answer', what, { status, cause, transient: true });
}

/** Returns the error for a body in a coding that was not requested. */
export function foreignCoding({ message }: Error, status: number, fail: Fail) {
  const what = `was answered ${status} with a body in the content-encoding ${message}, which was not requested`;
  return fail('unexpected-answer', what, { status });
}

const closedCodes: ReadonlySet<string> = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

/** Codes of failures that a retry does not fix, such as an unknown host or an invalid certificate. */
const permanentCode = /^(ENOTFOUND|EPROTO|CERT_|ERR_TLS|ERR_SSL|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)/;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const words = knownReasons[code] ?? (error instanceof Error ? error.message : String(error));
  return code === '' || words.includes(code) ? words : `${words}, ${code}`;
}

const knownReasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'the host does not exist',
  EAI_AGAIN: 'name resolution failed temporarily',
  // The message of OpenSSL names its source files and a number that differs from call to call.
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS on this port, so its URL may begin with http://',
  UND_ERR_SOCKET: 'connection closed',
};
