/** The storage under a shared backend: objects of text with conditional writes. S3 and PostgreSQL implement it. */

export interface StoredObject {
  text: string;
  /** Changes with every write of the object. */
  version: string;
  /** The time in ms since the last write, by the clock of the store. */
  ageMs: number;
}

/**
 * Objects by key. Errors are ProblemErrors without credentials: `backend-unreachable` if it is unknown whether a write was carried out,
 * `backend-denied` or `backend-read-only` if it was refused. A read sees every write that ended before the read began.
 */
export interface ObjectStore {
  /** The address for messages, without credentials: `s3://bucket/prefix` or `postgres://host:port/database`. */
  readonly address: string;
  read(key: string): Promise<StoredObject | undefined>;
  /**
   * Returns the version; undefined if the key exists. The key may exist because of an earlier attempt of this same call whose answer
   * was lost: callers put a nonce in the text, and compare.
   */
  create(key: string, text: string): Promise<string | undefined>;
  /** Returns the new version; undefined if the key has another version or does not exist. */
  replace(key: string, text: string, version: string): Promise<string | undefined>;
  /** Removes keys. Keys that do not exist are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  /** Yields the keys that begin with `prefix`, in byte order. With `after`, yields only the keys after that one. */
  list(prefix: string, options?: { after?: string }): AsyncIterable<string>;
  /** The timeline of a database, which changes when a replica takes its place. Undefined where it is not shown. */
  timeline?(): Promise<number | undefined>;
  /** Returns why the store could lose writes that have ended; undefined if it shows no reason. */
  risk?(): Promise<string | undefined>;
  close(): Promise<void>;
}
