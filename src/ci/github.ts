/** GitHub, and GitHub Enterprise Server. */
import * as z from 'zod';
import { type Api, type ApiOptions, createApi, type HeadersLike } from './api.ts';
import type { ForgeCalls, Post } from './forge.ts';
import type { Surroundings } from './front.ts';

export function gitHubCalls(token: string, request: number | undefined, io: Surroundings): ForgeCalls {
  const { GITHUB_API_URL: url = 'https://api.github.com', GITHUB_REPOSITORY: repository = '' } = io.env;
  const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  const api = createApi({ forge: 'GitHub', url, token, headers, next: nextByLink, fix }, io);
  const issues = `/repos/${repository}/issues`;
  const own = ownership(api);
  const toPost = async (item: Item): Promise<Post> => ({
    id: item.number ?? item.id,
    url: item.html_url,
    body: item.body ?? '',
    own: (await own())(item),
  });
  const post = async (method: 'POST' | 'PATCH', path: string, body: object) =>
    toPost(await api.send(method, path, body, itemSchema));

  return {
    async *comments() {
      for await (const item of api.list(`${issues}/${request}/comments?per_page=100`, itemSchema)) yield toPost(item);
    },
    createComment: (body) => post('POST', `${issues}/${request}/comments`, { body }),
    updateComment: (id, body) => post('PATCH', `${issues}/comments/${id}`, { body }),
    async *openIssues() {
      for await (const item of api.list(`${issues}?state=open&per_page=100`, itemSchema)) {
        if (item.pull_request === undefined) yield toPost(item);
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

/** Who the token stands for, asked once. A workflow's own token may not ask that; whatever it writes, a bot has written. */
function ownership(api: Api): () => Promise<(item: Item) => boolean> {
  let asked: Promise<(item: Item) => boolean> | undefined;
  return () => {
    asked ??= api.get('/user', z.object({ login: z.string() })).then(
      ({ login }) =>
        ({ user }) =>
          user?.login === login,
      () =>
        ({ user }) =>
          user?.type === 'Bot',
    );
    return asked;
  };
}

/** `Link: <https://…&page=2>; rel="next", …` */
function nextByLink(headers: HeadersLike): URL | undefined {
  const next = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1];
  return next !== undefined && URL.canParse(next) ? new URL(next) : undefined;
}
