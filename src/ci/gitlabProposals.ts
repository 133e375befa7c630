/** Proposals as merge requests on GitLab. */
import * as z from 'zod';
import { type Api, orMissing } from './api.ts';
import type { Post, ProposalHost } from './post.ts';

export const gitLabProposalFix =
  'set the masked variable WEBDATA_GITLAB_TOKEN to a project access token with the scope `api` and the role Developer or higher, which may push to branches that begin with `webdata/`';

export function gitLabProposals(api: Api, project: string, username: () => Promise<string>): ProposalHost {
  const at = `/projects/${encodeURIComponent(project)}`;
  const requests = `${at}/merge_requests`;
  const branchPath = (branch: string) => `${at}/repository/branches/${encodeURIComponent(branch)}`;
  const toPost = async ({ iid, web_url, description, author }: MergeRequest): Promise<Post> => ({
    id: iid,
    url: web_url,
    body: description ?? '',
    own: author.username === (await username()),
  });

  return {
    async *requests(branch) {
      const path = `${requests}?state=opened&source_branch=${encodeURIComponent(branch)}&per_page=20`;
      for await (const item of api.list(path, requestSchema)) {
        if (item.source_project_id === item.target_project_id) yield toPost(item);
      }
    },
    head: async (branch) => (await orMissing(api.get(branchPath(branch), branchSchema)))?.commit,
    async blobId(path, commit) {
      const file = `${at}/repository/files/${encodeURIComponent(path)}?ref=${commit}`;
      return (await orMissing(api.get(file, fileSchema)))?.blob_id;
    },
    async commit(branch, { parent, message, files }) {
      const actions = files.map(({ path, text }) => ({ action: 'update', file_path: path, content: text }));
      const commit = { branch, start_sha: parent, force: true, commit_message: message, actions };
      return (await api.send('POST', `${at}/repository/commits`, commit, commitSchema)).id;
    },
    create: async ({ branch, base, title, body }) => {
      const request = {
        source_branch: branch,
        target_branch: base,
        title,
        description: body,
        remove_source_branch: true,
      };
      return toPost(await api.send('POST', requests, request, requestSchema));
    },
    update: async (id, { title, body }) =>
      toPost(await api.send('PUT', `${requests}/${id}`, { title, description: body }, requestSchema)),
    comment: (id, body) => api.send('POST', `${requests}/${id}/notes`, { body }, z.unknown()),
    close: (id) => api.send('PUT', `${requests}/${id}`, { state_event: 'close' }, z.unknown()),
    deleteBranch: (branch) => api.send('DELETE', branchPath(branch), {}, z.unknown()),
  };
}

const commitSchema = z.object({ id: z.string() });
const branchSchema = z.object({ commit: commitSchema.extend({ message: z.string() }) });
const fileSchema = z.object({ blob_id: z.string() });
const requestSchema = z.object({
  iid: z.number(),
  web_url: z.string(),
  description: z.string().nullish(),
  source_project_id: z.number(),
  target_project_id: z.number(),
  author: z.object({ username: z.string() }),
});

type MergeRequest = z.infer<typeof requestSchema>;
