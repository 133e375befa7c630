/**
 * GitHub or GitLab, as far as `webdata ci` writes to it: one comment on a change request and one issue about drift. Both are found
 * again by a hidden marker, so neither is ever created twice.
 */
import { type Problem, ProblemError } from '../diagnostics/problem.ts';
import type { CiEnvironment } from './environment.ts';
import { gitHubApi } from './github.ts';
import { gitLabApi } from './gitlab.ts';
import type { CodeHostApi, Post, ProposalHost } from './post.ts';
import type { JobIo } from './runner.ts';

export interface CodeHost {
  /** Updates the first comment that begins with the marker, or creates it. Returns its URL. */
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
    async upsertComment(marker, body) {
      const [found] = await marked(api.comments(), marker, 1);
      const { url } = await (found ? api.updateComment(found.id, body) : api.createComment(body));
      return url;
    },
    async openOrUpdateIssue(issue) {
      const [found] = await marked(api.openIssues('all'), issue.marker, 1);
      return found ? updateIssue(api, found, issue) : openIssue(api, issue);
    },
    async closeIssue(marker, reason) {
      const found = await marked(api.openIssues('recent'), marker);
      for (const { id } of found) {
        // Close first: an issue that cannot be closed would otherwise get this comment on every run.
        await api.closeIssue(id);
        await api.commentIssue(id, reason);
      }
      return found.map(({ url }) => url);
    },
    proposals: api.proposals,
    close: () => api.close(),
  };
}

async function openIssue(api: CodeHostApi, { title, body }: DriftIssue) {
  const { id, url } = await api.createIssue(title, body);
  // The label is optional: the token may lack the permission for it.
  await api.labelIssue(id, 'drift').catch(() => undefined);
  return { url, was: 'opened' as const };
}

async function updateIssue(api: CodeHostApi, found: Post, { driftMark, body, changed }: DriftIssue) {
  const isSame = found.body.includes(driftMark);
  // Comment first: once the body holds the mark, the next run takes the comment as written.
  if (!isSame) await api.commentIssue(found.id, changed);
  const { url } = await api.updateIssue(found.id, body);
  return { url, was: isSame ? ('updated' as const) : ('changed' as const) };
}

/** Our own posts that begin with the marker. A marker that someone else quotes or plants is ignored. */
async function marked(posts: AsyncIterable<Post>, marker: string, most = Number.POSITIVE_INFINITY): Promise<Post[]> {
  const found: Post[] = [];
  for await (const post of posts) {
    if (post.own && post.body.startsWith(marker)) found.push(post);
    if (found.length >= most) break;
  }
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
