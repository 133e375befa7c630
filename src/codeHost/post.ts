/** The few calls of a code host's API that `webdata ci` needs. */

export interface CodeHostApi {
  comments(): AsyncIterable<Post>;
  createComment(body: string): Promise<Post>;
  updateComment(id: number, body: string): Promise<Post>;
  /** Most recently updated first. `recent` may leave out issues that have not been updated for long. */
  openIssues(scope: 'all' | 'recent'): AsyncIterable<Post>;
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
