/** Calls of a forge's REST API: pages, time-outs, retries, and errors that say what the token lacks. The token is in none of them. */
import pRetry from 'p-retry';
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
        throw new ForgeError(`${what} had no answer (${redactor([token])(reasonOf(cause))})`, reachable, sendAgain);
      });
      if (answer.status >= 400) throw refused(what, answer, options, sendAgain);
      return answer;
    };
    const shouldRetry = ({ error }: { error: unknown }) => error instanceof ForgeError && error.transient;
    return pRetry(attempt, { retries, minTimeout: 300, randomize: true, shouldRetry, signal });
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

class ForgeError extends ProblemError {
  readonly transient: boolean;
  constructor(found: string, fix: string, transient: boolean) {
    super([{ code: 'forge-not-told', found: printableText(found), fix }]);
    this.transient = transient;
  }
}

function refused(what: string, { status, headers, text }: Answer, { fix, token }: ApiOptions, sendAgain: boolean) {
  const said = redactor([token])(messageIn(text));
  const found = `${what} was answered ${status}${said === '' ? '' : `: ${said}`}`;
  const limited = status === 429 || headers.get('x-ratelimit-remaining') === '0';
  if (limited) return new ForgeError(found, 'wait: the token has made too many calls', false);
  if ([401, 403, 404].includes(status)) return new ForgeError(found, fix, false);
  return new ForgeError(found, 'see what the forge said', sendAgain && status >= 500);
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
    throw new ForgeError(`${forge} answered ${status} with something else than its API says`, reachable, false);
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
