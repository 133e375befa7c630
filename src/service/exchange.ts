/**
 * One request and its answer over a pool of connections. What goes wrong on the way is told apart by how far the
 * request came: a fault before its first byte left is proof that nothing happened.
 */
import { finished, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Dispatcher, errors, Pool } from 'undici';
import type { Fail } from './errors.ts';
import { givingUpSlowBodies, TooSlow } from './slowBody.ts';

export interface ExchangeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, encoded. */
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
}

/** An answer whose body is still to be read. */
export interface Response {
  status: number;
  /** The value of a header; the first one where it was sent more than once. */
  header(name: string): string | undefined;
  body: Readable;
}

/**
 * Connections to one origin, kept alive; no more than `most`. `timeoutMs` holds for connecting, for the headers, and between two
 * pieces of a body; one that comes a few bytes at a time is given up after ten times as long.
 */
export function connectTo(origin: string, timeoutMs: number, most: number | null = null): Dispatcher {
  const pool = new Pool(origin, {
    connections: most,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    // One request a connection: when it breaks, it is plain which request was lost.
    allowH2: false,
    pipelining: 1,
  });
  return pool.compose(noting, givingUpSlowBodies(timeoutMs));
}

/** Sends the request. @throws ServiceError by `fail` where no answer comes. */
export async function exchange(pool: Dispatcher, request: ExchangeRequest, fail: Fail): Promise<Response> {
  const { method, target, headers, body, signal } = request;
  const progress: Progress = { sent: false };
  try {
    const asked = pool.request({ method, path: target, headers, body, signal, opaque: progress });
    const answer = await unlessAbortedUnsent(asked, progress, signal);
    return {
      status: answer.statusCode,
      header(name) {
        const value = answer.headers[name];
        return Array.isArray(value) ? value[0] : value;
      },
      body: answer.body,
    };
  } catch (cause) {
    throw noAnswer(cause, progress, signal, fail);
  }
}

/** The answer with its body as it was before it was compressed for the way. */
export function decompressed(response: Response): Response {
  if (!/^(?:x-)?gzip$/i.test(response.header('content-encoding')?.trim() ?? '')) return response;
  // Errors of either stream reach whoever reads the second.
  return { ...response, body: pipeline(response.body, createGunzip(), () => {}) };
}

/** Reads a body as text, in the charset that its content type names or else UTF-8. @throws ServiceError by `fail` where it breaks off, stalls or is longer than `maxBytes`. */
export async function readText(
  { status, header, body }: Response,
  maxBytes: number,
  signal: AbortSignal | undefined,
  fail: Fail,
): Promise<string> {
  const { chunks, size, cause } = await collected(body, maxBytes, Number(header('content-length') ?? 0));
  if (size > maxBytes) throw fail('unexpected-answer', `was answered with more than ${maxBytes} bytes`, { status });
  // The status of a refusal says enough, even where its text broke off.
  if (cause && (status < 400 || signal?.aborted)) throw brokenBody(cause, status, size, signal, fail);
  return decoded(Buffer.concat(chunks), header('content-type'));
}

interface Collected {
  chunks: Uint8Array[];
  size: number;
  /** Why there is no more of it; of a whole one nothing. */
  cause?: unknown;
}

/** By events: to iterate costs more than all else that becomes of a short answer. */
function collected(body: Readable, maxBytes: number, declared: number): Promise<Collected> {
  const { promise, resolve } = Promise.withResolvers<Collected>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (declared > maxBytes) {
    body.on('error', () => undefined).destroy();
    return Promise.resolve({ chunks, size: declared });
  }
  body.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > maxBytes) body.destroy();
    else chunks.push(chunk);
  });
  finished(body, (cause) => resolve({ chunks, size, cause }));
  return promise;
}

const utf8 = new TextDecoder();

/** A charset that nobody knows is no reason to lose the text. */
function decoded(bytes: Uint8Array, contentType = ''): string {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return utf8.decode(bytes);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return utf8.decode(bytes);
  }
}

/** The body piece by piece, as it comes. @throws ServiceError by `fail` where it breaks off or stalls. */
export async function* readPieces(
  { status, body }: Response,
  signal: AbortSignal | undefined,
  fail: Fail,
): AsyncGenerator<Uint8Array, void, undefined> {
  const collect = scavenger();
  let size = 0;
  try {
    for await (const piece of body) {
      size += piece.length;
      collect(piece.length);
      yield piece;
    }
  } catch (cause) {
    throw brokenBody(cause, status, size, signal, fail);
  }
}

/**
 * Pieces lie outside of the heap of V8, which does not collect used ones before there are more than 64 MB of them. Some
 * garbage inside the heap for each of them makes it collect both often: a long transfer takes some 30 MB less.
 */
function scavenger(): (bytes: number) => void {
  const garbage: { latest: unknown[] } = { latest: [] };
  return (bytes) => {
    garbage.latest = new Array(bytes >> 2);
  };
}

/** The same pieces, the first of which has come: what breaks off before it is a failed attempt, not a failed iteration. */
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

interface Progress {
  sent: boolean;
}

/** undici calls `onRequestStart` right before it writes the request to a connection, and never otherwise. */
const noting: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { opaque: progress } = options as Partial<Dispatcher.RequestOptions<Progress>>;
  const start = handler.onRequestStart?.bind(handler);
  handler.onRequestStart = (controller, context) => {
    start?.(controller, context);
    if (progress) progress.sent = !controller.aborted;
  };
  return dispatch(options, handler);
};

/** undici answers to an abort only once it is connected; a caller should not wait for that. */
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

function noAnswer(cause: unknown, { sent }: Progress, signal: AbortSignal | undefined, fail: Fail) {
  const code = codeOf(cause);
  if (signal?.aborted) return fail('aborted', 'was aborted', { sent, cause });
  if (closedCodes.has(code)) return fail('aborted', 'was given up: the client was closed', { sent, cause });
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return fail('timed-out', 'found no connection in time', { sent, cause });
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return fail('timed-out', 'had no answer in time', { sent, cause });
  if (cause instanceof errors.HTTPParserError) {
    // Not kept as the cause: it holds what was received, as it is.
    return fail('unexpected-answer', 'was answered with something other than HTTP');
  }
  if (sent) return fail('connection-lost', `lost its connection before an answer (${reasonOf(cause)})`, { cause });
  return fail('unreachable', `could not be sent (${reasonOf(cause)})`, {
    sent,
    cause,
    transient: !permanentCode.test(code),
  });
}

function brokenBody(cause: unknown, status: number, size: number, signal: AbortSignal | undefined, fail: Fail) {
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

const closedCodes: ReadonlySet<string> = new Set(['UND_ERR_CLOSED', 'UND_ERR_DESTROYED']);

/** A name that does not exist and a certificate that does not hold: the next attempt would not do better. */
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
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name could not be looked up just now',
  UND_ERR_SOCKET: 'connection closed',
};
