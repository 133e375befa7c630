/** `webdata asns`: the autonomous systems that a zone can leave from. */
import type { Command } from 'commander';
import { deliver } from './dataOutput.ts';
import { examples } from './examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './io.ts';
import { type ListFlags, listText, withList } from './listOutput.ts';

export function addAsns(command: Command, { io, end }: Shell): void {
  withList(command.argument('<zone>', 'the zone'))
    .addHelpText(
      'after',
      examples({
        'webdata asns checkout': 'numbers and names, as JSON',
        'webdata asns checkout --format csv --output asns.csv': 'as a table, into a file',
      }),
    )
    .action(async (zone: string, flags: ListFlags) => end(await asns(zone, flags, io)));
}

async function asns(zone: string, flags: ListFlags, io: Io): Promise<ExitCode> {
  await deliver(flags, io, async function* (client) {
    const found = await client.reseller.asns(zone);
    yield listText(found, flags.format, ['asn', 'title'], found);
  });
  return exitCodes.done;
}
