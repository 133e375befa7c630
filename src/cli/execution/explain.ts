/** What went wrong, as problems and as text. */
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { formatProblems } from '../../report/text/problems.ts';
import { ServiceError } from '../../service/errors.ts';
import type { Io } from '../output/io.ts';

export function explain(error: unknown, { stderr, env, signal }: Io): string {
  const color = (stderr.isTTY ?? false) && !env.NO_COLOR;
  return `${formatProblems(problemsBehind(error, signal), { color, width: stderr.columns })}\n`;
}

/** Whatever a command may throw. */
export function problemsBehind(error: unknown, signal: AbortSignal): Problem[] {
  if (error instanceof ProblemError) return [...error.problems];
  if (signal.aborted) return [{ code: 'interrupted', found: 'interrupted' }];
  if (error instanceof ServiceError) return [{ code: error.code, found: error.message, fix: error.fix }];
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== undefined) return [{ code: 'system-error', found: message ?? code, fix: fixes[code] ?? seeToIt }];
  return [
    {
      code: 'internal-error',
      found: `internal error: ${message}`,
      fix: 'please report it, with the command that you ran',
    },
  ];
}

const seeToIt = 'see to it, then run again';

const fixes: Readonly<Record<string, string>> = {
  EADDRINUSE: 'give another --port, or end what listens there',
  ENOSPC: 'make room, then run again',
};
