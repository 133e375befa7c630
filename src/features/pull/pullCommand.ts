/** `webdata pull`. */

import { dirname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { readText, standardStream, type TextSource } from '../../base/files/textFile.ts';
import { printableLine } from '../../base/values/printable.ts';
import { withContext } from '../../cli/execution/commandContext.ts';
import { withProgress } from '../../cli/execution/progress.ts';
import { type ConnectionFlags, withConnection } from '../../cli/options/options.ts';
import { addExamples, collect } from '../../cli/options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../cli/output/io.ts';
import { isStdout, newFilePath, writeOutput } from '../../cli/output/outputFile.ts';
import { knownService, resourceName } from '../../engine/doors/connection.ts';
import { type Pulled, pull as pullFrom } from './pull.ts';

interface Flags extends ConnectionFlags {
  zone?: string[];
  live?: boolean;
  byIp?: boolean;
  name: string;
  output?: string;
  force?: boolean;
}

export function addPull(command: Command, { io, end }: Shell): void {
  withConnection(command)
    .option('--zone <names>', 'zones to declare: names with commas, or @FILE; repeatable', collect)
    .option('--live', 'declare the zones of the declaration and those that the service lists, also beside --zone')
    .option('--by-ip', 'declare the addresses of IPs instead of their numbers by country')
    .option('--name <name>', 'name of the declared resources', resourceNameFrom, 'live')
    .option('--output <file>', 'output file; - for stdout (default: stdout)')
    .option('--force', 'overwrite an existing file')
    .action(async (flags: Flags) => end(await pull(flags, io)));
  addExamples(command, {
    'webdata pull': 'declared zones and those that the service lists, on stdout',
    'webdata pull --output webdata.yaml': 'a first declaration: how many IPs of each country the zones hold',
    'webdata pull --by-ip --output live.yaml': 'the addresses of the IPs, in a new file',
    'webdata pull --zone checkout,pricing --live': 'two more zones',
    'webdata pull --zone @zones.txt': 'the zones of a list, and no others',
  });
}

/** @throws ProblemError after the file is written, if a part of the account could not be read */
async function pull(
  { output = standardStream, force = false, zone, live, name, byIp = false, ...flags }: Flags,
  io: Io,
): Promise<ExitCode> {
  const target = await newFilePath(`--output ${output}`, output, force, io);
  const zones = zone === undefined ? [] : await zoneNames(zone, io);
  const isDiscovering = live === true || zone === undefined;
  const folder = isStdout(target) ? io.cwd : dirname(target);
  return withContext(flags, io, async ({ config, session }) => {
    knownService(config);
    const pulled = await withProgress('reading the live state', io, () =>
      pullFrom(config, session, { zones, isDiscovering, name, isByCount: !byIp, folder }),
    );
    io.signal.throwIfAborted();
    if (pulled.empty.length > 0)
      io.stderr.write(printableLine(`note: no IPs are listed in ${pulled.empty.join(', ')}. ${checkNames}`));
    for (const remark of pulled.remarks) io.stderr.write(printableLine(`note: ${remark}`));
    for (const each of pulled.leftOut) io.stderr.write(printableLine(`note: left out: ${each}`));
    await writeOutput(`--output ${output}`, target, pulled.yaml, io);
    if (isDiscovering) io.stderr.write(printableLine(foundText(pulled)));
    if (pulled.problems.length === 0) return exitCodes.done;
    io.stderr.write('note: parts of the account are missing in the file, because they could not be read:\n');
    throw new ProblemError(pulled.problems);
  });
}

/** Returns the zones of `--zone`, each once. Comments in files begin with #. @throws ProblemError if a part is empty */
async function zoneNames(values: readonly string[], source: TextSource): Promise<string[]> {
  const parts = values.flatMap((value) => value.split(',').map((part) => part.trim()));
  const lists = parts.map(async (part) => {
    if (!part.startsWith('@')) return [part];
    const lines = (await readText(part.slice(1), source)).split(/\r?\n/).map((line) => line.replace(/#.*/, '').trim());
    return lines.filter((line) => line !== '');
  });
  const names = (await Promise.all(lists)).flat();
  if (!names.includes('')) return [...new Set(names)];
  const found = `--zone ${values.join(' --zone ')} has an empty name`;
  const allowed = 'names of zones, separated by commas, or @FILE with a name on each line';
  throw new ProblemError([{ code: 'empty-name', found, allowed }]);
}

function resourceNameFrom(text: string): string {
  if (resourceName.safeParse(text).success) return text;
  throw new InvalidArgumentError('It must be a name of letters, digits, ".", "_" and "-".');
}

const checkNames = 'Check the names: a mistyped zone may list as empty.';

function foundText({ zones, ips, isWhole }: Pulled): string {
  const found = `${counted(zones.length, 'zone')}, ${counted(ips, 'IP')}`;
  if (isWhole) return found;
  return `${found}; zones that were not used recently are missing: name them with --zone`;
}
