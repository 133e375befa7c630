/** `webdata pull`. */

import { dirname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { standardStream } from '../../base/files/textFile.ts';
import { printableLine } from '../../base/values/printable.ts';
import { shellWords } from '../../base/values/shellWords.ts';
import type { InitExtension } from '../../cli/commands/init.ts';
import { withContext } from '../../cli/execution/commandContext.ts';
import { withProgress } from '../../cli/execution/progress.ts';
import { type ConnectionFlags, withConnection } from '../../cli/options/options.ts';
import { addExamples, collect } from '../../cli/options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../cli/output/io.ts';
import { isStdout, newFilePath, writeOutput } from '../../cli/output/outputFile.ts';
import { knownService, resourceName } from '../../engine/doors/connection.ts';
import { type Pulled, pull as pullFrom } from './pull.ts';
import { zoneNames } from './zoneNames.ts';

/** The options of commands that declare what is live. */
interface LiveFlags extends ConnectionFlags {
  zone?: string[];
  live?: boolean;
  byIp?: boolean;
  name: string;
  /** The name of the account, in place of the declared one. */
  account?: string;
}

interface Flags extends LiveFlags {
  output?: string;
  force?: boolean;
}

const usage = {
  'webdata pull': 'declared zones and those that the service lists, on stdout',
  'webdata pull --by-ip --output live.yaml': 'the addresses of the IPs, in a new file',
  'webdata pull --zone checkout,pricing --live': 'two more zones',
  'webdata pull --zone @zones.txt': 'the zones of a list, and no others',
};

export function addPull(command: Command, { io, end }: Shell): void {
  withLiveOptions(withConnection(command))
    .option('--output <file>', 'output file; - for stdout (default: stdout)')
    .option('--force', 'overwrite an existing file')
    .action(async (flags: Flags) => end(await pull(flags, io)));
  addExamples(command, usage);
}

function withLiveOptions(command: Command): Command {
  return command
    .option('--zone <names>', 'zones to declare: names with commas, or @FILE; repeatable', collect)
    .option('--live', 'declare the zones of the declaration and those that the service lists, also beside --zone')
    .option('--by-ip', 'declare the addresses of IPs instead of their numbers by country')
    .option('--name <name>', 'name of the declared resources', resourceNameFrom, 'live')
    .option(
      '--account <name>',
      'name of the account (default: that of the declaration, if it has one)',
      resourceNameFrom,
    );
}

/** A first declaration of the live account. */
export const liveDeclaration: InitExtension = {
  addOptions: (command) => void withLiveOptions(command),
  examples: {
    'webdata init --live': 'the live account: how many IPs of each country its zones hold',
    'webdata init prod.yaml --zone checkout,pricing --by-ip': 'the addresses that two zones hold',
  },
  declare(flags: LiveFlags, target, io, write) {
    return flags.live || flags.zone || flags.byIp ? withPulled(flags, target, io, write) : undefined;
  },
  offer(name) {
    const target = name === 'webdata.yaml' ? '' : ` ${shellWords([name])}`;
    return `\nYour account is connected. To declare it as it is:\n  webdata init${target} --live --force\n`;
  },
};

async function pull({ output = standardStream, force = false, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const file = await newFilePath(`--output ${output}`, output, force, io);
  return withPulled(flags, file, io, async (yaml) => {
    await writeOutput(`--output ${output}`, file, yaml, io);
    return exitCodes.done;
  });
}

/**
 * Reads the live state as a declaration for the file `target`, and writes notes about it to stderr. @throws ProblemError after `use`, if a part of the
 * account could not be read
 */
async function withPulled<T>(
  { zone, live, name, byIp = false, account, ...flags }: LiveFlags,
  target: string,
  io: Io,
  use: (yaml: string) => Promise<T>,
): Promise<T> {
  const zones = zone === undefined ? [] : await zoneNames(zone, io);
  const isDiscovering = live === true || zone === undefined;
  const folder = isStdout(target) ? io.cwd : dirname(target);
  return withContext(flags, io, async ({ config, session }) => {
    knownService(config);
    const named = { ...config, account: account ?? config.account };
    const pulled = await withProgress('reading the live state', io, () =>
      pullFrom(named, session, { zones, isDiscovering, name, isByCount: !byIp, folder }),
    );
    io.signal.throwIfAborted();
    if (pulled.empty.length > 0)
      io.stderr.write(printableLine(`note: no IPs are listed in ${pulled.empty.join(', ')}. ${checkNames}`));
    for (const remark of pulled.remarks) io.stderr.write(printableLine(`note: ${remark}`));
    for (const each of pulled.leftOut) io.stderr.write(printableLine(`note: left out: ${each}`));
    const used = await use(pulled.yaml);
    if (isDiscovering) io.stderr.write(printableLine(foundText(pulled)));
    if (pulled.problems.length === 0) return used;
    io.stderr.write('note: parts of the account are missing in the file, because they could not be read:\n');
    throw new ProblemError(pulled.problems);
  });
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
