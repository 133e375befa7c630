/** `webdata history`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { withProgress } from '../../cli/execution/progress.ts';
import { type PlanFlags, withOutput } from '../../cli/options/coreCommands.ts';
import { withFile, withJournal } from '../../cli/options/options.ts';
import { addExamples, positiveNumber } from '../../cli/options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../cli/output/io.ts';
import { textOptions } from '../../cli/output/textOptions.ts';
import { withBackend } from '../../engine/doors/backend.ts';
import { connectionIfAny } from '../../engine/doors/connection.ts';
import { accountLogOf, damageWarning } from '../../engine/doors/history.ts';
import { duration, durationMs } from '../../triggers/declared/timingSpec.ts';
import { historyJson } from './historyJson.ts';
import { historyText } from './text.ts';

interface Flags extends PlanFlags {
  /** In milliseconds. */
  since?: number;
  limit?: number;
}

export function addHistory(command: Command, { io, end }: Shell): void {
  withJournal(withOutput(withFile(command)))
    .addOption(new Option('--since <duration>', 'only runs that began in this time, such as 36h or 2d').argParser(age))
    .addOption(new Option('--limit <count>', 'number of newest runs to show').argParser(positiveNumber))
    .action(async (flags: Flags) => end(await history(flags, io)));
  addExamples(command, {
    'webdata history': 'every run, with the outcome of its calls',
    'webdata history --since 2d': 'runs of the last two days',
    'webdata history --limit 20': 'the newest 20 runs',
    'webdata history --format json': 'for programs',
  });
}

function age(text: string): number {
  if (duration.safeParse(text).success) return durationMs(text);
  throw new InvalidArgumentError('It must be a whole number of s, m, h or d, such as 90d.');
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
