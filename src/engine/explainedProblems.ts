/** Turns any error of an operation into problems. */
import { type Problem, ProblemError } from '../base/diagnostics/problem.ts';
import { systemReason } from '../base/diagnostics/systemReason.ts';
import { ServiceError } from '../client/errors.ts';

export function explainedProblems(error: unknown, signal: AbortSignal): Problem[] {
  const isProblem = error instanceof ProblemError;
  if (signal.aborted && (!isProblem || error.problems.every(({ code }) => code === 'aborted'))) return [interrupted];
  if (isProblem) return [...error.problems];
  if (error instanceof ServiceError) return [{ code: error.code, found: error.message, fix: error.fix }];
  const problem = systemProblem(error);
  if (problem !== undefined) return [problem];
  const fix = 'report it, with the command that you ran';
  return [{ code: 'internal-error', found: `internal error: ${(error as Error).message}`, fix }];
}

/** Returns a problem for an error that the operating system reported. */
export function systemProblem(error: unknown): Problem | undefined {
  const { code, message, path, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof ServiceError) return undefined;
  const fix = systemFixes[code] ?? 'fix the cause and run the command again';
  const isFile = path !== undefined && syscall !== undefined && !syscall.startsWith('spawn');
  return {
    code: 'system-error',
    found: isFile ? `${path} cannot be used: ${systemReason(code)}` : (message ?? code),
    fix,
  };
}

const interrupted: Problem = { code: 'interrupted', found: 'interrupted' };

const systemFixes: Readonly<Record<string, string>> = {
  EADDRINUSE: 'pass another --port, or end the process that listens there',
  ENOSPC: 'free disk space and run the command again',
};
