/** `webdata zones ips|countries|recent|migrate`: what zones hold, who tries to use them, and a move by hand. */
import type { Command } from 'commander';
import type { Client } from '../service/client.ts';
import { deliver } from './dataOutput.ts';
import { examples } from './examples.ts';
import { exitCodes, type Shell } from './io.ts';
import { type ListFlags, listText, type Row, withList } from './listOutput.ts';
import { addMigrate, migrateUsage } from './zonesMigrate.ts';

const usages = {
  ips: {
    'webdata zones ips checkout': 'the static IPs of a zone, with what each geolocation database says',
    'webdata zones ips checkout --format csv --output ips.csv': 'as a table, into a file',
  },
  countries: {
    'webdata zones countries checkout': 'how many IPs of each country',
    'webdata zones countries checkout --format csv': 'as a table',
  },
  recent: {
    'webdata zones recent': 'of all zones, those that lately tried to use them',
    'webdata zones recent checkout pricing --format ndjson': 'of two zones, one IP a line',
  },
};

export function addZones(command: Command, shell: Shell): void {
  command.addHelpText('after', examples({ ...usages.ips, ...migrateUsage }));
  addListing(command.command('ips').argument('<zone>', 'the zone'), 'the static IPs of a zone', usages.ips, ips, shell);
  addListing(
    command.command('countries').argument('<zone>', 'the zone'),
    'the number of static IPs of a zone, by country',
    usages.countries,
    countries,
    shell,
  );
  addListing(
    command.command('recent').argument('[zones...]', 'the zones (default: all of them)'),
    'the IPs that lately tried to use zones',
    usages.recent,
    recent,
    shell,
  );
  addMigrate(command.command('migrate'), shell);
}

type Listing<Argument> = (client: Client, argument: Argument, format: ListFlags['format']) => Promise<string>;

function addListing<Argument>(
  command: Command,
  summary: string,
  usage: Record<string, string>,
  listing: Listing<Argument>,
  { io, end }: Shell,
): void {
  withList(command.description(summary))
    .addHelpText('after', examples(usage))
    .action(async (argument: Argument, flags: ListFlags) => {
      await deliver(flags, io, async function* (client) {
        yield listing(client, argument, flags.format);
      });
      end(exitCodes.done);
    });
}

async function ips(client: Client, zone: string, format: ListFlags['format']): Promise<string> {
  const { first, others } = client.profile.geolocation;
  const found = await client.zones.ips(zone);
  if (format !== 'csv') return listText(found, format, [], found);
  const rows = found.map(({ ip, country, geolocation }): Row => ({ ...geolocation, ip, country }));
  return listText(found, format, ['ip', 'country', first, ...others], rows);
}

async function countries(client: Client, zone: string, format: ListFlags['format']): Promise<string> {
  const found = await client.zones.countries(zone);
  const rows = Object.entries(found).map(([country, count]) => ({ country, count }));
  return listText(found, format, ['country', 'count'], rows);
}

async function recent(client: Client, zones: readonly string[], format: ListFlags['format']): Promise<string> {
  const found = await client.zones.recentIps(zones.length === 0 ? '*' : zones);
  const rows = Object.entries(found).flatMap(([zone, used]) => used.map((ip) => ({ zone, ip })));
  return listText(found, format, ['zone', 'ip'], rows);
}
