/** Proposals as pull requests on GitHub. */
import * as z from 'zod';
import { type Api, orMissing } from './api.ts';
import type { Post, ProposalHost } from './post.ts';

export const gitHubProposalFix =
  'give the job `permissions: { contents: write, pull-requests: write, issues: write }`, and allow "GitHub Actions to create and approve pull requests" in the settings of the repository under Actions; or pass another `token`';

export function gitHubProposals(api: Api, repository: string, toPost: (item: PullItem) => Promise<Post>): ProposalHost {
  const at = `/repos/${repository}`;
  const [owner = ''] = repository.split('/');
  const ref = (branch: string) => `heads/${branch.split('/').map(encodeURIComponent).join('/')}`;
  const commitOf = (id: string) => api.get(`${at}/git/commits/${id}`, commitSchema);

  return {
    async *requests(branch) {
      const head = encodeURIComponent(`${owner}:${branch}`);
      for await (const item of api.list(`${at}/pulls?state=open&head=${head}&per_page=20`, pullSchema))
        yield toPost(item);
    },
    async head(branch) {
      const found = await orMissing(api.get(`${at}/git/ref/${ref(branch)}`, refSchema));
      return found && { id: found.object.sha, message: (await commitOf(found.object.sha)).message };
    },
    async blobId(path, commit) {
      const file = path.split('/').map(encodeURIComponent).join('/');
      return (await orMissing(api.get(`${at}/contents/${file}?ref=${commit}`, shaSchema)))?.sha;
    },
    async commit(branch, { parent, message, files }) {
      const { tree } = await commitOf(parent);
      const entries = files.map(({ path, text, isExecutable }) => ({
        path,
        mode: isExecutable ? '100755' : '100644',
        type: 'blob',
        content: text,
      }));
      const made = await api.send('POST', `${at}/git/trees`, { base_tree: tree.sha, tree: entries }, shaSchema);
      const commit = { message, tree: made.sha, parents: [parent] };
      const { sha } = await api.send('POST', `${at}/git/commits`, commit, shaSchema);
      const known = await orMissing(api.get(`${at}/git/ref/${ref(branch)}`, refSchema));
      if (known) await api.send('PATCH', `${at}/git/refs/${ref(branch)}`, { sha, force: true }, z.unknown());
      else await api.send('POST', `${at}/git/refs`, { ref: `refs/heads/${branch}`, sha }, z.unknown());
      return sha;
    },
    create: async ({ branch, base, title, body }) =>
      toPost(await api.send('POST', `${at}/pulls`, { head: branch, base, title, body }, pullSchema)),
    update: async (id, fields) => toPost(await api.send('PATCH', `${at}/pulls/${id}`, fields, pullSchema)),
    comment: (id, body) => api.send('POST', `${at}/issues/${id}/comments`, { body }, z.unknown()),
    close: (id) => api.send('PATCH', `${at}/pulls/${id}`, { state: 'closed' }, z.unknown()),
    deleteBranch: (branch) => api.send('DELETE', `${at}/git/refs/${ref(branch)}`, {}, z.unknown()),
  };
}

const shaSchema = z.object({ sha: z.string() });
const refSchema = z.object({ object: shaSchema });
const commitSchema = z.object({ message: z.string(), tree: shaSchema });
const pullSchema = z.object({
  id: z.number(),
  number: z.number(),
  html_url: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string(), type: z.string() }).nullish(),
});

type PullItem = z.infer<typeof pullSchema>;
