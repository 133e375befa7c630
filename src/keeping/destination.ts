/** The interface of stores for deliveries: a folder or a bucket. */
import type { Readable } from 'node:stream';
import type { Spooled } from './spool.ts';

export interface DeliveryStore {
  /** `folder PATH` or `bucket s3://BUCKET/PREFIX`, for messages. */
  readonly name: string;
  /** The folder in which incoming deliveries are written. */
  readonly spoolFolder: string;
  /**
   * Keeps a complete delivery under this name, and takes over its file. Returns whether the same delivery was there before. Once this
   * resolves, the delivery survives a crash of the process or the machine.
   */
  keep(
    spooled: Spooled,
    name: readonly string[],
    about: DeliveryFacts,
    signal: AbortSignal,
  ): Promise<{ again: boolean }>;
  /** Opens a kept delivery; undefined if it is not there. */
  read(name: readonly string[]): Promise<Readable | undefined>;
  /** Records that a delivery was kept. */
  record(receipt: Receipt): Promise<void>;
  /** Writes as a delivery does, and leaves no delivery behind. Fails with the error that a delivery would fail with. */
  probe(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The kind of the content, as far as it was recognized. */
export type ContentKind = 'rows' | 'notification' | 'other';

/** Why the content may be damaged. */
export type Doubt = 'not-json' | 'not-gzip' | 'unknown-encoding';

export interface DeliveryFacts {
  kind: ContentKind;
  run: string | undefined;
  /** Set if the content may be damaged. */
  doubt?: Doubt;
}

/** One line of the record. */
export interface Receipt extends DeliveryFacts {
  time: string;
  /** The path below the destination. */
  file: string;
  bytes: number;
  sha256: string;
  source: string;
  /** The path of the URL, without its query, which may contain a secret. */
  path: string;
  /** True if the same delivery was kept before. */
  again: boolean;
}
