/** The few calls of a code host's API that `webdata ci` needs. */

export interface CodeHostApi {
  proposals: ProposalHost;
  comments(): AsyncIterable<Post>;
  createComment(body: string): Promise<Post>;
  updateComment(id: number, body: string): Promise<Post>;
  deleteComment(id: number): Promise<unknown>;
  /** Most recently updated first. May leave out issues that have not been updated for long. */
  openIssues(): AsyncIterable<Post>;
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
  /** Written by the owner of the token, as far as the API shows. */
  own: boolean;
}

export interface Commit {
  id: string;
  message: string;
}

/** The calls for proposals: a branch with one commit, and the pull or merge request that asks for it. */
export interface ProposalHost {
  /** Open pull or merge requests from this branch of the repository itself. */
  requests(branch: string): AsyncIterable<Post>;
  /** The last commit of a branch; undefined if the branch does not exist. */
  head(branch: string): Promise<Commit | undefined>;
  /** The blob id of a file in a commit; undefined if it does not exist. */
  blobId(path: string, commit: string): Promise<string | undefined>;
  /** Makes the branch point at one new commit on top of `parent`, whether it exists or not. Returns the id of the commit. */
  commit(branch: string, commit: ProposedCommit): Promise<string>;
  create(request: ProposedRequest): Promise<Post>;
  update(id: number, fields: { title: string; body: string }): Promise<Post>;
  comment(id: number, body: string): Promise<unknown>;
  close(id: number): Promise<unknown>;
  deleteBranch(branch: string): Promise<unknown>;
}

export interface ProposedFile {
  /** From the top of the repository. */
  path: string;
  text: string;
  isExecutable: boolean;
}

interface ProposedCommit {
  parent: string;
  message: string;
  files: readonly ProposedFile[];
}

interface ProposedRequest {
  branch: string;
  base: string;
  title: string;
  body: string;
}
