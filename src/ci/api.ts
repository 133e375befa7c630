/** Calls of a forge's REST API: pages, time-outs, retries, and errors that say what the token lacks. The token is in none of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import pRetry, { type RetryContext } from 'p-retry';
import { EnvHttpProxyAgent, fetch } from 'undici';
import type * as z from 'zod';
import { ProblemError } from '../input/problem.ts';
import { printableText } from '../report/printable.ts';
import { redactor } from '../service/redact.ts';
import type { Surroundings } from './front.ts';

export interface ApiOptions {
  forge: string;
  /** Where paths start. */
  url: string;
  token: string;
  headers?: Record<string, string>;
  /** Where the next page of a list is, by the answer's headers. */
  next(headers: HeadersLike, current: URL): URL | undefined;
  /** What to do about an answer of 401, 403 or 404. */
  fix: string;
}

export interface HeadersLike {
  get(name: string): string | null;
}

export interface Api {
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
  /** All items of a list, page by page, as far as they are asked for. */
  list<S extends z.ZodType>(path: string, item: S): AsyncGenerator<z.output<S>>;
  send<S extends z.ZodType>(method: Method, path: string, body: object, schema: S): Promise<z.output<S>>;
  close(): Promise<void>;
}

type Method = 'POST' | 'PATCH' | 'PUT';

const timeoutMs = 20_000;
const retries = 2;
/** A job that waits is paid for; longer than this, it is told instead. */
const longestWaitSeconds = 60;

export function createApi(options: ApiOptions, { env, signal }: Pick<Surroundings, 'env' | 'signal'>): Api {
  const { url, token, forge } = options;
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
    const what = `${forge}: ${method} ${target.pathname}`;
    // What was created once must not be created twice.
    const sendAgain = method !== 'POST';
    const attempt = async () => {
      const answer = await once(method, target, body).catch((cause: unknown) => {
        throw new ForgeError(`${what} had no answer (${redactor([token])(reasonOf(cause))})`, reachable, {
          transient: sendAgain,
        });
      });
      if (answer.status >= 400) throw refused(what, answer, options, sendAgain);
      return answer;
    };
    const shouldRetry = ({ error }: RetryContext) => error instanceof ForgeError && error.transient;
    const onFailedAttempt = async ({ error, retriesLeft }: RetryContext) => {
      if (error instanceof ForgeError && error.transient && retriesLeft > 0)
        await sleep(error.waitMs, null, { signal });
    };
    return pRetry(attempt, { retries, minTimeout: 300, randomize: true, shouldRetry, onFailedAttempt, signal });
  }

  const at = (path: string) => new URL(url.replace(/\/$/, '') + path);
  return {
    get: async (path, schema) => valueIn(await call('GET', at(path)), schema, forge),
    async *list(path, item) {
      for (let page: URL | undefined = at(path); page !== undefined; ) {
        const answer: Answer = await call('GET', page);
        yield* valueIn(answer, item.array(), forge);
        page = sameOrigin(options.next(answer.headers, page), at(path));
      }
    },
    send: async (method, path, body, schema) => valueIn(await call(method, at(path), body), schema, forge),
    close: () => dispatcher.close(),
  };
}

interface Answer {
  status: number;
  headers: HeadersLike;
  text: string;
}

const reachable = 'check that the forge can be reached from here';

interface Refusal {
  /** Whether the same call may do better after this time. */
  transient?: boolean;
  waitMs?: number;
  /** The token lacks the right. */
  denied?: boolean;
}

class ForgeError extends ProblemError {
  readonly transient: boolean;
  readonly waitMs: number;
  readonly denied: boolean;
  constructor(found: string, fix: string, { transient = false, waitMs = 0, denied = false }: Refusal = {}) {
    super([{ code: 'forge-not-told', found: printableText(found), fix }]);
    this.transient = transient;
    this.waitMs = waitMs;
    this.denied = denied;
  }
}

/** Whether the forge said that the token may not do this; that it has done too much is something else. */
export function isDenied(error: unknown): boolean {
  return error instanceof ForgeError && error.denied;
}

function refused(what: string, answer: Answer, { fix, token }: ApiOptions, sendAgain: boolean): ForgeError {
  const { status, text } = answer;
  const said = redactor([token])(messageIn(text));
  const found = `${what} was answered ${status}${said === '' ? '' : `: ${said}`}`;
  if (isLimit(answer)) return limited(found, answer, sendAgain);
  if ([401, 403].includes(status)) return new ForgeError(found, fix, { denied: true });
  if (status === 404) return new ForgeError(found, fix);
  return new ForgeError(found, 'see what the forge said', { transient: sendAgain && status >= 500 });
}

/** GitHub answers 403 as well where a token has made too many calls; only the headers tell. */
function isLimit({ status, headers }: Answer): boolean {
  if (status === 429) return true;
  return status === 403 && (headers.get('retry-after') !== null || headers.get('x-ratelimit-remaining') === '0');
}

function limited(found: string, { headers }: Answer, sendAgain: boolean): ForgeError {
  const seconds = /^\d+$/.exec(headers.get('retry-after') ?? '')?.[0];
  const fix = `wait${seconds === undefined ? '' : ` ${seconds} s`}: the token has made too many calls`;
  const isShort = seconds !== undefined && Number(seconds) <= longestWaitSeconds;
  return new ForgeError(found, fix, { transient: sendAgain && isShort, waitMs: isShort ? Number(seconds) * 1000 : 0 });
}

/** What the forge says itself, in one short line. */
function messageIn(text: string): string {
  try {
    const { message, error } = JSON.parse(text) as { message?: unknown; error?: unknown };
    const said = message ?? error ?? '';
    return (typeof said === 'string' ? said : JSON.stringify(said)).slice(0, 300);
  } catch {
    return '';
  }
}

function valueIn<S extends z.ZodType>({ text, status }: Answer, schema: S, forge: string): z.output<S> {
  try {
    return schema.parse(text === '' ? undefined : JSON.parse(text));
  } catch {
    throw new ForgeError(`${forge} answered ${status} with something else than its API says`, reachable);
  }
}

/** The token goes to the API and nowhere else, wherever a list is said to go on. */
function sameOrigin(next: URL | undefined, { origin }: URL): URL | undefined {
  return next?.origin === origin ? next : undefined;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === 'TimeoutError') return `none in ${timeoutMs / 1000} s`;
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}
