/** What the fakes of both forges share: a server on loopback, and what it keeps. */
import fastify, { type FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';

export interface FakePost {
  id: number;
  /** Of the comments on it: the number of a pull request or an issue. */
  on?: number;
  author: string;
  body: string;
}

export interface FakeIssue extends FakePost {
  title: string;
  open: boolean;
  labels: string[];
  /** GitHub lists pull requests among the issues. */
  isPullRequest?: boolean;
  /** When it was written to last; lists begin with the greatest. */
  updated?: number;
}

export interface FakeForge {
  url: string;
  token: string;
  comments: FakePost[];
  issues: FakeIssue[];
  /** `POST /repos/…`, in order. */
  calls: string[];
  /** Answers this to each write (`reads: true`: to each call) instead of doing it. */
  refuse(status: number, message: string, options?: RefuseOptions): void;
  /** The comments on a pull request or an issue. */
  on(number: number): FakePost[];
}

interface RefuseOptions {
  reads?: boolean;
  /** Only calls such as `POST /repos/…` that it matches. */
  only?: RegExp;
  /** How often, before calls are done again. */
  times?: number;
  headers?: Record<string, string>;
  /** More fields of the body. */
  more?: object;
}

export const token = 'fake-forge-token-0123456789';

/** The token's own author in either fake. */
export interface FakeState extends FakeForge {
  app: FastifyInstance;
  nextId(): number;
}

/** Refuses whoever has not the token, and counts all calls. Closed when the test ends. */
export async function openFake(message: (text: string) => object): Promise<FakeState> {
  const app = fastify();
  let last = 100;
  let refusal: ({ status: number; text: string } & RefuseOptions) | undefined;
  const state: FakeState = {
    app,
    url: '',
    token,
    comments: [],
    issues: [],
    calls: [],
    nextId: () => ++last,
    refuse(status, text, options = {}) {
      refusal = { status, text, ...options };
    },
    on: (number) => state.comments.filter((comment) => comment.on === number),
  };
  app.addHook('onRequest', async ({ method, url, headers }, reply) => {
    state.calls.push(`${method} ${url}`);
    if (headers.authorization !== `Bearer ${token}`) return reply.code(401).send(message('Bad credentials'));
    if (refusal === undefined || !concerns(refusal, method, url)) return;
    const { status, text, times = Number.POSITIVE_INFINITY, headers: sent = {}, more } = refusal;
    refusal = times > 1 ? { ...refusal, times: times - 1 } : undefined;
    return reply
      .code(status)
      .headers(sent)
      .send({ ...message(text), ...more });
  });
  // `npm run recipes` is no test: there, the server ends with the process.
  if (process.env.VITEST === undefined) app.server.unref();
  else onTestFinished(() => app.close());
  return state;
}

function concerns({ reads = false, only }: RefuseOptions, method: string, url: string): boolean {
  return (reads || method !== 'GET') && (only === undefined || only.test(`${method} ${url}`));
}

/** Those that are open and of this author, the one that was written to last first. */
export function openIssuesOf(issues: readonly FakeIssue[], author: string | undefined): FakeIssue[] {
  const listed = issues.filter((issue) => issue.open && (author === undefined || issue.author === author));
  return listed.sort((a, b) => (b.updated ?? 0) - (a.updated ?? 0));
}

/** One page of a list, and the number of the next one. */
export function pageOf<T>(
  items: readonly T[],
  query: { page?: string; per_page?: string },
): { items: T[]; next?: number } {
  const [page, size] = [Number(query.page ?? 1), Math.min(Number(query.per_page ?? 20), 100)];
  const shown = items.slice((page - 1) * size, page * size);
  return page * size < items.length ? { items: shown, next: page + 1 } : { items: shown };
}

export function found<T>(item: T | undefined): T {
  if (item === undefined) throw Object.assign(new Error('Not Found'), { statusCode: 404 });
  return item;
}
