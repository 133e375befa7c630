/** What a forge is told: one comment on a change request, one issue about drift, each found again and never made twice. */

export interface Forge {
  /** Writes the comment that begins with this marker, or the first one. Gives its address. */
  upsertComment(marker: string, body: string): Promise<string>;
  openOrUpdateIssue(issue: DriftIssue): Promise<{ url: string; was: 'opened' | 'updated' | 'changed' }>;
  /** Closes what is open with this marker, after saying why. Gives the addresses. */
  closeIssue(marker: string, why: string): Promise<string[]>;
  close(): Promise<void>;
}

export interface DriftIssue {
  marker: string;
  /** Part of the body; an open issue without it is about other drift. */
  mark: string;
  title: string;
  body: string;
  /** Said in an open issue that was about other drift: a description that changes wakes nobody. */
  changed: string;
}

/** The few calls of a forge's API that this takes. */
export interface ForgeCalls {
  comments(): AsyncIterable<Post>;
  createComment(body: string): Promise<Post>;
  updateComment(id: number, body: string): Promise<Post>;
  /** The one that was written to last comes first. `recent` may leave out what nobody has touched for long. */
  openIssues(howFar: 'all' | 'recent'): AsyncIterable<Post>;
  createIssue(title: string, body: string): Promise<Post>;
  updateIssue(id: number, body: string): Promise<Post>;
  commentIssue(id: number, body: string): Promise<unknown>;
  closeIssue(id: number): Promise<unknown>;
  labelIssue(id: number, label: string): Promise<unknown>;
  close(): Promise<void>;
}

/** A comment or an issue. */
export interface Post {
  id: number;
  url: string;
  body: string;
  /** Written by whoever the token stands for, as far as that can be told. */
  own: boolean;
}

export function createForge(calls: ForgeCalls): Forge {
  return {
    async upsertComment(marker, body) {
      const [found] = await marked(calls.comments(), marker, 1);
      const { url } = await (found ? calls.updateComment(found.id, body) : calls.createComment(body));
      return url;
    },
    async openOrUpdateIssue(issue) {
      const [found] = await marked(calls.openIssues('all'), issue.marker, 1);
      return found ? update(calls, found, issue) : open(calls, issue);
    },
    async closeIssue(marker, why) {
      const found = await marked(calls.openIssues('recent'), marker);
      for (const { id } of found) {
        // The other way round, an issue that can't be closed would get this comment at each look.
        await calls.closeIssue(id);
        await calls.commentIssue(id, why);
      }
      return found.map(({ url }) => url);
    },
    close: () => calls.close(),
  };
}

async function open(calls: ForgeCalls, { title, body }: DriftIssue) {
  const { id, url } = await calls.createIssue(title, body);
  // Without the right to label, the issue is still one.
  await calls.labelIssue(id, 'drift').catch(() => undefined);
  return { url, was: 'opened' as const };
}

async function update(calls: ForgeCalls, found: Post, { mark, body, changed }: DriftIssue) {
  const isSame = found.body.includes(mark);
  // The body holds the mark: once that is written, the next look takes the comment for said.
  if (!isSame) await calls.commentIssue(found.id, changed);
  const { url } = await calls.updateIssue(found.id, body);
  return { url, was: isSame ? ('updated' as const) : ('changed' as const) };
}

/** Those of our own that begin with the marker: somebody who quotes one, or plants one, is left alone. */
async function marked(posts: AsyncIterable<Post>, marker: string, most = Number.POSITIVE_INFINITY): Promise<Post[]> {
  const found: Post[] = [];
  for await (const post of posts) {
    if (post.own && post.body.startsWith(marker)) found.push(post);
    if (found.length >= most) break;
  }
  return found;
}
