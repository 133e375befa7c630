/** The options that the commands and the functions of the package share. Their names are those of the command line: `--max-moves 5` is `maxMoves: 5`. */
import type { Readable } from 'node:stream';
import type { Pause } from '../client/transport/requestedPauses.ts';
import type { RequestLog } from '../client/transport/requestLog.ts';
import type { ListingProgress } from '../kinds/seam/views.ts';

export interface DeclarationOptions {
  file?: string[];
  allowEnv?: string[];
  apiUrl?: string;
  managerUrl?: string;
}

/** The address of the backend. */
export interface AddressOptions {
  journal?: string;
  backend?: string;
}

interface GuardOptions {
  maxMoves?: number;
  allowSelfLockout?: boolean;
  allowUnclearListing?: boolean;
  forcePorts?: boolean;
}

/** The options that a session and its backend are opened with. */
export interface SetupOptions extends DeclarationOptions, AddressOptions, GuardOptions {
  timeout?: number;
  retries?: number;
  /** The number of independent resources, and of independent calls, that are handled at a time. */
  parallelism?: number;
}

export interface PlanningOptions extends SetupOptions {
  select?: string[];
  /** Only the moves that touch one of these zones, instead of `select`. */
  zone?: string[];
  prune?: boolean;
  resend?: boolean;
  /** Unmanaged IPs count as drift; a plan that takes back moves of an earlier run is refused. */
  strict?: boolean;
  /** With drift only: pending changes count as drift. */
  pending?: boolean;
  /** Resources that were applied may be missing in the declaration. */
  allowRemoved?: boolean;
  /** With plan only: a kind of which no resource is declared any more is an error. */
  detailedExitcode?: boolean;
}

/** The folder that relative names start from, and the variables. */
export interface ProcessEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Read for the file `-`. By default, the standard input of the process. */
  stdin?: Readable | undefined;
  signal?: AbortSignal | undefined;
}

/** Returns the times of a connection. `--timeout` also limits the waits that a server asks for. */
export function connectionTimes({ timeout, retries }: Pick<SetupOptions, 'timeout' | 'retries'>) {
  const timeoutMs = timeout === undefined ? undefined : timeout * 1000;
  return {
    timeoutMs,
    retry: {
      ...(retries !== undefined && { retries }),
      ...(timeoutMs !== undefined && { maxRetryAfterMs: timeoutMs }),
    },
  };
}

/** The phases of an operation that may take long. */
export type Phase = 'waiting for the lock' | 'reading the live state' | 'making the calls';

/** The parts of the process that an operation uses. */
export interface Surroundings extends ProcessEnvironment {
  /** The front, for the journal; undefined for the command line. */
  front?: 'program' | undefined;
  signal: AbortSignal;
  /** Receives text for people that is not a result. */
  warn(text: string): void;
  /** Runs a phase of an operation, for example with a sign of progress. */
  during<T>(phase: Phase, work: () => Promise<T>): Promise<T>;
  onRequest: RequestLog | undefined;
  /** Receives the waits because a server limits requests. */
  onPause?: ((pause: Pause) => void) | undefined;
  /** Receives how many zones were listed, after each. */
  onListing?: ((progress: ListingProgress) => void) | undefined;
}
