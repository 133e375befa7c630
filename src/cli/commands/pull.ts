/** `webdata pull`: writes the live state as a declaration. */
import { type Command, InvalidArgumentError } from 'commander';
import { writeWholeFile } from '../../files/wholeFile.ts';
import { printableLines } from '../../report/model/printable.ts';
import { resourceName } from '../../sync/config/config.ts';
import { type Pulled, pull as pullFrom } from '../../sync/pull/pull.ts';
import type { Session } from '../../sync/session.ts';
import { withWorkbench } from '../execution/commandContext.ts';
import { configIfAny } from '../execution/declaration.ts';
import { withProgress } from '../execution/progress.ts';
import { examples } from '../options/examples.ts';
import { type ConnectionFlags, collect, withConnection } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { newFile } from '../output/outputFile.ts';

export interface PullFlags extends ConnectionFlags {
  zone?: string[];
  name: string;
}

interface Flags extends PullFlags {
  out?: string;
  force?: boolean;
}

export function addPull(command: Command, { io, end }: Shell): void {
  withConnection(command)
    .option('--zone <zone>', 'a zone to declare; again for more (default: those that were used lately)', collect)
    .option('--name <name>', 'the name of the pulled resources', resourceNameFrom, 'live')
    .option('--out <file>', 'where to write (default: stdout)')
    .option('--force', 'write over a file that is there')
    .addHelpText(
      'after',
      examples({
        'webdata pull': 'the zones that were used lately, on stdout',
        'webdata pull --zone checkout --zone pricing --out live.yaml': 'these two, into a new file',
      }),
    )
    .action(async (flags: Flags) => end(await pull(flags, io)));
}

async function pull({ out, force = false, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const file = out === undefined ? undefined : newFile(`--out ${out}`, out, force, io);
  return withPulled(flags, io, async ({ yaml }) => {
    if (file === undefined) io.stdout.write(yaml);
    else await writeWholeFile(file, yaml);
    return exitCodes.done;
  });
}

/** What is live as a declaration; what a reader should know of it goes to stderr. */
export async function withPulled<T>(
  { zone: zones = [], name, ...flags }: PullFlags,
  io: Io,
  use: (pulled: Pulled, session: Session) => Promise<T>,
): Promise<T> {
  return withWorkbench(flags, io, await configIfAny(flags, io), async ({ config, session }) => {
    const pulled = await withProgress('reading the live state', io, () => pullFrom(config, session, { zones, name }));
    if (zones.length === 0) io.stderr.write(printableLines(recentOnly(pulled.zones)));
    if (pulled.empty.length > 0) io.stderr.write(printableLines(emptyZones(pulled.empty)));
    return use(pulled, session);
  });
}

function resourceNameFrom(text: string): string {
  if (resourceName.safeParse(text).success) return text;
  throw new InvalidArgumentError('It must be a name of letters, digits, ".", "_" and "-".');
}

function emptyZones(zones: readonly string[]): string {
  return `note: no IPs are listed in ${zones.join(', ')}: make sure that the names are right, a mistyped one may list as empty.\n`;
}

function recentOnly(zones: readonly string[]): string {
  const found = zones.length === 0 ? 'none' : zones.join(', ');
  return `note: without --zone, only zones that somebody used lately are known: ${found}. Name the others with --zone.\n`;
}
