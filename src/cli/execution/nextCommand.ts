/** The command lines that reports suggest. */
import { shellWords } from '../../base/values/shellWords.ts';
import type { PlanFlags } from '../options/coreCommands.ts';

/** Returns a command line for the same declaration, which a user may run next. */
export function commandLine(
  words: readonly string[],
  { file = [], select = [], zone = [], ...flags }: PlanFlags,
): string {
  const options = [
    ...file.flatMap((each) => ['-f', each]),
    ...select.flatMap((each) => ['--select', each]),
    ...zone.flatMap((each) => ['--zone', each]),
  ];
  const others = [
    flags.maxMoves,
    flags.allowSelfLockout,
    flags.allowUnclearListing,
    flags.forcePorts,
    flags.resend,
    flags.prune,
    flags.allowRemoved,
    flags.apiUrl,
    flags.managerUrl,
  ];
  const line = shellWords(['webdata', ...words, ...options]);
  return others.some((value) => value !== undefined) ? `${line} (and the other options)` : line;
}
