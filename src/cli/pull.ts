/** `webdata pull`: writes the live state as a declaration. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import { pull as pullFrom } from '../sync/pull.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './io.ts';
import { type ConnectionFlags, collect, withConnection } from './options.ts';
import { withProgress } from './progress.ts';
import { configIfAny, withWorkbench } from './workbench.ts';

interface Flags extends ConnectionFlags {
  zone?: string[];
  name: string;
  out?: string;
}

export function addPull(program: Command, { io, end }: Shell): void {
  withConnection(program.command('pull').description('write the live state as a declaration'))
    .option('--zone <zone>', 'a zone to declare; again for more (default: those that were used lately)', collect)
    .option('--name <name>', 'the name of the pulled resources', 'live')
    .option('--out <file>', 'where to write (default: stdout)')
    .action(async (flags: Flags) => end(await pull(flags, io)));
}

async function pull({ zone: zones = [], name, out, ...connection }: Flags, io: Io): Promise<ExitCode> {
  const flags = { ...connection, format: 'text' as const, color: false };
  return withWorkbench(flags, io, await configIfAny(flags, io), async ({ config, session }) => {
    const pulled = await withProgress('reading the live state', io, () => pullFrom(config, session, { zones, name }));
    if (zones.length === 0) io.stderr.write(recentOnly(pulled.zones));
    if (out === undefined) io.stdout.write(pulled.yaml);
    else await writeFileAtomic(resolve(io.cwd, out), pulled.yaml);
    return exitCodes.done;
  });
}

function recentOnly(zones: readonly string[]): string {
  const found = zones.length === 0 ? 'none' : zones.join(', ');
  return `note: without --zone, only zones that somebody used lately are known: ${found}. Name the others with --zone.\n`;
}
