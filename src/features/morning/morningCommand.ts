/** `webdata triggers report`. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { jsonText } from '../../base/values/printable.ts';
import { parseInstant } from '../../base/values/utcTime.ts';
import { withContext } from '../../cli/execution/commandContext.ts';
import { withConnection } from '../../cli/options/options.ts';
import { addExamples, formatOption } from '../../cli/options/values.ts';
import { type DataFlags, sinkFor, withDataFile } from '../../cli/output/dataOutput.ts';
import { exitCodes, type Shell } from '../../cli/output/io.ts';
import { durationMs } from '../../triggers/declared/timingSpec.ts';
import { morningOf } from './morning.ts';
import { morningMarkdown, morningText } from './text.ts';

interface Flags extends DataFlags {
  since: number;
  owner?: string;
  format: 'text' | 'json' | 'markdown';
}

export function addReport(command: Command, { io, end }: Shell): void {
  const about = 'Show what the schedules did; exit code 1 if something needs a person';
  withDataFile(withConnection(command.description(about)))
    .addOption(
      new Option('--since <time>', 'yesterday, today, a duration such as 12h, or a time in ISO 8601')
        .argParser(startOf)
        .default(startOf('yesterday'), 'yesterday'),
    )
    .option('--owner <name>', 'only schedules of this owner')
    .addOption(formatOption(['text', 'json', 'markdown']))
    .action(async (flags: Flags) => {
      const write = await sinkFor(flags, io);
      const needsPerson = await withContext(flags, io, async ({ session, config: { prices } }) => {
        const morning = await morningOf(session.triggers(), { since: flags.since, owner: flags.owner, prices });
        const texts = { text: morningText, markdown: morningMarkdown, json: () => jsonText(morning) };
        await write([texts[flags.format](morning, prices?.currency)]);
        return morning.needsPerson;
      });
      end(needsPerson ? exitCodes.error : exitCodes.done);
    });
  addExamples(command, {
    'webdata triggers report': 'since the beginning of yesterday',
    'webdata triggers report --since 12h --format markdown --output night.md': 'the last twelve hours, for a message',
  });
}

/** Days begin at midnight of this machine. */
function startOf(text: string): number {
  const days = ['today', 'yesterday'].indexOf(text);
  if (days >= 0) {
    const now = new Date();
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
  }
  const time = parseInstant(text) ?? Date.now() - durationMs(text);
  if (Number.isNaN(time))
    throw new InvalidArgumentError(
      'It must be yesterday, today, a duration such as 12h, or a time such as 2026-03-01T03:00:00Z.',
    );
  return time;
}
