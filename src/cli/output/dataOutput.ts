/** What the commands share that fetch data: the options, the client, and the way out. */
import type { Command } from 'commander';
import { printableJson } from '../../report/model/printable.ts';
import type { Client } from '../../service/client.ts';
import { withWorkbench } from '../execution/commandContext.ts';
import { configIfAny } from '../execution/declaration.ts';
import { withProgress } from '../execution/progress.ts';
import { type ConnectionFlags, withConnection } from '../options/options.ts';
import type { Io } from './io.ts';
import { sinkFor } from './streamOutput.ts';

export interface DataFlags extends ConnectionFlags {
  output?: string;
}

/** What every command has that fetches data through a zone. */
export function withData(command: Command): Command {
  return withOutputFile(withConnection(command).requiredOption('--zone <zone>', 'the zone that serves the request'));
}

/** The option that every command with data has. */
export function withOutputFile(command: Command): Command {
  return command.option('--output <file>', 'where to write, all or nothing (default: stdout)');
}

/** Fetches, and writes what comes. */
export async function deliver(
  { output, ...connection }: DataFlags,
  io: Io,
  fetch: (client: Client) => AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const sink = sinkFor(output, connection.file, io);
  await withWorkbench(connection, io, await configIfAny(connection, io), ({ session }) =>
    withProgress('fetching', io, () => sink(fetch(session.client()))),
  );
}

/** As people and programs read it. */
export function jsonText(value: unknown): string {
  return `${printableJson(JSON.stringify(value, undefined, 2))}\n`;
}
