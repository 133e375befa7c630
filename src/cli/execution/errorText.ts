/** Formats any error of a command as text. */
import { explainedProblems } from '../../engine/doors/declaration.ts';
import { formatProblems } from '../../report/text/problems.ts';
import type { Io } from '../output/io.ts';

export function errorText(error: unknown, { stderr, env, signal }: Io): string {
  const color = (stderr.isTTY ?? false) && !env.NO_COLOR;
  return `${formatProblems(explainedProblems(error, signal), { color, width: stderr.columns, docs: true })}\n`;
}
