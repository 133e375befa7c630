/**
 * GitHub or GitLab, as far as `webdata ci` writes to it: one comment on a change request and one issue about drift. Both are found
 * again by a hidden marker, so neither is ever created twice.
 */
import { type Problem, ProblemError } from '../base/diagnostics/problem.ts';
import { orMissing } from './api.ts';
import type { CiEnvironment } from './environment.ts';
import { gitHubApi } from './github.ts';
import { gitLabApi } from './gitlab.ts';
import type { CodeHostApi, Post, ProposalHost } from './post.ts';
import type { JobIo } from './runner.ts';
import { driftMarkStart } from './texts.ts';

export interface CodeHost {
  /** Updates the comment that begins with the marker, or creates it. Leaves one, even if two first runs create it at once. Returns its URL. */
  upsertComment(marker: string, body: string): Promise<string>;
  openOrUpdateIssue(issue: DriftIssue): Promise<{ url: string; was: 'opened' | 'updated' | 'changed' }>;
  /** Closes every open issue with the marker and adds a comment with the reason. Returns their URLs. */
  closeIssue(marker: string, reason: string): Promise<string[]>;
  readonly proposals: ProposalHost;
  close(): Promise<void>;
}

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
export function openCodeHost({ host, request }: CiEnvironment, io: JobIo): CodeHost {
  const { GITHUB_TOKEN, WEBDATA_GITLAB_TOKEN, GITLAB_TOKEN } = io.env;
  const token = host === 'GitHub' ? GITHUB_TOKEN : WEBDATA_GITLAB_TOKEN || GITLAB_TOKEN;
  if (!token) throw new ProblemError([host === 'GitHub' ? noGitHubToken : noGitLabToken]);
  return createCodeHost((host === 'GitHub' ? gitHubApi : gitLabApi)(token, request, io));
}

function createCodeHost(api: CodeHostApi): CodeHost {
  return {
    upsertComment: (marker, body) => upsertComment(api, marker, body),
    async openOrUpdateIssue(issue) {
      const [oldest, ...others] = oldestFirst(await marked(api.openIssues('all'), issue.marker, 'nearby'));
      // Two first runs at once open two issues.
      for (const { id } of others) await closeIssue(api, id, `The same drift is reported in ${oldest?.url}`);
      // Someone may have deleted the issue meanwhile.
      const updated = oldest && (await orMissing(updateIssue(api, oldest, issue)));
      return updated ?? openIssue(api, issue);
    },
    async closeIssue(marker, reason) {
      const found = await marked(api.openIssues('recent'), marker);
      for (const { id } of found) await closeIssue(api, id, reason);
      return found.map(({ url }) => url);
    },
    proposals: api.proposals,
    close: () => api.close(),
  };
}

async function upsertComment(api: CodeHostApi, marker: string, body: string): Promise<string> {
  const list = async () => oldestFirst(await marked(api.comments(), marker));
  const before = await list();
  const updated = await updateOldest(api, before, body);
  if (updated !== undefined) {
    await removeOthers(api, before, updated);
    return updated.url;
  }
  const created = await api.createComment(body);
  // Another first run may have created one at the same time: the older one stays.
  const after = await list();
  const older = after.filter(({ id }) => id < created.id);
  const kept = (await updateOldest(api, older, body)) ?? created;
  await removeOthers(api, after, kept);
  return kept.url;
}

/** Skips comments that were deleted meanwhile. Returns undefined if none is left. */
async function updateOldest(api: CodeHostApi, comments: readonly Post[], body: string): Promise<Post | undefined> {
  for (const { id } of comments) {
    const updated = await orMissing(api.updateComment(id, body));
    if (updated !== undefined) return updated;
  }
  return undefined;
}

async function removeOthers(api: CodeHostApi, comments: readonly Post[], kept: Post): Promise<void> {
  for (const { id } of comments) if (id !== kept.id) await orMissing(api.deleteComment(id));
}

async function openIssue(api: CodeHostApi, { title, body }: DriftIssue) {
  const { id, url } = await api.createIssue(title, body);
  // The label is optional: the token may lack the permission for it.
  await api.labelIssue(id, 'drift').catch(() => undefined);
  return { url, was: 'opened' as const };
}

/** Closes first: an issue that cannot be closed would otherwise get this comment on every run. */
async function closeIssue(api: CodeHostApi, id: number, reason: string): Promise<void> {
  await orMissing(api.closeIssue(id).then(() => api.commentIssue(id, reason)));
}

async function updateIssue(api: CodeHostApi, found: Post, { driftMark, body, changed }: DriftIssue) {
  const isSame = found.body.includes(driftMark);
  // Comment first: once the body holds the mark, the next run takes the comment as written.
  if (!isSame && !(await isAnnounced(api, found.id, driftMark)))
    await api.commentIssue(found.id, `${driftMark}\n${changed}`);
  const { url } = await api.updateIssue(found.id, body);
  return { url, was: isSame ? ('updated' as const) : ('changed' as const) };
}

/** Reports whether the newest comment about changed drift is about this drift: an issue that cannot be updated is commented once. */
async function isAnnounced(api: CodeHostApi, id: number, driftMark: string): Promise<boolean> {
  const [newest] = oldestFirst(await marked(api.issueComments(id), driftMarkStart)).toReversed();
  return newest?.body.startsWith(driftMark) === true;
}

function oldestFirst(posts: readonly Post[]): Post[] {
  return posts.toSorted((one, other) => one.id - other.id);
}

/** Our own posts that begin with the marker; `nearby`: only those on the page of the first one. A marker that someone else quotes or plants is ignored. */
async function marked(posts: AsyncIterable<Post>, marker: string, which: 'all' | 'nearby' = 'all'): Promise<Post[]> {
  const found: Post[] = [];
  let seen = 0;
  for await (const post of posts) {
    if (post.own && post.body.startsWith(marker)) found.push(post);
    seen += 1;
    if (which === 'nearby' && found.length > 0 && seen % pageSize === 0) break;
  }
  return found;
}

/** The number of posts that the lists ask for at a time. */
const pageSize = 100;

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
