/** Where deliveries are kept: a folder or a bucket. */
import type { Shape } from './shape.ts';
import type { Spooled } from './spool.ts';

export interface Destination {
  /** For people: the folder, or `s3://BUCKET/PREFIX`. */
  readonly name: string;
  /** Where deliveries are written while they come. */
  readonly spoolFolder: string;
  /**
   * Keeps a whole delivery under this name, and takes its file over. Whether the same was there before is the answer; once it is
   * given, the delivery survives whatever happens to this machine or to this process.
   */
  keep(spooled: Spooled, name: readonly string[], about: About, signal: AbortSignal): Promise<{ again: boolean }>;
  /** Writes down that a delivery was kept. */
  record(receipt: Receipt): Promise<void>;
  close(): Promise<void>;
}

export interface About {
  kind: Shape['kind'];
  run: string | undefined;
}

/** One line of the record. */
export interface Receipt extends About {
  time: string;
  /** Below the destination. */
  file: string;
  bytes: number;
  sha256: string;
  source: string;
  /** Of the URL, without its query, which may hold a secret. */
  path: string;
  /** The same delivery was kept before. */
  again: boolean;
}
