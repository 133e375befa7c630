/**
 * The memory of an account: the lock, the log of the runs, and documents such as the baseline. A backend knows lines and texts, not
 * runs and calls. It is a folder of one machine, or a store that a team shares.
 */
import { z } from 'zod';
import type { LockHolder } from './holder.ts';

export interface Backend {
  /** The key of the account whose memory this is. Its documents may have several accounts. */
  readonly account: string;
  /** The address for messages, without credentials. */
  readonly address: string;
  /** The name of the log in messages. */
  readonly logName: string;
  /** True if other machines can use it. */
  readonly isShared: boolean;
  /**
   * Runs `action` with the lock. The signal is aborted, with a ProblemError, if the lock is lost. `assertHeld` rejects if the lock is lost,
   * even if this process was paused and has not noticed it yet. @throws ProblemError `locked` if another run holds the lock for longer than
   * `timeoutMs`
   */
  withLock<T>(
    options: LockOptions,
    action: (lost: AbortSignal, assertHeld: () => Promise<void>) => Promise<T>,
  ): Promise<T>;
  /** Returns the holder of the lock; undefined if the lock is free or has expired. */
  lockHolder(): Promise<LockHolder | undefined>;
  /** Takes the lock away from its holder, which sends no further call. */
  breakLock(options: LockOptions): Promise<void>;
  /** Opens the log for reading; undefined if there is none yet. */
  openLog(): Promise<LogReader | undefined>;
  /** Opens the log for writing. On a shared backend, call it with the lock. */
  appendToLog(): Promise<LogWriter>;
  /** Rewrites the log without some of its lines. Call it with the lock. */
  dropLines(isDropped: (text: string) => boolean): Promise<void>;
  /** Returns a document, such as `baseline`; undefined if it does not exist. */
  readDocument(name: string): Promise<StoredDocument | undefined>;
  /** Yields a document of every account in the backend. */
  readDocuments(name: string): AsyncIterable<StoredDocument>;
  /**
   * Replaces a document as a whole; no other run changes it in between. `update` returns undefined to leave it as it is. On a shared
   * backend, call it with the lock.
   */
  updateDocument(name: string, update: DocumentUpdate): Promise<void>;
  /** Returns why what was written could get lost; undefined if there is no known reason. */
  risk?(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The memories of all accounts in one folder or store, each by the key of its account. */
export type Memories = (account: string) => Backend;

export interface StoredDocument {
  text: string;
  /** The place, for messages. */
  where: string;
}

export type DocumentUpdate = (current: StoredDocument | undefined) => string | undefined;

export interface LockOptions {
  timeoutMs: number;
  /** The command in the `locked` error of other runs: `webdata apply`. */
  command: string;
  /** The folder in which the command runs. */
  folder: string;
  /** The URL of the CI job that the command runs in. */
  job?: string | undefined;
  /** Called once if another run holds the lock, before waiting for it. `holder` is undefined if it is not known. */
  onWait?: ((holder: LockHolder | undefined) => void) | undefined;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

/** A line of the log, with its number from 1. */
export type NumberedLine = readonly [number: number, text: string];

/** A position in the log. */
export interface Position {
  /** Bytes of a file, or entries of a shared log. */
  offset: number;
  /** The number of lines before the position. */
  lines: number;
}

/** Shows that a failover of the database may have lost lines here. No log holds it. */
export const lineOfFailover = '{"run":"failover"}';

export const logStart: Position = { offset: 0, lines: 0 };

export interface LineBatch {
  lines: NumberedLine[];
  /** The position after the last of these lines. */
  end: Position;
}

/** A summary of the log up to a position: the lines that still matter, unchanged, and facts from all others by topic. */
export const logSummary = z.object({
  kept: z.array(z.tuple([z.int(), z.string()])),
  facts: z.record(z.string(), z.array(z.string())),
});

export type LogSummary = z.output<typeof logSummary>;

export interface LogReader {
  /**
   * Yields the lines from a position on. The last batch may hold a line that its `end` does not count, because another process may still be
   * writing it.
   */
  read(from: Position): AsyncIterable<LineBatch>;
  /**
   * Returns the start of the first whole line within the last `bytes` bytes. Undefined if the log is shorter, or is always read as a whole.
   */
  positionNearEnd(bytes: number): Promise<Position | undefined>;
  /** Returns the last summary if it still matches the log. */
  readSummary(): Promise<(LogSummary & { end: Position }) | undefined>;
  /** Keeps a summary if it saves enough reading. A failure only makes later reads slower. */
  writeSummary(from: Position, end: Position, makeSummary: () => LogSummary): Promise<void>;
  /** Returns the least time in ms since another run wrote to the log, by the clock of the store. 0 if that is not known. */
  ageMs(): Promise<number>;
  close(): Promise<void>;
}

export interface LogWriter {
  /**
   * Adds lines, in their order. They are durable when the promise resolves. Exception: a shared backend may keep lines that `can wait`, and
   * write them with the next ones. @throws ProblemError if the lock is lost or the log cannot be written; then every later call throws too
   */
  append(lines: readonly string[], urgency: 'now' | 'can wait'): Promise<void>;
  /** Writes the lines that are still waiting. */
  close(): Promise<void>;
}
