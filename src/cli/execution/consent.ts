/** Confirmation by the user before anything live is changed. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import type { Io } from '../output/io.ts';

/** Writes a preview to stderr, then asks unless `--yes` was passed. @throws ProblemError without a terminal */
export async function confirmPreview(preview: string, question: string, yes: boolean, io: Io): Promise<boolean> {
  io.stderr.write(preview);
  if (yes || (await confirm(question, io))) return true;
  io.stderr.write('Nothing was changed.\n');
  return false;
}

/** @throws ProblemError without a terminal */
export async function confirm(question: string, { confirm: ask }: Pick<Io, 'confirm'>): Promise<boolean> {
  if (ask !== undefined) return ask(question);
  const found = 'not applied: no terminal to confirm on';
  throw new ProblemError([{ code: 'consent-needed', found, fix: 'review the plan, then pass --yes' }]);
}
