/** `webdata history`: what earlier runs did, from the journal. */
import { once } from 'node:events';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { historyJson } from '../../report/json/json.ts';
import { damageWarning, historyText } from '../../report/text/historyText.ts';
import { readJournal } from '../../sync/run/journalReader.ts';
import { journalFile } from '../execution/declaration.ts';
import { examples } from '../options/examples.ts';
import { type PlanFlags, withFile, withJournal, withOutput } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Output, type Shell } from '../output/io.ts';
import { textOptions } from '../output/reporting.ts';

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
  const parts = flags.format === 'json' ? historyJson(runs) : historyText(runs, textOptions(flags, io));
  await writeParts(parts, io.stdout);
  io.stderr.write(damageWarning(journal, runs));
  return exitCodes.done;
}

const chunkCharacters = 256 * 1024;

/** A reader that is slower is waited for: the operating system does not take a long history at once. */
async function writeParts(parts: Iterable<string>, output: Output): Promise<void> {
  let chunk = '';
  for (const part of parts) {
    chunk += part;
    if (chunk.length < chunkCharacters) continue;
    const isTaken = output.write(chunk);
    chunk = '';
    if (isTaken === false && output instanceof Writable) await drained(output);
  }
  if (chunk !== '') output.write(chunk);
}

/** Also returns if the reader has left. */
async function drained(output: Writable): Promise<void> {
  if (output.destroyed) return;
  const over = new AbortController();
  const events = ['drain', 'close'].map((event) => once(output, event, { signal: over.signal }));
  await Promise.race(events).catch(() => undefined);
  over.abort();
}
