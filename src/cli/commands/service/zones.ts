/** `webdata zones ips|countries|recent|migrate`. */
import type { Command } from 'commander';
import type { StaticIp } from '../../../client/areas/zones/listing.ts';
import type { Client } from '../../../client/client.ts';
import { addExamples } from '../../options/values.ts';
import type { Shell } from '../../output/io.ts';
import { addListing, type ListRow, type ListStyle, listText } from '../../output/listOutput.ts';
import { addMigrate, migrateUsage } from './zonesMigrate.ts';

const usages = {
  ips: {
    'webdata zones ips checkout': 'static IPs with their geolocation in each database',
    'webdata zones ips checkout --format csv --output ips.csv': 'as CSV, in a file',
  },
  countries: {
    'webdata zones countries checkout': 'number of IPs by country',
    'webdata zones countries checkout --format csv': 'as CSV',
  },
  recent: {
    'webdata zones recent': 'recent clients of all zones',
    'webdata zones recent checkout pricing --format ndjson': 'of two zones, one IP per line',
  },
};

export function addZones(command: Command, shell: Shell): void {
  addExamples(command, { ...usages.ips, ...migrateUsage });
  const subcommand = (name: string, summary: string) => command.command(name).description(summary);
  const ofZone = (name: string, summary: string) => subcommand(name, summary).argument('<zone>', 'zone');
  addListing(ofZone('ips', 'List the static IPs of a zone'), usages.ips, ips, shell);
  const byCountry = ofZone('countries', 'Count the static IPs of a zone by country');
  addListing(byCountry, usages.countries, countries, shell);
  const lately = subcommand('recent', 'List the IPs that recently tried to use zones');
  addListing(lately.argument('[zones...]', 'zones (default: all)'), usages.recent, recent, shell);
  addMigrate(command.command('migrate'), shell);
}

async function ips(client: Client, zone: string, style: ListStyle): Promise<string> {
  const found = await client.zones.ips(zone);
  if (style.format === 'table') return listText(found, style, ['ip', 'country', 'databasesDisagree'], found.map(ipRow));
  if (style.format !== 'csv') return listText(found, style, [], found);
  const rows = found.map(({ ip, country, geolocation }): ListRow => ({ ...geolocation, ip, country }));
  const databases = new Set(found.flatMap(({ geolocation }) => Object.keys(geolocation)));
  return listText(found, style, ['ip', 'country', ...databases], rows);
}

/** People need the databases only where they disagree. */
function ipRow({ ip, country, geolocation }: StaticIp): ListRow {
  const found = Object.values(geolocation);
  return { ip, country, databasesDisagree: new Set(found).size > 1 ? found.join(', ') : '' };
}

async function countries(client: Client, zone: string, style: ListStyle): Promise<string> {
  const found = await client.zones.countries(zone);
  const rows = Object.entries(found).map(([country, count]) => ({ country, count }));
  return listText(found, style, ['country', 'count'], rows);
}

async function recent(client: Client, zones: readonly string[], style: ListStyle): Promise<string> {
  const found = await client.zones.recentIps(zones.length === 0 ? '*' : zones);
  const rows = Object.entries(found).flatMap(([zone, used]) => used.map((ip) => ({ zone, ip })));
  return listText(found, style, ['zone', 'ip'], rows);
}
