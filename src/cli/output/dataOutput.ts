/** Data on stdout as it arrives, or in a file that is written whole or not at all. The data may be larger than memory. */
import type { Command } from 'commander';
import { printableData } from '../../base/values/printable.ts';
import type { Client } from '../../client/client.ts';
import { withSendingContext } from '../execution/commandContext.ts';
import { withProgress } from '../execution/progress.ts';
import { type ConnectionFlags, withConnection } from '../options/options.ts';
import type { Io } from './io.ts';
import { assertOutputWritable, isStdout, outputPath, writeOutput } from './outputFile.ts';

export interface DataFlags extends ConnectionFlags {
  output?: string;
}

/** Adds the options of commands that fetch data through a zone. */
export function withZoneData(command: Command): Command {
  return withDataFile(withConnection(command).requiredOption('--zone <zone>', 'zone that serves the request'));
}

export function withDataFile(command: Command): Command {
  return command.option('--output <file>', 'output file, written whole or not at all; - for stdout (default: stdout)');
}

/** Fetches data through the client and writes it. */
export async function fetchAndWrite(
  flags: DataFlags,
  io: Io,
  fetch: (client: Client) => AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const write = await sinkFor(flags, io);
  await withSendingContext(flags, io, ({ session }) =>
    withProgress('fetching', io, () => write(fetch(session.client()))),
  );
}

/** Writes text, or the unchanged bytes of a page. */
export type Sink = (pieces: Iterable<string> | AsyncIterable<string | Uint8Array>) => Promise<void>;

/** Checks that the file can be written before any billed request is sent. @throws ProblemError */
export async function sinkFor({ output, file }: Pick<DataFlags, 'output' | 'file'>, io: Io): Promise<Sink> {
  if (output === undefined || isStdout(output)) {
    return async (pieces) => {
      for await (const piece of io.stdout.isTTY ? inPrintableText(pieces) : pieces) io.stdout.write(piece);
    };
  }
  const option = `--output ${output}`;
  const target = outputPath(option, output, file, io);
  await assertOutputWritable(option, target, io);
  return (pieces) => writeOutput(option, target, inPieces(pieces), io);
}

/** Prevents data of the service from controlling the terminal. */
async function* inPrintableText(pieces: Parameters<Sink>[0]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    yield printableData(text);
  }
  yield printableData(decoder.decode());
}

export async function* inPieces(pieces: Parameters<Sink>[0]): AsyncGenerator<string | Uint8Array> {
  yield* pieces;
}
