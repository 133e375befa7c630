import { ProblemError } from '../../src/base/diagnostics/problem.ts';
import { formatProblems } from '../../src/report/text/problems.ts';

/** Returns the problems that an action throws as the user sees them; empty if it throws none. */
export async function shownProblems(action: () => unknown): Promise<string> {
  try {
    await action();
    return '';
  } catch (error) {
    if (error instanceof ProblemError) return formatProblems(error.problems);
    throw error;
  }
}
