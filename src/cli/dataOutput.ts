/** Where fetched data goes: stdout, or a file that is there whole or not at all. */
import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import writeFileAtomic from 'write-file-atomic';
import type { Client } from '../service/client.ts';
import type { Io } from './io.ts';
import { type ConnectionFlags, withConnection } from './options.ts';
import { besideDeclaration } from './outputFile.ts';
import { withProgress } from './progress.ts';
import { configIfAny, withWorkbench } from './workbench.ts';

export interface DataFlags extends ConnectionFlags {
  output?: string;
}

/** What every command has that fetches data through a zone. */
export function withData(command: Command): Command {
  return withConnection(command)
    .requiredOption('--zone <zone>', 'the zone that serves the request')
    .option('--output <file>', 'where to write, all or nothing (default: stdout)');
}

/**
 * Fetches and writes: to stdout as it comes, to a file in the end. A file that can't be written is found out before anything is
 * asked for, and billed.
 */
export async function deliver(
  { output, ...connection }: DataFlags,
  io: Io,
  fetch: (client: Client) => AsyncIterable<string>,
): Promise<void> {
  const target = output === undefined ? undefined : writable(output, connection.file, io);
  const flags = { ...connection, format: 'text' as const, color: false };
  const kept: string[] = [];
  await withWorkbench(flags, io, await configIfAny(flags, io), ({ session }) =>
    withProgress('fetching', io, async () => {
      for await (const text of fetch(session.client())) {
        if (target === undefined) io.stdout.write(text);
        else kept.push(text);
      }
    }),
  );
  if (target !== undefined) await writeFileAtomic(target, kept.join(''));
}

/** As people and programs read it. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function writable(output: string, file: readonly string[] | undefined, io: Io): string {
  const target = besideDeclaration(`--output ${output}`, output, file, io);
  accessSync(dirname(target), constants.W_OK);
  return target;
}
