/**
 * GitHub or GitLab, as far as `webdata ci` writes to it: one comment on a change request and one issue about drift. Both are found
 * again by a hidden marker.
 */
import { type Problem, ProblemError } from '../base/diagnostics/problem.ts';
import type { CiEnvironment } from './environment.ts';
import { gitHubApi } from './github.ts';
import { gitLabApi } from './gitlab.ts';
import type { CodeHostApi, Post } from './post.ts';
import type { JobIo } from './runner.ts';

interface DriftIssue {
  marker: string;
  /** Part of the body; identifies the drift. An open issue without it reports other drift. */
  driftMark: string;
  title: string;
  body: string;
  /** Comment for an open issue that reported other drift. Without it, no one is notified of the new description. */
  changed: string;
}

/** @throws ProblemError if the environment has no token */
export function openCodeHost({ host, request }: CiEnvironment, io: JobIo): CodeHostApi {
  const { GITHUB_TOKEN, WEBDATA_GITLAB_TOKEN, GITLAB_TOKEN } = io.env;
  const token = host === 'GitHub' ? GITHUB_TOKEN : WEBDATA_GITLAB_TOKEN || GITLAB_TOKEN;
  if (!token) throw new ProblemError([host === 'GitHub' ? noGitHubToken : noGitLabToken]);
  return (host === 'GitHub' ? gitHubApi : gitLabApi)(token, request, io);
}

/** Updates the comment that begins with the marker, or creates it. Returns its URL. */
export async function upsertComment(api: CodeHostApi, marker: string, body: string): Promise<string> {
  const [oldest, ...others] = oldestFirst(await marked(api.comments(), marker));
  // Two first runs at once write two comments.
  for (const { id } of others) await api.deleteComment(id);
  const { url } = await (oldest === undefined ? api.createComment(body) : api.updateComment(oldest.id, body));
  return url;
}

export async function openOrUpdateIssue(
  api: CodeHostApi,
  issue: DriftIssue,
): Promise<{ url: string; was: 'opened' | 'updated' | 'changed' }> {
  const [oldest, ...others] = oldestFirst(await marked(api.openIssues(), issue.marker));
  // Two first runs at once open two issues.
  for (const { id } of others) await closeIssue(api, id, `The same drift is reported in ${oldest?.url}`);
  return oldest === undefined ? openIssue(api, issue) : updateIssue(api, oldest, issue);
}

/** Closes every open issue with the marker and adds a comment with the reason. Returns their URLs. */
export async function closeIssues(api: CodeHostApi, marker: string, reason: string): Promise<string[]> {
  const found = await marked(api.openIssues(), marker);
  for (const { id } of found) await closeIssue(api, id, reason);
  return found.map(({ url }) => url);
}

async function openIssue(api: CodeHostApi, { title, body }: DriftIssue) {
  const { id, url } = await api.createIssue(title, body);
  // The label is optional: the token may lack the permission for it.
  await api.labelIssue(id, 'drift').catch(() => undefined);
  return { url, was: 'opened' as const };
}

/** Closes first: an issue that cannot be closed would otherwise get this comment on every run. */
async function closeIssue(api: CodeHostApi, id: number, reason: string): Promise<void> {
  await api.closeIssue(id);
  await api.commentIssue(id, reason);
}

async function updateIssue(api: CodeHostApi, found: Post, { driftMark, body, changed }: DriftIssue) {
  const isSame = found.body.includes(driftMark);
  // Comment first: once the body holds the mark, the next run takes the comment as written.
  if (!isSame) await api.commentIssue(found.id, changed);
  const { url } = await api.updateIssue(found.id, body);
  return { url, was: isSame ? ('updated' as const) : ('changed' as const) };
}

function oldestFirst(posts: readonly Post[]): Post[] {
  return posts.toSorted((one, other) => one.id - other.id);
}

/** Returns our own posts that begin with the marker. A marker that someone else quotes or plants is ignored. */
export async function marked(posts: AsyncIterable<Post>, marker: string): Promise<Post[]> {
  const found: Post[] = [];
  for await (const post of posts) if (post.own && post.body.startsWith(marker)) found.push(post);
  return found;
}

const noGitHubToken: Problem = {
  code: 'no-forge-token',
  found: 'GITHUB_TOKEN is not set, so nothing is written to GitHub',
  fix: 'set it in the `env:` of the step, to github.token',
};

const noGitLabToken: Problem = {
  code: 'no-forge-token',
  found: 'neither WEBDATA_GITLAB_TOKEN nor GITLAB_TOKEN is set, so nothing is written to GitLab',
  fix: 'set the masked variable WEBDATA_GITLAB_TOKEN to a project access token with the scope `api`',
};
