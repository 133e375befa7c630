/** One request over a pool of connections, and its answer as a stream; for an answer that is held whole see wholeAnswer.ts. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type Dispatcher, Pool } from 'undici';
import type { Fail } from '../errors.ts';
import { codingsOf, decompressedStream, ForeignCoding } from './codings.ts';
import { brokenBody, foreignCoding, noAnswer, type Progress } from './exchangeFaults.ts';
import { givingUpSlowBodies } from './slowBody.ts';

export interface ExchangeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query, encoded. */
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
}

export interface Head {
  status: number;
  /** The value of a header; the first one where it was sent more than once. */
  header(name: string): string | undefined;
}

/** An answer whose body is still to be read. */
export interface Response extends Head {
  body: Readable;
}

/**
 * Connections to one origin, kept alive; no more than `most`. `timeoutMs` holds for connecting, for the headers, and between two
 * pieces of a body.
 */
export function connectTo(origin: string, timeoutMs: number, most: number | null = null): Pool {
  return new Pool(origin, {
    connections: most,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    // One request a connection: when it breaks, it is plain which request was lost.
    allowH2: false,
    pipelining: 1,
  });
}

/** For `exchange`: gives up a body that comes a few bytes at a time after ten times `timeoutMs`. */
export function streamsTo(origin: string, timeoutMs: number): Dispatcher {
  return connectTo(origin, timeoutMs).compose(noting, givingUpSlowBodies(timeoutMs));
}

/** Sends the request. @throws ServiceError by `fail` where no answer comes. */
export async function exchange(pool: Dispatcher, request: ExchangeRequest, fail: Fail): Promise<Response> {
  const { method, target, headers, body, signal } = request;
  const progress: Progress = { sent: false };
  try {
    const asked = pool.request({ method, path: target, headers, body, signal, opaque: progress });
    const answer = await unlessAbortedUnsent(asked, progress, signal);
    return {
      ...headOf(answer.statusCode, answer.headers),
      body: answer.body,
    };
  } catch (cause) {
    throw noAnswer(cause, progress, signal, fail);
  }
}

export function headOf(status: number, headers: IncomingHttpHeaders): Head {
  return {
    status,
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
  };
}

/** The answer with its body as it was before it was compressed. @throws ServiceError by `fail` where that cannot be read */
export async function decompressed(response: Response, signal: AbortSignal | undefined, fail: Fail): Promise<Response> {
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
  const part = 4096;
  const garbage: { latest: unknown[] } = { latest: [] };
  return (bytes) => {
    // In small parts: V8 puts large arrays elsewhere, where they hasten nothing.
    for (let left = bytes >> 2; left > 0; left -= part) garbage.latest = new Array(Math.min(left, part));
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
