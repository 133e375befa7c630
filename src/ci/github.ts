/** GitHub and GitHub Enterprise Server. */
import * as z from 'zod';
import { once } from '../base/values/once.ts';
import { type Api, type ApiOptions, createApi, isDenied } from './api.ts';
import { gitHubProposalFix, gitHubProposals } from './githubProposals.ts';
import type { CodeHostApi, Post } from './post.ts';
import type { JobIo } from './runner.ts';

export function gitHubApi(token: string, request: number | undefined, io: JobIo): CodeHostApi {
  const { GITHUB_API_URL: url = 'https://api.github.com', GITHUB_REPOSITORY: repository = '' } = io.env;
  const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  const options = { host: 'GitHub', url, token, headers };
  const api = createApi({ ...options, fix }, io);
  const proposing = createApi({ ...options, fix: gitHubProposalFix }, io);
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
      // This request may fail, so it comes before anything is written.
      await author();
      for await (const item of api.list(`${issues}/${request}/comments?per_page=100`, itemSchema)) yield toPost(item);
    },
    createComment: (body) => post('POST', `${issues}/${request}/comments`, { body }),
    updateComment: (id, body) => post('PATCH', `${issues}/comments/${id}`, { body }),
    deleteComment: (id) => api.send('DELETE', `${issues}/comments/${id}`, {}, z.unknown()),
    async *openIssues() {
      const { login } = await author();
      const by = login === undefined ? '' : `&creator=${encodeURIComponent(login)}`;
      const path = `${issues}?state=open&sort=updated&direction=desc&per_page=100${by}`;
      let seen = 0;
      for await (const item of api.list(path, itemSchema)) {
        if (item.pull_request === undefined) yield toPost(item);
        seen += 1;
        if (seen >= mostRecent) return;
      }
    },
    createIssue: (title, body) => post('POST', issues, { title, body }),
    updateIssue: (id, body) => post('PATCH', `${issues}/${id}`, { body }),
    commentIssue: (id, body) => api.send('POST', `${issues}/${id}/comments`, { body }, z.unknown()),
    closeIssue: (id) =>
      api.send('PATCH', `${issues}/${id}`, { state: 'closed', state_reason: 'completed' }, z.unknown()),
    labelIssue: (id, label) => api.send('POST', `${issues}/${id}/labels`, { labels: [label] }, z.unknown()),
    proposals: gitHubProposals(proposing, repository, toPost),
    async close() {
      await Promise.all([api.close(), proposing.close()]);
    },
  };
}

const fix: ApiOptions['fix'] =
  'give the job `permissions: { contents: read, pull-requests: write, issues: write }`, or pass another `token`; jobs of forks and of Dependabot are read-only';

const itemSchema = z.object({
  id: z.number(),
  /** Issues only. */
  number: z.number().optional(),
  html_url: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string() }).nullish(),
  pull_request: z.unknown().optional(),
});

type Item = z.infer<typeof itemSchema>;

/** Every drift run updates its issue, so it is among the most recently updated. */
const mostRecent = 1000;

interface Author {
  /** Undefined if the token may not read it. */
  login?: string;
  isOf(item: Item): boolean;
}

const byBots: Author = { isOf: ({ user }) => user?.type === 'Bot' };

/** The user of the token, requested once. A workflow's own token may not read its user; it always writes as a bot. */
function authorOf(api: Api): () => Promise<Author> {
  return once(async () => {
    try {
      const { login } = await api.get('/user', z.object({ login: z.string() }));
      return { login, isOf: ({ user }: Item) => user?.login === login };
    } catch (error) {
      if (isDenied(error)) return byBots;
      throw error;
    }
  });
}
