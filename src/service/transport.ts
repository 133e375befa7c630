/**
 * What all calls share: addresses, authorization, time-outs, retries, concurrency, redaction and the log of requests.
 * A call is retries around the concurrency limit around one exchange; each of these is a file beside this one.
 */
import type { Dispatcher, Pool } from 'undici';
import type { z } from 'zod';
import { adaptiveConcurrency, type ConcurrencyOptions, defaultConcurrency } from './adaptiveConcurrency.ts';
import { type Answer, refusal, valueIn } from './answers.ts';
import { baseOf, type Call, callOf, type WireRequest } from './call.ts';
import { type Fail, type Fixes, ServiceError } from './errors.ts';
import {
  begun,
  connectTo,
  decompressed,
  exchange,
  type Head,
  type Response,
  readPieces,
  streamsTo,
} from './exchange.ts';
import { type Redact, redactor } from './redact.ts';
import { logged, type RequestLog } from './requestLog.ts';
import { defaultRetry, type RetryOptions, withRetries } from './retries.ts';
import { retryAfterMs } from './retryAfter.ts';
import { drained, textOf, type Whole, wholeAnswer } from './wholeAnswer.ts';

/** What a user may set, for the service and for a manager alike. */
export interface ConnectionOptions {
  /** http or https; a path in it is put before that of every call. */
  url: string;
  /** For connecting, for an answer's headers, and between two pieces of its body. Default 30000. */
  timeoutMs?: number | undefined;
  /** Aborts every call. */
  signal?: AbortSignal | undefined;
  /** Told of every attempt, with nothing secret in it. */
  onRequest?: RequestLog | undefined;
  retry?: RetryOptions | undefined;
  concurrency?: ConcurrencyOptions | undefined;
  /** The longest JSON answer that is read. Default 256 MiB. */
  maxBodyBytes?: number | undefined;
}

/** What a single call may set. */
export interface CallOptions {
  /** Aborts this call. */
  signal?: AbortSignal | undefined;
}

export interface TransportOptions extends ConnectionOptions {
  /** Sent with every request. */
  headers: Record<string, string>;
  /** Values that must not be seen in any error or log. */
  secrets: readonly string[];
  /** What to do about errors, in the words of this peer. */
  fixes: Fixes;
}

export interface Transport {
  /** The 2xx answer as the schema's value. @throws ServiceError */
  json<Schema extends z.ZodType>(request: WireRequest, schema: Schema): Promise<z.output<Schema>>;
  /** The 2xx answer as the text that it is, in the charset that it names. @throws ServiceError */
  text(request: WireRequest): Promise<Told>;
  /**
   * The 2xx answer as it comes, for bodies that are too large to be held; read it to its end, or abort the call. What breaks off
   * in the middle is an error of the iteration. @throws ServiceError
   */
  stream(request: WireRequest): Promise<Streamed>;
  /** Any 2xx will do: for calls whose answer is not shown. @throws ServiceError */
  accepted(request: WireRequest): Promise<void>;
  readonly origin: string;
  /** The origin and the path before every call's own. */
  readonly url: string;
  /** Waits for the requests under way, unless they were aborted, then closes the connections. */
  close(): Promise<void>;
}

/** What is known of an answer whose body is for the caller to judge. */
export interface Received {
  status: number;
  header(name: string): string | undefined;
  /** Text of this answer as the schema's value. @throws ServiceError */
  value<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema>;
  /** An error of this call, for what is wrong with what came. */
  fail: Fail;
  /** Takes the secrets of this call out of what is said of it. */
  redact: Redact;
}

export interface Told extends Received {
  text: string;
}

export interface Streamed extends Received {
  /** Decompressed. */
  body: AsyncIterable<Uint8Array>;
  /** Gives the body up, where nobody will read it. */
  cancel(): Promise<void>;
}

export const defaultTimeoutMs = 30_000;
const defaultMaxBodyBytes = 256 * 1024 * 1024;

export function createTransport(options: TransportOptions): Transport {
  const { headers, fixes, signal, onRequest } = options;
  const { timeoutMs = defaultTimeoutMs, maxBodyBytes = defaultMaxBodyBytes } = options;
  const redact = redactor(options.secrets);
  const base = baseOf(options.url, redact);
  const bounds = { maxBytes: maxBodyBytes, timeoutMs };
  const { maxRetryAfterMs } = { ...defaultRetry, ...options.retry };
  const limits = { ...defaultConcurrency, ...options.concurrency };
  const concurrency = adaptiveConcurrency(limits);
  const pools = poolsFor(base.origin, timeoutMs, Math.max(limits.initial, limits.max));
  let closing: Promise<void> | undefined;

  /** @throws ServiceError where it is a refusal */
  async function accept(whole: Whole, call: Call, answered?: Answered): Promise<Answer> {
    const { status, header } = whole;
    const text = await textOf(whole, bounds, call.signal, call.fail);
    const answer = { status, header, text, retryAfterMs: retryAfterMs(header('retry-after'), maxRetryAfterMs) };
    answered?.(answer);
    const refused = refusal(answer, call.fail, call.redact);
    if (refused) throw call.explain?.(text, refused, { header, redact: call.redact }) ?? refused;
    return answer;
  }

  /** `once` may find fault with an answer: that ends the attempt, not always the call. */
  function send<T>(request: WireRequest, once: (call: Call, answered?: Answered) => Promise<T>): Promise<T> {
    const call = callOf(request, { base, headers, fixes, signal, redact });
    const attempt = (number: number) =>
      onRequest ? logged(onRequest, call, number, (answered) => once(call, answered)) : once(call);
    const whenThereIsRoom = (number: number) => concurrency.run(() => attempt(number), call.signal);
    const times = { ...defaultRetry, ...request.retry, ...options.retry };
    return withRetries(whenThereIsRoom, times, call.signal, request.repeats).catch((error: unknown) => {
      throw abortedBetween(call, error) ?? error;
    });
  }

  function perform<T>(request: WireRequest, read: (answer: Answer, call: Call) => T): Promise<T> {
    return send(request, async (call, answered) => {
      const whole = await wholeAnswer(pools.calls, call, bounds, call.fail);
      return read(await accept(whole, call, answered), call);
    });
  }

  function stream(request: WireRequest): Promise<Streamed> {
    return send(request, async (call, answered) => {
      const response = await exchange(pools.streams, call, call.fail);
      const { status, header } = response;
      if (status < 200 || status > 299) await accept(await drained(response, maxBodyBytes), call, answered);
      answered?.({ status, header, text: '(a stream)', retryAfterMs: undefined });
      return streamed(decompressed(response), call);
    });
  }

  return {
    json: (request, schema) => perform(request, (answer, { fail, redact }) => valueIn(answer, schema, fail, redact)),
    text: (request) => perform(request, (answer, call) => ({ ...received(answer, call), text: answer.text })),
    stream,
    accepted: (request) => perform(request, () => undefined),
    origin: base.origin,
    url: base.origin + base.prefix,
    close: () => {
      closing ??= closed(pools, signal?.aborted);
      return closing;
    },
  };
}

type Answered = (answer: Answer) => void;

function received({ status, header }: Head, { fail, redact }: Call): Received {
  const value: Received['value'] = (text, schema) =>
    valueIn({ status, header, text, retryAfterMs: undefined }, schema, fail, redact);
  return { status, header, value, fail, redact };
}

async function streamed(response: Response, call: Call): Promise<Streamed> {
  const pieces = readPieces(response, call.signal, call.fail);
  const cancel = async () => void (await pieces.return());
  return { ...received(response, call), body: await begun(pieces), cancel };
}

/** A stream keeps its connection for as long as its reader wants: other calls must not wait for that. */
function poolsFor(origin: string, timeoutMs: number, most: number): Pools {
  return { calls: connectTo(origin, timeoutMs, most), streams: streamsTo(origin, timeoutMs) };
}

interface Pools {
  calls: Pool;
  streams: Dispatcher;
}

async function closed({ calls, streams }: Pools, isAborted = false): Promise<void> {
  await Promise.all([calls, streams].map((pool) => (isAborted ? pool.destroy() : pool.close())));
}

/** The one error that no exchange made: an abort while the call waited for its turn, or for its next attempt. */
function abortedBetween(call: Call, error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError || !call.signal?.aborted) return undefined;
  return call.fail('aborted', 'was aborted while it waited to be sent', { sent: false, cause: error });
}
