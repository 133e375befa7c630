/** Requests to a code host's REST API, with pages, timeouts and retries. Errors name the missing permission and never show the token. */
import { setTimeout as sleep } from 'node:timers/promises';
import pRetry, { type RetryContext } from 'p-retry';
import { EnvHttpProxyAgent, fetch } from 'undici';
import type * as z from 'zod';
import { ProblemError } from '../diagnostics/problem.ts';
import { redactor } from '../service/redact.ts';
import { printableText } from '../values/printable.ts';
import type { JobIo } from './runner.ts';

export interface ApiOptions {
  host: string;
  /** The base of all paths. */
  url: string;
  token: string;
  headers?: Record<string, string>;
  /** The URL of the next page of a list, from the headers of this page. */
  next(headers: HeadersLike, current: URL): URL | undefined;
  /** The fix for an answer of 401, 403 or 404. */
  fix: string;
}

export interface HeadersLike {
  get(name: string): string | null;
}

export interface Api {
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
  /** The items of a list; requests further pages only as they are consumed. */
  list<S extends z.ZodType>(path: string, item: S): AsyncGenerator<z.output<S>>;
  send<S extends z.ZodType>(method: Method, path: string, body: object, schema: S): Promise<z.output<S>>;
  close(): Promise<void>;
}

type Method = 'POST' | 'PATCH' | 'PUT' | 'DELETE';

const timeoutMs = 20_000;
const retries = 2;
/** CI minutes cost money: a longer `Retry-After` is an error instead. */
const longestWaitSeconds = 60;

export function createApi(options: ApiOptions, { env, signal }: Pick<JobIo, 'env' | 'signal'>): Api {
  const { url, token, host } = options;
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: env.http_proxy ?? env.HTTP_PROXY,
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY,
    noProxy: env.no_proxy ?? env.NO_PROXY,
  });
  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'webdata', ...options.headers };

  async function once(method: Method | 'GET', target: URL, body: object | undefined): Promise<Answer> {
    const answer = await fetch(target, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      dispatcher,
    });
    const { status } = answer;
    return { status, headers: answer.headers, text: await answer.text() };
  }

  async function call(method: Method | 'GET', target: URL, body?: object): Promise<Answer> {
    const what = `${host}: ${method} ${target.pathname}`;
    // A POST that is sent again could create a second comment or issue.
    const sendAgain = method !== 'POST';
    const attempt = async () => {
      const answer = await once(method, target, body).catch((cause: unknown) => {
        throw new CodeHostError(`${what} got no answer (${redactor([token])(reasonOf(cause))})`, reachable, {
          transient: sendAgain,
        });
      });
      if (answer.status >= 400) throw refused(what, answer, options, sendAgain);
      return answer;
    };
    const shouldRetry = ({ error }: RetryContext) => error instanceof CodeHostError && error.transient;
    const onFailedAttempt = async ({ error, retriesLeft }: RetryContext) => {
      if (error instanceof CodeHostError && error.transient && retriesLeft > 0)
        await sleep(error.waitMs, null, { signal });
    };
    return pRetry(attempt, { retries, minTimeout: 300, randomize: true, shouldRetry, onFailedAttempt, signal });
  }

  const at = (path: string) => new URL(url.replace(/\/$/, '') + path);
  return {
    get: async (path, schema) => valueIn(await call('GET', at(path)), schema, host),
    async *list(path, item) {
      for (let page: URL | undefined = at(path); page !== undefined; ) {
        const answer: Answer = await call('GET', page);
        yield* valueIn(answer, item.array(), host);
        page = sameOrigin(options.next(answer.headers, page), at(path));
      }
    },
    send: async (method, path, body, schema) => valueIn(await call(method, at(path), body), schema, host),
    close: () => dispatcher.close(),
  };
}

interface Answer {
  status: number;
  headers: HeadersLike;
  text: string;
}

const reachable = 'check that the code host can be reached from this job';

interface Refusal {
  /** True if the same request may succeed after `waitMs`. */
  transient?: boolean;
  waitMs?: number;
  /** The token lacks a permission. */
  denied?: boolean;
  /** Nothing exists under this path, or the token may not see it. */
  missing?: boolean;
}

class CodeHostError extends ProblemError {
  readonly transient: boolean;
  readonly waitMs: number;
  readonly denied: boolean;
  readonly missing: boolean;
  constructor(
    found: string,
    fix: string,
    { transient = false, waitMs = 0, denied = false, missing = false }: Refusal = {},
  ) {
    super([{ code: 'forge-not-told', found: printableText(found), fix }]);
    this.transient = transient;
    this.waitMs = waitMs;
    this.denied = denied;
    this.missing = missing;
  }
}

/** Returns true if the token lacks a permission. A rate limit is not a denial. */
export function isDenied(error: unknown): boolean {
  return error instanceof CodeHostError && error.denied;
}

export function isMissing(error: unknown): boolean {
  return error instanceof CodeHostError && error.missing;
}

function refused(what: string, answer: Answer, { fix, token }: ApiOptions, sendAgain: boolean): CodeHostError {
  const { status, text } = answer;
  const said = redactor([token])(messageIn(text));
  const found = `${what} failed with ${status}${said === '' ? '' : `: ${said}`}`;
  if (isLimit(answer)) return limited(found, answer, sendAgain);
  if ([401, 403].includes(status)) return new CodeHostError(found, fix, { denied: true });
  if (status === 404) return new CodeHostError(found, fix, { missing: true });
  return new CodeHostError(found, 'see the message of the code host', { transient: sendAgain && status >= 500 });
}

/** GitHub also answers 403 for an exceeded rate limit; only its headers show the difference. */
function isLimit({ status, headers }: Answer): boolean {
  if (status === 429) return true;
  return status === 403 && (headers.get('retry-after') !== null || headers.get('x-ratelimit-remaining') === '0');
}

function limited(found: string, { headers }: Answer, sendAgain: boolean): CodeHostError {
  const seconds = /^\d+$/.exec(headers.get('retry-after') ?? '')?.[0];
  const fix = `wait${seconds === undefined ? '' : ` ${seconds} s`}: the rate limit of the token is exceeded`;
  const isShort = seconds !== undefined && Number(seconds) <= longestWaitSeconds;
  return new CodeHostError(found, fix, {
    transient: sendAgain && isShort,
    waitMs: isShort ? Number(seconds) * 1000 : 0,
  });
}

/** The message of the code host, in one short line. */
function messageIn(text: string): string {
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    const said = message ?? error ?? '';
    return (typeof said === 'string' ? said : JSON.stringify(said)).slice(0, 300);
  } catch {
    return '';
  }
}

function valueIn<S extends z.ZodType>({ text, status }: Answer, schema: S, host: string): z.output<S> {
  try {
    return schema.parse(text === '' ? undefined : JSON.parse(text));
  } catch {
    throw new CodeHostError(`${host} answered ${status} with an unexpected shape`, reachable);
  }
}

/** Follows pages on the same origin only, so that the token is sent nowhere else. */
function sameOrigin(next: URL | undefined, { origin }: URL): URL | undefined {
  return next?.origin === origin ? next : undefined;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === 'TimeoutError') return `timeout after ${timeoutMs / 1000} s`;
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}
