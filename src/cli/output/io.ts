/** The parts of the process that commands may use. They are passed in, so that tests run commands in their own process. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';

export interface Io {
  stdout: Output;
  stderr: Output;
  /** Receives the output that is named `-`, if what is printed besides does not go to stdout. By default, `stdout`. */
  data?: Output;
  /** By default, the standard input of the process. */
  stdin?: Readable;
  env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative file names start from. */
  cwd: string;
  /** Asks for confirmation; undefined without a terminal. */
  confirm?: (question: string) => Promise<boolean>;
  /**
   * Receives each report, which is then neither printed nor written. Set for each account of `--all`, because their reports are written
   * together. It is a `Report`, which is not imported here: servers use this file too, and have no reports.
   */
  takeReport?(report: object, use: 'printed' | 'kept'): void;
  /** Receives the report of the whole command, besides the files of `--report`: `webdata ci` makes its comment of it. */
  keepReport?(textIn: (format: 'text' | 'json' | 'markdown') => Promise<string>): Promise<void>;
  /** Aborted on the first interrupt. */
  signal: AbortSignal;
}

export interface Output {
  /** Bytes are written unchanged: a page need not be text. */
  write(text: string | Uint8Array): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** Resolves at the first interrupt, which ends a server. */
export async function untilInterrupted({ signal }: Pick<Io, 'signal'>): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

export const exitCodes = { done: 0, error: 1, changes: 2 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The context of a command when it registers. */
export interface Shell {
  io: Io;
  /** Returns the program with the options of every command. */
  loadProgram(): Promise<Command>;
  /** Sets the exit code of the command. */
  end(code: ExitCode): void;
}
