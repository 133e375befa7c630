/** `webdata history --prune`. */

import { ProblemError } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { utcTime } from '../../base/values/utcTime.ts';
import { commandLock } from '../../cli/execution/commandLock.ts';
import { withProgress } from '../../cli/execution/progress.ts';
import type { OutputFlags } from '../../cli/options/coreCommands.ts';
import type { ContextFlags } from '../../cli/options/options.ts';
import { jsonText } from '../../cli/output/dataOutput.ts';
import { type ExitCode, exitCodes, type Io } from '../../cli/output/io.ts';
import { withBackend } from '../../engine/configuredBackend.ts';
import { configIfAny, withoutLists } from '../../engine/configuredDeclaration.ts';
import { chooseRuns, type Pruning } from '../../engine/history/prune.ts';
import { removeRuns } from '../../engine/run/journal.ts';
import { readJournal } from '../../engine/run/journalReader.ts';
import { shortRunId } from '../../engine/run/runId.ts';

export interface PruneFlags extends ContextFlags, Pick<OutputFlags, 'format'> {
  prune?: boolean;
  /** Milliseconds. */
  olderThan?: number;
  lockTimeout: number;
}

export async function pruneHistory(flags: PruneFlags, io: Io): Promise<ExitCode> {
  const { olderThan, format } = flags;
  if (olderThan === undefined) throw new ProblemError([noAge]);
  const now = Date.now();
  const cutoff = new Date(now - olderThan).toISOString();
  return withBackend(flags, io, await configIfAny(flags, io, withoutLists), async (backend) => {
    const prune = async () => {
      const chosen = chooseRuns(await readJournal(backend), { cutoff, now: new Date(now).toISOString() });
      await removeRuns(backend, chosen.removed);
      return chosen;
    };
    const lock = commandLock('history --prune', flags, io);
    const pruning = await withProgress('removing old runs', io, () => backend.withLock(lock, prune));
    io.stdout.write(format === 'json' ? jsonText(documentOf(pruning)) : pruningText(pruning, cutoff));
    return exitCodes.done;
  });
}

function documentOf({ removed, kept }: Pruning) {
  return { removed: removed.map(({ id }) => id), kept: kept.map(({ run, why }) => ({ id: run.id, why })) };
}

const mostShown = 20;

function pruningText({ removed, kept }: Pruning, cutoff: string): string {
  const lines = [
    `Removed ${counted(removed.length, 'run')} from before ${utcTime(cutoff)}; kept ${kept.length}.`,
    ...kept.slice(0, mostShown).map(({ run, why }) => `  ${shortRunId(run)}  ${utcTime(run.startedAt)}  ${why}`),
    ...(kept.length > mostShown ? [`  and ${kept.length - mostShown} more`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const noAge = {
  code: 'missing-age',
  found: '--prune needs an age',
  allowed: 'a whole number of s, m, h or d',
  fix: 'pass --older-than 90d, for example',
};
