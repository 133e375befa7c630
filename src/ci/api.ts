/** Requests to a code host's REST API, with pages, timeouts and retries. Errors name the missing permission and never show the token. */
import { setTimeout as sleep } from 'node:timers/promises';
import pRetry, { type RetryContext } from 'p-retry';
import { Agent, fetch, type Headers, ProxyAgent } from 'undici';
import type * as z from 'zod';
import { ProblemError } from '../base/diagnostics/problem.ts';
import { decodedText } from '../base/files/textFile.ts';
import { outboundRoute } from '../base/values/outboundRoute.ts';
import { parsedJson } from '../base/values/plain.ts';
import { printableText } from '../base/values/printable.ts';
import { withoutMark } from '../base/values/utf8.ts';
import { redactor } from '../client/redact.ts';
import type { JobIo } from './runner.ts';

export interface ApiOptions {
  host: string;
  /** The base of all paths. */
  url: string;
  token: string;
  headers?: Record<string, string>;
  /** The fix for an answer of 401, 403 or 404. */
  fix: string;
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

export function createApi(options: ApiOptions, { env, signal, stderr }: Pick<JobIo, 'env' | 'signal' | 'stderr'>): Api {
  const { url, token, host } = options;
  const route = outboundRoute(url, env);
  if (route.kind === 'unclear') throw new CodeHostError(`${route.by} ${route.why}`, `correct ${route.by}`);
  const dispatcher = route.kind === 'proxy' ? new ProxyAgent(route.url.href) : new Agent();
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
    return { status, headers: answer.headers, text: withoutMark(decodedText(await answer.bytes(), host)) };
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
    const shouldRetry = ({ error }: RetryContext) => error instanceof CodeHostError && error.refusal.transient === true;
    const onFailedAttempt = async ({ error, retriesLeft }: RetryContext) => {
      const { transient = false, waitMs = 0 } = error instanceof CodeHostError ? error.refusal : {};
      if (!transient || retriesLeft === 0 || waitMs === 0) return;
      stderr.write(`note: ${what} waits ${waitMs / 1000} s, as ${host} asks: its rate limit is exceeded.\n`);
      await sleep(waitMs, null, { signal });
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
        page = nextPage(answer.headers, page);
      }
    },
    send: async (method, path, body, schema) => valueIn(await call(method, at(path), body), schema, host),
    close: () => dispatcher.close(),
  };
}

interface Answer {
  status: number;
  headers: Headers;
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
  readonly refusal: Refusal;

  constructor(found: string, fix: string, refusal: Refusal = {}) {
    super([{ code: 'forge-not-told', found: printableText(found), fix }]);
    this.refusal = refusal;
  }
}

/** Returns true if the token lacks a permission. A rate limit is not a denial. */
export function isDenied(error: unknown): boolean {
  return error instanceof CodeHostError && error.refusal.denied === true;
}

/** Returns undefined if nothing exists under the path. */
export async function orMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof CodeHostError && error.refusal.missing) return undefined;
    throw error;
  }
}

const unlockIt = 'unlock the conversation of the pull or merge request, or the issue';

function refused(what: string, answer: Answer, { fix, token }: ApiOptions, sendAgain: boolean): CodeHostError {
  const { status, text } = answer;
  const said = redactor([token])(messageIn(text));
  const found = `${what} failed with ${status}${said === '' ? '' : `: ${said}`}`;
  if (isLimit(answer, said)) return limited(found, answer, sendAgain);
  if (status === 403 && /\blocked\b/i.test(said)) return new CodeHostError(found, unlockIt);
  if ([401, 403].includes(status)) return new CodeHostError(found, fix, { denied: true });
  if ([404, 410].includes(status)) return new CodeHostError(found, fix, { missing: true });
  return new CodeHostError(found, 'see the message of the code host', { transient: sendAgain && status >= 500 });
}

/**
 * GitHub also answers 403 for an exceeded rate limit. Its headers show the difference, except for the secondary limit, whose answer may have
 * no other sign than its text.
 */
function isLimit({ status, headers }: Answer, said: string): boolean {
  if (status === 429) return true;
  const hasHeader = headers.get('retry-after') !== null || headers.get('x-ratelimit-remaining') === '0';
  return status === 403 && (hasHeader || /rate limit|abuse detection/i.test(said));
}

function limited(found: string, { headers }: Answer, sendAgain: boolean): CodeHostError {
  const seconds = secondsToWait(headers);
  const fix = `wait ${seconds === undefined ? 'a minute' : `${seconds} s`}: the rate limit of the token is exceeded`;
  const isShort = seconds !== undefined && seconds <= longestWaitSeconds;
  return new CodeHostError(found, fix, {
    transient: sendAgain && isShort,
    waitMs: isShort ? seconds * 1000 : 0,
  });
}

function secondsToWait(headers: Headers): number | undefined {
  const after = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(after)) return Number(after);
  const at = Date.parse(after) || Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset')) * 1000;
  return at > 0 ? Math.max(0, Math.ceil((at - Date.now()) / 1000)) : undefined;
}

/** The message of the code host with its reasons, in one short line. */
function messageIn(text: string): string {
  const { message, error, errors } = Object(parsedJson(text));
  const parts = [message ?? error, errors].filter((part) => part !== undefined);
  const words = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)));
  return words.join(': ').slice(0, 300);
}

function valueIn<S extends z.ZodType>({ text, status }: Answer, schema: S, host: string): z.output<S> {
  try {
    return schema.parse(text === '' ? undefined : JSON.parse(text));
  } catch {
    throw new CodeHostError(`${host} answered ${status} with an unexpected shape`, reachable);
  }
}

/**
 * Returns the next page of a list, always at the address of the current one, so that the token is sent nowhere else. Behind a proxy, links have
 * the address of the code host itself, so only their query counts.
 */
function nextPage(headers: Headers, current: URL): URL | undefined {
  const next = new URL(current);
  const linked = /<([^>]+)>\s*;[^,]*\brel="?next"?/.exec(headers.get('link') ?? '')?.[1];
  const number = headers.get('x-next-page');
  if (linked !== undefined && URL.canParse(linked, current.href)) next.search = new URL(linked, current).search;
  else if (number) next.searchParams.set('page', number);
  return next.search === current.search ? undefined : next;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.name === 'TimeoutError') return `timeout after ${timeoutMs / 1000} s`;
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}
