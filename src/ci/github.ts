/** GitHub, and GitHub Enterprise Server. */
import * as z from 'zod';
import { type Api, type ApiOptions, createApi, type HeadersLike, isDenied } from './api.ts';
import type { ForgeCalls, Post } from './forge.ts';
import type { Surroundings } from './front.ts';

export function gitHubCalls(token: string, request: number | undefined, io: Surroundings): ForgeCalls {
  const { GITHUB_API_URL: url = 'https://api.github.com', GITHUB_REPOSITORY: repository = '' } = io.env;
  const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  const api = createApi({ forge: 'GitHub', url, token, headers, next: nextByLink, fix }, io);
  const issues = `/repos/${repository}/issues`;
  const author = authorOf(api);
  const toPost = async (item: Item): Promise<Post> => ({
    id: item.number ?? item.id,
    url: item.html_url,
    body: item.body ?? '',
    own: (await author()).isOf(item),
  });
  const post = async (method: 'POST' | 'PATCH', path: string, body: object) =>
    toPost(await api.send(method, path, body, itemSchema));

  return {
    async *comments() {
      // It may fail, so it is asked before anything is written.
      await author();
      for await (const item of api.list(`${issues}/${request}/comments?per_page=100`, itemSchema)) yield toPost(item);
    },
    createComment: (body) => post('POST', `${issues}/${request}/comments`, { body }),
    updateComment: (id, body) => post('PATCH', `${issues}/comments/${id}`, { body }),
    async *openIssues(howFar) {
      const { login } = await author();
      const by = login === undefined ? '' : `&creator=${encodeURIComponent(login)}`;
      const most = howFar === 'recent' && login === undefined ? mostRecent : Number.POSITIVE_INFINITY;
      const path = `${issues}?state=open&sort=updated&direction=desc&per_page=100${by}`;
      let seen = 0;
      for await (const item of api.list(path, itemSchema)) {
        if (item.pull_request === undefined) yield toPost(item);
        seen += 1;
        if (seen >= most) return;
      }
    },
    createIssue: (title, body) => post('POST', issues, { title, body }),
    updateIssue: (id, body) => post('PATCH', `${issues}/${id}`, { body }),
    commentIssue: (id, body) => api.send('POST', `${issues}/${id}/comments`, { body }, z.unknown()),
    closeIssue: (id) =>
      api.send('PATCH', `${issues}/${id}`, { state: 'closed', state_reason: 'completed' }, z.unknown()),
    labelIssue: (id, label) => api.send('POST', `${issues}/${id}/labels`, { labels: [label] }, z.unknown()),
    close: () => api.close(),
  };
}

const fix: ApiOptions['fix'] =
  'give the job `permissions: { contents: read, pull-requests: write, issues: write }`, or another `token`; runs of forks and of Dependabot may only read';

const itemSchema = z.object({
  id: z.number(),
  /** Of issues only. */
  number: z.number().optional(),
  html_url: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string() }).nullish(),
  pull_request: z.unknown().optional(),
});

type Item = z.infer<typeof itemSchema>;

/** As every look at drift writes to its issue, the one to be closed is among these, whatever else is open. */
const mostRecent = 1000;

interface Author {
  /** Unknown where the token may not ask. */
  login?: string;
  isOf(item: Item): boolean;
}

const byBots: Author = { isOf: ({ user }) => user?.type === 'Bot' };

/** Who the token stands for, asked once. A workflow's own token may not ask that; whatever it writes, a bot has written. */
function authorOf(api: Api): () => Promise<Author> {
  let asked: Promise<Author> | undefined;
  return () => {
    asked ??= api.get('/user', z.object({ login: z.string() })).then(
      ({ login }) => ({ login, isOf: ({ user }) => user?.login === login }),
      (error: unknown) => {
        if (!isDenied(error)) throw error;
        return byBots;
      },
    );
    return asked;
  };
}

/** `Link: <https://…&page=2>; rel="next", …` */
function nextByLink(headers: HeadersLike): URL | undefined {
  const next = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return next !== undefined && URL.canParse(next) ? new URL(next) : undefined;
}
