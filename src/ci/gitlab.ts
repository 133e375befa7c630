/** GitLab, hosted or self-managed. */
import * as z from 'zod';
import { once } from '../base/values/once.ts';
import { createApi } from './api.ts';
import { gitLabProposalFix, gitLabProposals } from './gitlabProposals.ts';
import type { CodeHostApi, Post } from './post.ts';
import type { JobIo } from './runner.ts';

export function gitLabApi(token: string, request: number | undefined, io: JobIo): CodeHostApi {
  const { CI_API_V4_URL: url = 'https://gitlab.com/api/v4', CI_PROJECT_ID: project = '' } = io.env;
  // The pipeline of a fork runs in the fork; its merge request belongs to the target project.
  const { CI_MERGE_REQUEST_PROJECT_ID: target = project, CI_MERGE_REQUEST_PROJECT_URL, CI_PROJECT_URL = '' } = io.env;
  const requestUrl = `${CI_MERGE_REQUEST_PROJECT_URL ?? CI_PROJECT_URL}/-/merge_requests/${request}`;
  const options = { host: 'GitLab', url, token };
  const api = createApi({ ...options, fix }, io);
  const proposing = createApi({ ...options, fix: gitLabProposalFix }, io);
  const notes = `/projects/${encodeURIComponent(target)}/merge_requests/${request}/notes`;
  const issues = `/projects/${encodeURIComponent(project)}/issues`;
  // Every token that may write may read its user.
  const username = once(async () => (await api.get('/user', author)).username);
  const fromNote = async (note: Note): Promise<Post> => ({
    id: note.id,
    url: `${requestUrl}#note_${note.id}`,
    body: note.body,
    own: note.author.username === (await username()),
  });
  const fromIssue = async (issue: Issue): Promise<Post> => ({
    id: issue.iid,
    url: issue.web_url,
    body: issue.description ?? '',
    own: issue.author.username === (await username()),
  });

  return {
    async *comments() {
      // This request may fail, so it comes before anything is written.
      await username();
      for await (const note of api.list(`${notes}?sort=asc&per_page=100`, noteSchema)) yield fromNote(note);
    },
    createComment: async (body) => fromNote(await api.send('POST', notes, { body }, noteSchema)),
    updateComment: async (id, body) => fromNote(await api.send('PUT', `${notes}/${id}`, { body }, noteSchema)),
    deleteComment: (id) => api.send('DELETE', `${notes}/${id}`, {}, z.unknown()),
    async *openIssues() {
      const by = encodeURIComponent(await username());
      const path = `${issues}?state=opened&order_by=updated_at&author_username=${by}&per_page=100`;
      for await (const issue of api.list(path, issueSchema)) yield fromIssue(issue);
    },
    createIssue: async (title, description) =>
      fromIssue(await api.send('POST', issues, { title, description }, issueSchema)),
    updateIssue: async (id, description) =>
      fromIssue(await api.send('PUT', `${issues}/${id}`, { description }, issueSchema)),
    commentIssue: (id, body) => api.send('POST', `${issues}/${id}/notes`, { body }, z.unknown()),
    closeIssue: (id) => api.send('PUT', `${issues}/${id}`, { state_event: 'close' }, z.unknown()),
    labelIssue: (id, label) => api.send('PUT', `${issues}/${id}`, { add_labels: label }, z.unknown()),
    proposals: gitLabProposals(proposing, project, username),
    async close() {
      await Promise.all([api.close(), proposing.close()]);
    },
  };
}

const fix =
  'set the masked variable WEBDATA_GITLAB_TOKEN to a project access token with the scope `api` and the role Reporter or higher; protected variables are not available in merge requests';

const author = z.object({ username: z.string() });
const noteSchema = z.object({ id: z.number(), body: z.string(), author });
const issueSchema = z.object({ iid: z.number(), web_url: z.string(), description: z.string().nullish(), author });

type Note = z.infer<typeof noteSchema>;
type Issue = z.infer<typeof issueSchema>;
