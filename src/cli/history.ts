/** `webdata history`: what earlier runs did, from the journal. */
import type { Command } from 'commander';
import { damageWarning, historyText } from '../report/historyText.ts';
import { historyJson } from '../report/json.ts';
import { readJournal } from '../sync/journalReader.ts';
import { journalFile } from './declaration.ts';
import { examples } from './examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './io.ts';
import { type PlanFlags, withFile, withJournal, withOutput } from './options.ts';
import { textOptions } from './reporting.ts';

export function addHistory(command: Command, { io, end }: Shell): void {
  withJournal(withOutput(withFile(command)))
    .addHelpText(
      'after',
      examples({
        'webdata history': 'every run, and what became of its calls',
        'webdata history --format json': 'the same for programs',
      }),
    )
    .action(async (flags: PlanFlags) => end(await history(flags, io)));
}

async function history(flags: PlanFlags, io: Io): Promise<ExitCode> {
  const journal = journalFile(flags, io);
  const runs = await readJournal(journal);
  io.stdout.write(flags.format === 'json' ? historyJson(runs) : historyText(runs, textOptions(flags, io)));
  io.stderr.write(damageWarning(journal, runs));
  return exitCodes.done;
}
