/** `webdata asns ZONE`. */
import type { Command } from 'commander';
import type { Client } from '../../../client/client.ts';
import type { Shell } from '../../output/io.ts';
import { addListing, type ListStyle, listText } from '../../output/listOutput.ts';

export function addAsns(command: Command, shell: Shell): void {
  const usage = {
    'webdata asns checkout': 'numbers and names',
    'webdata asns checkout --format csv --output asns.csv': 'as CSV, in a file',
  };
  addListing(command.argument('<zone>', 'zone'), usage, asns, shell);
}

async function asns(client: Client, zone: string, style: ListStyle): Promise<string> {
  const found = await client.reseller.asns(zone);
  return listText(found, style, ['asn', 'title'], found);
}
