/**
 * Addresses, authorization, timeouts, retries, concurrency, redaction and the request log of all calls. A call consists of retries around
 * the concurrency limit around one exchange; each is in a file of its own.
 */
import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import { outboundRoute, type ProxyEnv } from '../../base/values/outboundRoute.ts';
import { type Fail, type Fixes, ServiceError, unusable } from '../errors.ts';
import { type Answer, readAnswer, refusal, valueIn } from '../reading/answers.ts';
import { type Misfit, Misfits } from '../reading/misfits.ts';
import type { Reader } from '../reading/readers.ts';
import { redactor } from '../redact.ts';
import { adaptiveConcurrency, type ConcurrencyOptions, defaultConcurrency } from './adaptiveConcurrency.ts';
import {
  begun,
  connectTo,
  decompressedResponse,
  exchange,
  type Response,
  type ResponseHead,
  readPieces,
  streamsOver,
} from './exchange.ts';
import { withRedirects } from './redirects.ts';
import { type Pause, type PauseOptions, PauseTooLong } from './requestedPauses.ts';
import { type AttemptProgress, logged, type RequestLog } from './requestLog.ts';
import { defaultRetry, type RetryOptions, withRetries } from './retries.ts';
import { retryAfterMs } from './statuses.ts';
import { drained, readAnswerText, type Whole, wholeAnswer } from './wholeAnswer.ts';
import { type Base, baseOf, callOf, type PreparedCall, type Received, type WireRequest } from './wireRequest.ts';

/** Settings of a connection to the service or to a manager. */
export interface ConnectionOptions {
  /** An http or https URL. Its path is put in front of the path of every call. */
  url: string;
  /** Timeout for connecting, for an answer's headers, and between two pieces of its body. Default 30000. */
  timeoutMs?: number | undefined;
  /** Aborts every call. */
  signal?: AbortSignal | undefined;
  /** Refuses to send anything but reads. */
  readOnly?: boolean | undefined;
  /** Called immediately before every attempt of a write. If it rejects, the request is not sent. */
  beforeWrite?: (() => Promise<void>) | undefined;
  /** The environment whose proxy variables apply, by default that of the process. */
  env?: ProxyEnv | undefined;
  /** Called for every attempt, without secrets. */
  onRequest?: RequestLog | undefined;
  /** Called when calls begin to wait because the server asks for it (`Retry-After`), and once if it refuses calls without saying for how long. */
  onPause?: ((pause: Pause) => void) | undefined;
  /** Called for each redacted value of an answer that does not match the specification and is tolerated. */
  onMisfit?: ((misfit: AnswerMisfit) => void) | undefined;
  retry?: RetryOptions | undefined;
  concurrency?: ConcurrencyOptions | undefined;
  /** Maximum length of a JSON answer. Default 256 MiB. */
  maxBodyBytes?: number | undefined;
}

/** A misfit and the request whose answer contains it. */
export interface AnswerMisfit extends Misfit {
  method: string;
  url: string;
}

/** Settings of a single call. */
export interface CallOptions {
  /** Aborts this call. */
  signal?: AbortSignal | undefined;
  /** Called immediately before every attempt of a write. If it throws, the request is not sent, and the call fails with its error. */
  beforeAttempt?: (() => void) | undefined;
}

interface TransportOptions extends ConnectionOptions {
  /** Headers of every request. */
  headers: Record<string, string>;
  /** Values that never appear in errors or logs. */
  secrets: readonly string[];
  /** Advice by error code, in terms of this server. */
  fixes: Fixes;
}

export interface Transport {
  /** Returns the 2xx answer as read by the reader. Misfits go to `onMisfit` and to the log. @throws ServiceError */
  read<T>(request: WireRequest, reader: Reader<T>): Promise<T>;
  /** Returns the 2xx answer as read by the schema. For services of this project, whose answers have a fixed shape. @throws ServiceError */
  json<Schema extends z.ZodType>(request: WireRequest, schema: Schema): Promise<z.output<Schema>>;
  /** Returns the text of the 2xx answer, decoded by its declared charset. @throws ServiceError */
  text(request: WireRequest): Promise<Told>;
  /**
   * Returns the 2xx answer as a stream, for bodies that are too large for memory. Read it to its end or abort the call. A body that
   * breaks off fails the iteration.
   * @throws ServiceError
   */
  stream(request: WireRequest): Promise<Streamed>;
  /** Sends a call and accepts any 2xx, for answers that the specification does not show. @throws ServiceError */
  accepted(request: WireRequest): Promise<void>;
  readonly origin: string;
  /** Origin, and the path that is put in front of the path of every call. */
  readonly url: string;
  /** Waits for running requests, unless they were aborted, then closes the connections. */
  close(): Promise<void>;
}

interface Told extends Received {
  text: string;
}

export interface Streamed extends Received {
  /** The decompressed body. */
  body: AsyncIterable<Uint8Array>;
  /** Abandons a body that will not be read. */
  cancel(): Promise<void>;
}

export const defaultTimeoutMs = 30_000;
const defaultMaxBodyBytes = 256 * 1024 * 1024;

/** No error names a longer wait than a year. */
const longestRetryAfterMs = 365 * 24 * 60 * 60_000;

export function createTransport(options: TransportOptions): Transport {
  const { signal, onMisfit, timeoutMs = defaultTimeoutMs, maxBodyBytes = defaultMaxBodyBytes } = options;
  const base = baseOf(options.url, redactor(options.secrets));
  const bounds = { maxBytes: maxBodyBytes, timeoutMs };
  const limits = { ...defaultConcurrency, ...options.concurrency };
  const pools = poolsByOrigin(timeoutMs, Math.max(limits.initial, limits.max), options.env);
  const send = createSend(options, base, adaptiveConcurrency(limits, pauseOptions(options, base)));
  let closing: Promise<void> | undefined;

  /** Reads an answer. @throws ServiceError if it is a refusal */
  async function accept(whole: Whole, call: PreparedCall, telling?: AttemptProgress): Promise<Answer> {
    const { status, header } = whole;
    const read = await readAnswerText(whole, bounds, call.signal, call.fail);
    const answer = { status, header, ...read, retryAfterMs: retryAfterMs(header('retry-after'), longestRetryAfterMs) };
    telling?.answered(answer);
    const refused = refusal(answer, call.fail, call.redact);
    if (refused) throw call.explain?.(read.text, refused, { header, redact: call.redact }) ?? refused;
    const fault = call.fault?.(received(answer, call));
    if (fault) throw fault;
    return answer;
  }

  function perform<T>(
    request: WireRequest,
    read: (answer: Answer, call: PreparedCall, telling?: AttemptProgress) => T,
  ): Promise<T> {
    return send(request, async (call, telling) => {
      const whole = await withRedirects(call, base.origin, async (origin, target) => {
        const begin = performance.now();
        const { calls, via } = await pools.of(origin);
        return wholeAnswer(calls, { ...call, target }, { ...bounds, begin }, failingVia(via, call.fail));
      });
      return read(await accept(whole, call, telling), call, telling);
    });
  }

  function stream(request: WireRequest): Promise<Streamed> {
    return send(request, async (call, telling) => {
      const ask = async (origin: string, target: string) => {
        const { streams, via } = await pools.of(origin);
        return exchange(streams, { ...call, target }, failingVia(via, call.fail));
      };
      const response = await withRedirects(call, base.origin, ask, abandon);
      const { status, header } = response;
      if (status < 200 || status > 299) await accept(await drained(response, maxBodyBytes), call, telling);
      telling?.answered({ status, header, text: '(a stream)', retryAfterMs: undefined });
      return withoutFault(await streamed(await decompressedResponse(response, call.signal, call.fail), call), call);
    });
  }

  return {
    read: (request, reader) =>
      perform(request, (answer, call, telling) => {
        const misfits = new Misfits();
        const value = readAnswer(answer, reader, call, misfits);
        reportMisfits(misfits, call, telling, onMisfit);
        return value;
      }),
    json: (request, schema) => perform(request, (answer, { fail, redact }) => valueIn(answer, schema, fail, redact)),
    text: (request) => perform(request, (answer, call) => ({ ...received(answer, call), text: answer.text })),
    stream,
    accepted: (request) => perform(request, () => undefined),
    origin: base.origin,
    url: base.origin + base.prefix,
    close: () => {
      closing ??= pools.close(signal?.aborted);
      return closing;
    },
  };
}

function pauseOptions({ retry, onPause }: TransportOptions, { origin }: Base): PauseOptions {
  const { maxRetryAfterMs } = { ...defaultRetry, ...retry };
  return { maxPauseMs: maxRetryAfterMs, onPause: onPause && ((ms) => onPause({ server: origin, ms })) };
}

/** Runs the attempts of a call. `once` may reject an answer, which ends the attempt but not always the call. */
type Send = <T>(
  request: WireRequest,
  once: (call: PreparedCall, telling?: AttemptProgress) => Promise<T>,
) => Promise<T>;

function createSend(options: TransportOptions, base: Base, concurrency: ReturnType<typeof adaptiveConcurrency>): Send {
  const { headers, fixes, signal, readOnly, beforeWrite, onRequest, secrets, retry } = options;
  const redact = redactor(secrets);
  return (request, once) => {
    const call = callOf(request, { base, headers, fixes, signal, redact });
    const isWrite = !call.identity.read;
    if (isWrite && readOnly) return Promise.reject(notARead(call));
    const attempt = async (number: number) => {
      if (isWrite) await beforeWrite?.();
      request.beforeAttempt?.();
      return onRequest ? logged(onRequest, call, number, (telling) => once(call, telling)) : once(call);
    };
    const whenThereIsRoom = (number: number) => concurrency.run(() => attempt(number), call.signal);
    const times = { ...defaultRetry, ...request.retry, ...retry };
    return withRetries(whenThereIsRoom, times, call.signal, request.repeats).catch((error: unknown) => {
      throw heldBack(call, error) ?? abortedBetween(call, error) ?? error;
    });
  };
}

/** Returns the error for a write in a session that only reads. No user can cause it, so it is a defect and no problem. */
function notARead({ identity }: PreparedCall): TypeError {
  return new TypeError(`a session that only reads cannot send ${identity.method} ${identity.url}`);
}

async function withoutFault(answer: Streamed, call: PreparedCall): Promise<Streamed> {
  const fault = call.fault?.(answer);
  if (fault === undefined) return answer;
  await answer.cancel();
  throw fault;
}

function received({ status, header }: ResponseHead, { fail, redact }: PreparedCall): Received {
  const value: Received['value'] = (text, schema) =>
    valueIn({ status, header, text, retryAfterMs: undefined }, schema, fail, redact);
  return { status, header, value, fail, redact };
}

async function streamed(response: Response, call: PreparedCall): Promise<Streamed> {
  const pieces = readPieces(response, call.signal, call.fail);
  const cancel = async () => void (await pieces.return());
  return { ...received(response, call), body: await begun(pieces), cancel };
}

function reportMisfits(
  misfits: Misfits,
  { redact, method, identity }: PreparedCall,
  telling: AttemptProgress | undefined,
  onMisfit: ConnectionOptions['onMisfit'],
): void {
  const found = misfits.list().map((misfit) => ({ ...misfit, path: redact(misfit.path), found: redact(misfit.found) }));
  if (found.length === 0) return;
  telling?.misfits(found);
  for (const misfit of found) onMisfit?.({ method, url: identity.url, ...misfit });
}

/** Discards a body that will not be read. */
async function abandon({ body }: Response): Promise<void> {
  body.once('error', () => {}).destroy();
}

interface Pools {
  calls: Dispatcher;
  /** Streams hold their connection until they are read, so they use a pool of their own. */
  streams: Dispatcher;
  /** The proxy that they go through. */
  via?: string;
}

/** Returns the pools by origin. More than one origin exists only if a read was redirected to https. */
function poolsByOrigin(timeoutMs: number, most: number, env: ProxyEnv | undefined) {
  const known = new Map<string, Pools>();
  let isClosed = false;
  return {
    async of(origin: string): Promise<Pools> {
      const pools = known.get(origin) ?? (await openPools(origin, timeoutMs, most, env));
      const first = known.get(origin) ?? pools;
      // A request after the end fails as closed, also to an origin that had no connection.
      if (isClosed && !known.has(origin)) await Promise.all([first.calls.close(), first.streams.close()]);
      known.set(origin, first);
      return first;
    },
    async close(isAborted = false): Promise<void> {
      isClosed = true;
      const each = [...known.values()].flatMap(({ calls, streams }) => [calls, streams]);
      await Promise.all(each.map((pool) => (isAborted ? pool.destroy() : pool.close())));
    },
  };
}

/** @throws ServiceError for a proxy variable that cannot be used */
async function openPools(origin: string, timeoutMs: number, most: number, env: ProxyEnv | undefined): Promise<Pools> {
  const route = outboundRoute(origin, env);
  if (route.kind === 'unclear') {
    const fix = `Correct ${route.by}, such as http://proxy.example.com:3128, or name the host in NO_PROXY.`;
    throw unusable('unreachable', origin, `${route.by} ${route.why}`, fix);
  }
  if (route.kind === 'direct') {
    const streams = streamsOver(connectTo(origin, timeoutMs), timeoutMs);
    return { calls: connectTo(origin, timeoutMs, most), streams };
  }
  const { connectThrough } = await import('./proxied.ts');
  const through = (limit: number | null) => connectThrough({ origin, proxy: route.url, timeoutMs, most: limit });
  return { calls: through(most), streams: streamsOver(through(null), timeoutMs), via: route.url.origin };
}

/** Names the proxy in the errors of calls without an answer: it may be the proxy that cannot be reached. */
function failingVia(via: string | undefined, fail: Fail): Fail {
  if (via === undefined) return fail;
  return (code, what, circumstances) => fail(code, `${what}, through the proxy ${via}`, circumstances);
}

/** Returns the error for a call that was not sent because the server has asked another call for a long wait. */
function heldBack(call: PreparedCall, error: unknown): ServiceError | undefined {
  if (!(error instanceof PauseTooLong)) return undefined;
  return call.fail('rate-limited', `was not sent: ${error.message}`, { sent: false, retryAfterMs: error.ms });
}

/** Returns the error for a call that was aborted while it waited for a slot or for its next attempt. */
function abortedBetween(call: PreparedCall, error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError || !call.signal?.aborted) return undefined;
  return call.fail('aborted', 'was aborted while it waited to be sent', { sent: false, cause: error });
}
