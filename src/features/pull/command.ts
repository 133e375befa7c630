/** `webdata pull`. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { standardStream } from '../../base/files/textFile.ts';
import { printableLine } from '../../base/values/printable.ts';
import { withContext } from '../../cli/execution/commandContext.ts';
import { withProgress } from '../../cli/execution/progress.ts';
import { type ConnectionFlags, withConnection } from '../../cli/options/options.ts';
import { addExamples, collect } from '../../cli/options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../cli/output/io.ts';
import { newFilePath, writeOutput } from '../../cli/output/outputFile.ts';
import { resourceName } from '../../engine/declaration/connection.ts';
import type { Session } from '../../engine/run/sessionViews.ts';
import { type Pulled, pull as pullFrom } from './pull.ts';

interface PullFlags extends ConnectionFlags {
  zone?: string[];
  name: string;
  byCount?: boolean;
}

interface Flags extends PullFlags {
  output?: string;
  force?: boolean;
}

const usage = {
  'webdata pull': 'declared and recently used zones, on stdout',
  'webdata pull --by-count --output counts.yaml': 'numbers of IPs by country, if the addresses do not matter',
  'webdata pull --zone checkout --zone pricing --output live.yaml': 'two zones, in a new file',
};

export function addPull(command: Command, { io, end }: Shell): void {
  withConnection(command)
    .option('--zone <zone>', 'zone to declare; repeatable (default: declared and recently used zones)', collect)
    .addOption(byCountOption())
    .option('--name <name>', 'name of the pulled resources', resourceNameFrom, 'live')
    .option('--output <file>', 'output file; - for stdout (default: stdout)')
    .option('--force', 'overwrite an existing file')
    .action(async (flags: Flags) => end(await pull(flags, io)));
  addExamples(command, usage);
}

async function pull({ output = standardStream, force = false, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const file = await newFilePath(`--output ${output}`, output, force, io);
  return withPulled(flags, io, async ({ yaml }) => {
    await writeOutput(`--output ${output}`, file, yaml, io);
    return exitCodes.done;
  });
}

/**
 * Reads the live state as a declaration, and writes notes about it to stderr. @throws ProblemError after `use`, if a part of the account
 * could not be read
 */
export async function withPulled<T>(
  { zone: zones = [], name, byCount: isByCount, ...flags }: PullFlags,
  io: Io,
  use: (pulled: Pulled, session: Session) => Promise<T>,
): Promise<T> {
  return withContext(flags, io, async ({ config, session }) => {
    const pulled = await withProgress('reading the live state', io, () =>
      pullFrom(config, session, { zones, name, isByCount }),
    );
    io.signal.throwIfAborted();
    if (zones.length === 0) io.stderr.write(printableLine(recentOnly(pulled.zones)));
    if (pulled.empty.length > 0) io.stderr.write(printableLine(emptyZones(pulled.empty)));
    for (const each of pulled.leftOut) io.stderr.write(printableLine(`note: left out: ${each}`));
    const used = await use(pulled, session);
    if (pulled.problems.length === 0) return used;
    io.stderr.write('note: parts of the account are missing in the file, because they could not be read:\n');
    throw new ProblemError(pulled.problems);
  });
}

export function byCountOption(): Option {
  return new Option('--by-count', 'declare numbers of IPs by country; lists only IPs whose country is not known');
}

function resourceNameFrom(text: string): string {
  if (resourceName.safeParse(text).success) return text;
  throw new InvalidArgumentError('It must be a name of letters, digits, ".", "_" and "-".');
}

function emptyZones(zones: readonly string[]): string {
  return `note: no IPs are listed in ${zones.join(', ')}. Check the names: a mistyped zone may list as empty.`;
}

function recentOnly(zones: readonly string[]): string {
  const found = zones.length === 0 ? 'none' : zones.join(', ');
  return `note: without --zone, only declared and recently used zones are known: ${found}. Name others with --zone.`;
}
