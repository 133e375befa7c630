/** What a command may touch of the outside: passed in, so that tests can run commands without a process of their own. */
import { once } from 'node:events';
import type { Command } from 'commander';

export interface Io {
  stdout: Output;
  stderr: Output;
  env: Readonly<Record<string, string | undefined>>;
  /** Relative file names start here. */
  cwd: string;
  /** Asks for consent; undefined where nobody can be asked. */
  confirm?: (question: string) => Promise<boolean>;
  /** Aborted on the first interrupt. */
  signal: AbortSignal;
}

export interface Output {
  /** Bytes are those of a page that may be no text. */
  write(text: string | Uint8Array): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** For servers: returns once somebody ends them. */
export async function untilInterrupted({ signal }: Pick<Io, 'signal'>): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** What every command ends with. */
export const exitCodes = { done: 0, error: 1, changes: 2 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The context of a command when it registers. */
export interface Shell {
  io: Io;
  /** Runs another command, for those that are made of others. */
  run(args: readonly string[], io: Io): Promise<ExitCode>;
  /** Returns the program with the options of every command. */
  loadProgram(): Promise<Command>;
  end(code: ExitCode): void;
}
