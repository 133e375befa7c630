/** Plans of commands, with progress on a terminal. */
import type { PlanningContext } from '../../operations/context.ts';
import { planLive } from '../../operations/planning.ts';
import type { Intent, Planned } from '../../sync/plan/planned.ts';
import { shellWords } from '../../values/shellWords.ts';
import type { PlanFlags } from '../options/planning.ts';
import type { Io } from '../output/io.ts';
import { withProgress } from './progress.ts';

/** Reads the live state and compares it with the declaration. If `recording`, journals the outcome of open calls of earlier runs. */
export function planFrom(
  context: PlanningContext,
  flags: PlanFlags,
  io: Io,
  intent: Intent,
  recording = false,
): Promise<Planned[]> {
  return withReadingProgress(io, () => planLive(context, flags, intent, recording));
}

export function withReadingProgress<T>(io: Io, action: () => Promise<T>): Promise<T> {
  return withProgress('reading the live state', io, action);
}

/** Returns a command line for the same declaration, which a user may run next. */
export function commandLine(words: readonly string[], { file = [], select = [], ...flags }: PlanFlags): string {
  const options = [...file.flatMap((each) => ['-f', each]), ...select.flatMap((each) => ['--select', each])];
  const { maxMoves, allowSelfLockout, allowUnclearListing, forcePorts, resend, prune, enforce, apiUrl, managerUrl } =
    flags;
  const others = [
    maxMoves,
    allowSelfLockout,
    allowUnclearListing,
    forcePorts,
    resend,
    prune,
    enforce,
    apiUrl,
    managerUrl,
  ];
  const line = shellWords(['webdata', ...words, ...options]);
  return others.some((value) => value !== undefined) ? `${line} (and the other options)` : line;
}
