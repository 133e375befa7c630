/** `webdata history`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { jsonText } from '../../base/values/printable.ts';
import { surroundingsOf } from '../../cli/execution/commandContext.ts';
import { withProgress } from '../../cli/execution/progress.ts';
import { type PlanFlags, withOutput } from '../../cli/options/coreCommands.ts';
import { withFile, withJournal, withLockTimeout } from '../../cli/options/options.ts';
import { addExamples, positiveNumber } from '../../cli/options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../cli/output/io.ts';
import { textOptions } from '../../cli/output/textOptions.ts';
import { lockFor, withBackend } from '../../engine/doors/backend.ts';
import { connectionIfAny } from '../../engine/doors/connection.ts';
import { configIfAny } from '../../engine/doors/declaration.ts';
import { accountLogOf, damageWarning, pruneRuns } from '../../engine/doors/history.ts';
import { duration, durationMs } from '../../triggers/declared/timingSpec.ts';
import { historyJson } from './historyJson.ts';
import { pruningDocument, pruningText } from './pruning.ts';
import { historyText } from './text.ts';

interface Flags extends Omit<PlanFlags, 'prune'> {
  /** In milliseconds, as `olderThan`. */
  since?: number;
  limit?: number;
  prune?: boolean;
  olderThan?: number;
  lockTimeout: number;
}

const noAge = {
  code: 'missing-age',
  found: '--prune needs an age',
  allowed: 'a whole number of s, m, h or d',
  fix: 'pass --older-than 90d, for example',
};

export function addHistory(command: Command, { io, end }: Shell): void {
  withLockTimeout(withJournal(withOutput(withFile(command))))
    .addOption(new Option('--since <duration>', 'only runs that began in this time, such as 36h or 2d').argParser(age))
    .addOption(new Option('--limit <count>', 'number of newest runs to show').argParser(positiveNumber))
    .option('--prune', 'remove old runs that neither undo nor a plan needs; needs --older-than')
    .addOption(new Option('--older-than <duration>', 'age of the runs to remove, such as 90d').argParser(age))
    .action(async (flags: Flags) => end(await (flags.prune ? prune(flags, io) : history(flags, io))));
  addExamples(command, {
    'webdata history': 'every run, with the outcome of its calls',
    'webdata history --since 2d': 'runs of the last two days',
    'webdata history --limit 20': 'the newest 20 runs',
    'webdata history --format json': 'for programs',
    'webdata history --prune --older-than 90d': 'remove old runs',
  });
}

function age(text: string): number {
  if (duration.safeParse(text).success) return durationMs(text);
  throw new InvalidArgumentError('It must be a whole number of s, m, h or d, such as 90d.');
}

async function prune(flags: Flags, io: Io): Promise<ExitCode> {
  const { olderThan: olderThanMs, format } = flags;
  if (olderThanMs === undefined) throw new ProblemError([noAge]);
  return withBackend(flags, io, await configIfAny(flags, io), async (backend) => {
    const lock = lockFor('history --prune', flags, surroundingsOf(flags, io));
    const removeOld = () => pruneRuns(backend, lock, { olderThanMs, now: Date.now() });
    const pruning = await withProgress('removing old runs', io, removeOld);
    io.stdout.write(format === 'json' ? jsonText(pruningDocument(pruning)) : pruningText(pruning, pruning.cutoff));
    return exitCodes.done;
  });
}

async function history(flags: Flags, io: Io): Promise<ExitCode> {
  const config = await connectionIfAny(flags, io);
  return withBackend(flags, io, config, async (backend) => {
    const log = accountLogOf(backend, io);
    const { limit } = flags;
    const since = flags.since === undefined ? undefined : new Date(Date.now() - flags.since).toISOString();
    const isPage = limit !== undefined || since !== undefined;
    const runs = await withProgress('reading the runs', io, () => (isPage ? log.page({ since, limit }) : log.all()));
    const parts = flags.format === 'json' ? historyJson(runs) : historyText(runs, textOptions(flags, io));
    for (const part of parts) io.stdout.write(part);
    io.stderr.write(damageWarning(backend.logName, runs));
    return exitCodes.done;
  });
}
