/** Nothing that is live is changed before somebody has agreed to it. */
import { ProblemError } from '../../diagnostics/problem.ts';
import type { Io } from '../output/io.ts';

/** Shows what would be done, on stderr, and asks. @throws ProblemError where nobody can be asked */
export async function agreed(preview: string, question: string, yes: boolean, io: Io): Promise<boolean> {
  io.stderr.write(preview);
  if (yes) return true;
  if (await asked(question, io)) return true;
  io.stderr.write('Nothing was changed.\n');
  return false;
}

/** @throws ProblemError where nobody can be asked */
export async function asked(question: string, { confirm }: Pick<Io, 'confirm'>): Promise<boolean> {
  if (confirm !== undefined) return confirm(question);
  throw new ProblemError([
    {
      code: 'consent-needed',
      found: 'this changes the live account, and there is nobody to ask',
      fix: 'review the plan, then give --yes',
    },
  ]);
}
