/** `webdata show`. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { assertNoProblems } from '../../base/diagnostics/problem.ts';
import { jsonText } from '../../base/values/printable.ts';
import { withContext } from '../../cli/execution/commandContext.ts';
import { withProgress } from '../../cli/execution/progress.ts';
import { type ConnectionFlags, withConnection } from '../../cli/options/options.ts';
import { addExamples, collect, formatOption, ipAddress } from '../../cli/options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../cli/output/io.ts';
import { textOptions } from '../../cli/output/textOptions.ts';
import { reachableOwner } from '../../engine/doors/connection.ts';
import type { Config } from '../../engine/doors/declaration.ts';
import { declaredZones } from '../../kinds/declaredZones.ts';
import { formatProblems } from '../../report/text/problems.ts';
import { version } from '../../version.ts';
import { type Overview, readOverview } from './overview.ts';
import { overviewText } from './text.ts';

interface Flags extends ConnectionFlags {
  zone?: string[];
  country?: string[];
  ip?: string[];
  unmanaged?: boolean;
  cost?: boolean;
  format: 'table' | 'json';
  full?: boolean;
  color?: boolean;
}

export function addShow(command: Command, { io, end }: Shell): void {
  withConnection(command)
    .option(
      '--zone <zone>',
      'only this zone; repeatable (default: declared zones, and those that the service lists)',
      collect,
    )
    .option('--country <code>', 'only IPs of this country, or `unknown`; repeatable', countryCode)
    .addOption(
      new Option('--ip <address>', 'only this IP, with its zone; repeatable')
        .argParser((text, before: string[] = []) => [...before, ipAddress(text)])
        .conflicts(['country', 'unmanaged']),
    )
    .option('--cost', 'the cost of each zone this month, if the service shows it')
    .option('--unmanaged', 'only unmanaged IPs, which are in declared zones and not declared')
    .addOption(formatOption(['table', 'json']))
    .option('--full', 'show every IP and every country')
    .option('--no-color', 'disable colors, as NO_COLOR does')
    .action(async (flags: Flags) => end(await show(flags, io)));
  addExamples(command, {
    'webdata show': 'declared zones and those that the service lists, managers and schedules',
    'webdata show --zone checkout --full': 'every IP of a zone',
    'webdata show --ip 192.0.2.10': 'the zone that holds an IP',
    'webdata show --cost': 'the traffic and the cost of each zone this month',
    'webdata show --unmanaged': 'unmanaged IPs: in declared zones, but not declared',
    'webdata show --country us --country de --format json': 'IPs of two countries, for programs',
  });
}

async function show(flags: Flags, io: Io): Promise<ExitCode> {
  const { zone: zones, country, ip, cost, unmanaged = false, format, full = false } = flags;
  return withContext(flags, io, async ({ config, session }) => {
    const options = {
      zones,
      hasCosts: cost,
      // The listing has no text for a country that no database knows.
      countries: country && new Set(country.map((code) => (code === 'unknown' ? '' : code))),
      ips: ip && new Set(ip),
      unmanagedOnly: unmanaged,
      isListed: full || unmanaged || ip !== undefined,
    };
    const overview = await withProgress('reading the live state', io, () => readOverview(config, session, options));
    io.signal.throwIfAborted();
    const text = format === 'json' ? jsonOf(overview) : overviewText(overview, textOptions(flags, io));
    io.stdout.write(text);
    io.stderr.write(notesOn(config, overview, flags));
    assertNoProblems(overview.problems);
    return exitCodes.done;
  });
}

/** Says why something that was asked for is not shown. */
function notesOn(config: Config, overview: Overview, { unmanaged = false, ip: ips = [] }: Flags): string {
  const { objects, warnings, notShown } = overview;
  const hasZones = declaredZones(config.declared).length > 0;
  const { url, ledger } = config.triggers;
  const hasSchedules = (url === undefined && ledger === undefined) || reachableOwner(config) !== undefined;
  return [
    ...notesOnIps(ips, overview),
    ...(unmanaged && !hasZones ? ['note: no zone is declared, and only declared zones have unmanaged IPs\n'] : []),
    ...(objects === undefined || hasSchedules
      ? []
      : ['note: schedules are not shown: they require `name` in the declaration and WEBDATA_TRIGGERS_TOKEN\n']),
    ...(warnings.length === 0 ? [] : [`note: not declared, and not shown: ${formatProblems(warnings)}\n`]),
    ...notShown.map((collection) => `note: ${collection} are declared, and have nothing that is shown here\n`),
  ].join('');
}

/** Returns a note for each IP that was named and is not shown. */
function notesOnIps(ips: readonly string[], { zones }: Overview): string[] {
  const shown = zones.flatMap(({ group }) => group?.countries.flatMap(({ addresses = [] }) => addresses) ?? []);
  const isAllRead = zones.every(({ group }) => group !== undefined);
  const which = isAllRead ? 'none of these zones' : 'none of the zones that could be read';
  return ips.filter((ip) => !shown.includes(ip)).map((ip) => `note: ${ip} is in ${which}\n`);
}

function countryCode(text: string, before: string[] = []): string[] {
  const country = text.toLowerCase();
  if (country === 'unknown' || /^[a-z]{2}$/.test(country)) return [...before, country];
  throw new InvalidArgumentError('It must be a country code of two letters, or `unknown`.');
}

function jsonOf({ service, recentZones, zones, objects, notShown, problems, warnings }: Overview): string {
  const document = {
    format: 'webdata.show/1',
    version,
    service,
    recentZones,
    zones: zones.map(({ group, ...zone }) => ({ ...zone, ...group })),
    ...(objects && { objects, notShown }),
    problems,
    warnings,
  };
  return jsonText(document);
}
