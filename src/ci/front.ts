/** What is run in CI: `webdata`, or `pulumi` with a program of these resources. */
import { ProblemError } from '../input/problem.ts';

/** What this layer may touch of the outside. */
export interface Surroundings {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Aborted on the first interrupt. */
  signal: AbortSignal;
}

export type CiCommand = 'plan' | 'apply' | 'drift';

export interface Front {
  name: FrontName;
  /** Runs the command with the user's arguments; what it prints goes to the outputs as it comes. */
  run(command: CiCommand, args: readonly string[], io: Surroundings): Promise<Outcome>;
  /** What the arguments are about, in few words: files, a stack. No two looks at different things have the same. */
  subject(args: readonly string[], nameOf: NameOf): string;
}

/** A path, from the working folder, as it is called from the top of the checkout. */
export type NameOf = (path: string) => string;

export const frontNames = ['webdata', 'pulumi'] as const;
export type FrontName = (typeof frontNames)[number];

export interface Outcome {
  /** 2: drift. A plan with changes is 0, as nothing is wrong with it. */
  code: 0 | 1 | 2;
  /** Whether there are any to make, or were any made. */
  changes: boolean;
  /** One line. */
  summary: string;
  /** The report as Markdown; empty where there is only text. */
  markdown: string;
  /** The same, or all that was said, as text. */
  text: string;
  /** The same for the same changes, whenever they are looked at. */
  fingerprint: string;
}

/** The values of an option, as they stand in `--name value`, `--name=value`, `-n value` or `-nvalue`. */
export function optionValues(args: readonly string[], long: string, short?: string): string[] {
  return args.flatMap((arg, index) => {
    if (arg === long || arg === short) return args[index + 1] ?? [];
    if (arg.startsWith(`${long}=`)) return arg.slice(long.length + 1);
    return short !== undefined && arg.startsWith(short) && !arg.startsWith('--') ? arg.slice(short.length) : [];
  });
}

/** Nothing was looked at, as with `--help`, though nothing failed. */
export function noReport(words: readonly string[]): ProblemError {
  return new ProblemError([
    {
      code: 'no-report',
      found: `\`${words.join(' ')}\` ended without a report, so nothing is known`,
      fix: 'after `--`, give only options with which the command does its work',
    },
  ]);
}
