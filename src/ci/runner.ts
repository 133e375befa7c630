/** The programs that `webdata ci` runs: `webdata` itself, or `pulumi` with a program of these resources. */
import { ProblemError } from '../base/diagnostics/problem.ts';
import type { DeclarationEdit } from '../report/model/declarationEdit.ts';

/** The parts of the process that a runner may use. */
export interface JobIo {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Aborted on the first interrupt. */
  signal: AbortSignal;
}

export type CiCommand = 'plan' | 'apply' | 'drift';

export interface Runner {
  name: RunnerName;
  /** Runs the command and passes its output on as it arrives. */
  run(command: CiCommand, io: JobIo, options: RunOptions): Promise<Outcome>;
  /** Names what the user's arguments select: files, resources, a stack. Different selections have different names. */
  subject(nameOf: NameOf): string;
}

interface RunOptions {
  /** For `drift` only: computes the edit that accepts the drift. */
  edit?: boolean | undefined;
}

/** Turns a path from the working folder into one from the top of the checkout. */
export type NameOf = (path: string) => string;

export const runnerNames = ['webdata', 'pulumi'] as const;
export type RunnerName = (typeof runnerNames)[number];

export interface Outcome {
  /** 2 means drift. A plan with changes is 0. */
  code: 0 | 1 | 2;
  /** True if drift was found, even if the check of another account failed. */
  hasDrift?: boolean | undefined;
  /** True if there are changes to make, or changes were made. */
  changes: boolean;
  /** One line. */
  summary: string;
  /** The report as Markdown; empty if the runner only writes text. */
  markdown: string;
  /** The report as JSON; empty if there is none. */
  json?: string | undefined;
  /** The report, or the whole output, as text. */
  text: string;
  /** The same for the same changes, even if they are found at different times. */
  fingerprint: string;
  /** The reasons for which a policy denies the plan. */
  denied?: readonly string[] | undefined;
  /** The remarks of a policy about the plan. */
  warnings?: readonly string[] | undefined;
  /** Undefined if it was not asked for, or if the command failed before. */
  edit?: DeclarationEdit | undefined;
}

/** The command succeeded without doing its work, as with `--help`. */
export function noReport(words: readonly string[]): ProblemError {
  const found = `\`${words.join(' ')}\` ended without a report, so the result is unknown`;
  const fix = 'after `--`, do not pass options that print something else, such as --help';
  return new ProblemError([{ code: 'no-report', found, fix }]);
}
