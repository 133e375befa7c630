/**
 * What all calls share: addresses, authorization, time-outs, retries, concurrency, redaction and the log of requests.
 * A call is retries around the concurrency limit around one exchange; each of these is a file beside this one.
 */

import type { z } from 'zod';
import { adaptiveConcurrency, type ConcurrencyOptions, defaultConcurrency } from './adaptiveConcurrency.ts';
import { type Answer, refusal, valueIn } from './answers.ts';
import { baseOf, type Call, callOf, type WireRequest } from './call.ts';
import { type Fail, type Fixes, ServiceError } from './errors.ts';
import { connectTo, exchange, readText } from './exchange.ts';
import { redactor } from './redact.ts';
import { logged, type RequestLog } from './requestLog.ts';
import { defaultRetry, type RetryOptions, withRetries } from './retries.ts';
import { retryAfterMs } from './retryAfter.ts';

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
  /** Any 2xx will do: for calls whose answer is not shown. @throws ServiceError */
  accepted(request: WireRequest): Promise<void>;
  readonly origin: string;
  /** The origin and the path before every call's own. */
  readonly url: string;
  /** Waits for the requests under way, unless they were aborted, then closes the connections. */
  close(): Promise<void>;
}

export const defaultTimeoutMs = 30_000;
const defaultMaxBodyBytes = 256 * 1024 * 1024;

export function createTransport(options: TransportOptions): Transport {
  const { headers, fixes, signal, onRequest } = options;
  const { timeoutMs = defaultTimeoutMs, maxBodyBytes = defaultMaxBodyBytes } = options;
  const redact = redactor(options.secrets);
  const base = baseOf(options.url, redact);
  const retry = { ...defaultRetry, ...options.retry };
  const concurrency = adaptiveConcurrency({ ...defaultConcurrency, ...options.concurrency });
  const pool = connectTo(base.origin, timeoutMs);
  let closing: Promise<void> | undefined;

  async function ask(call: Call): Promise<Answer> {
    const response = await exchange(pool, call, call.fail);
    const text = await readText(response, maxBodyBytes, call.signal, call.fail);
    const wait = retryAfterMs(response.header('retry-after'), retry.maxRetryAfterMs);
    return { status: response.status, text, retryAfterMs: wait };
  }

  /** `read` may find fault with an answer: that ends the attempt, not always the call. */
  function perform<T>(request: WireRequest, read: (answer: Answer, fail: Fail) => T): Promise<T> {
    const call = callOf(request, { base, headers, fixes, signal, redact });
    const once = async (answered?: (answer: Answer) => void) => {
      const answer = await ask(call);
      answered?.(answer);
      const refused = refusal(answer, call.fail, redact);
      if (refused) throw refused;
      return read(answer, call.fail);
    };
    const attempt = (number: number) => (onRequest ? logged(onRequest, redact, call, number, once) : once());
    const whenThereIsRoom = (number: number) => concurrency.run(() => attempt(number), call.signal);
    return withRetries(whenThereIsRoom, retry, call.signal).catch((error: unknown) => {
      throw abortedBetween(call, error) ?? error;
    });
  }

  return {
    json: (request, schema) => perform(request, (answer, fail) => valueIn(answer, schema, fail, redact)),
    accepted: (request) => perform(request, () => undefined),
    origin: base.origin,
    url: base.origin + base.prefix,
    close: () => {
      closing ??= signal?.aborted ? pool.destroy() : pool.close();
      return closing;
    },
  };
}

/** The one error that no exchange made: an abort while the call waited for its turn, or for its next attempt. */
function abortedBetween(call: Call, error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError || !call.signal?.aborted) return undefined;
  return call.fail('aborted', 'was aborted while it waited to be sent', { sent: false, cause: error });
}
