/** Where data goes that may be larger than memory: stdout as it comes, or a file that is there whole or not at all. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ProblemError } from '../../diagnostics/problem.ts';
import { printableData } from '../../report/model/printable.ts';
import { saveStream } from '../../service/areas/jobs/results/saveStream.ts';
import type { Io } from './io.ts';
import { besideDeclaration } from './outputFile.ts';

/** Text, or the very bytes of a page. */
export type Sink = (pieces: AsyncIterable<string | Uint8Array>) => Promise<void>;

/** Found out before anything is asked for, and billed: whether the file can be written. @throws ProblemError */
export function sinkFor(output: string | undefined, file: readonly string[] | undefined, io: Io): Sink {
  if (output === undefined) {
    return async (pieces) => {
      for await (const piece of io.stdout.isTTY ? inPrintableText(pieces) : pieces) io.stdout.write(piece);
    };
  }
  const target = besideDeclaration(`--output ${output}`, output, file, io);
  accessSync(dirname(target), constants.W_OK);
  if (existsSync(target) && !statSync(target).isFile()) {
    const found = `--output ${output}: it is no file, and can't be replaced`;
    throw new ProblemError([{ code: 'not-written', found, fix: 'name another file' }]);
  }
  return async (pieces) => {
    await saveStream(inBytes(pieces), target);
  };
}

/** Text that is there already, for a sink. */
export async function* wholeText(text: string): AsyncGenerator<string> {
  yield text;
}

/** Data from outside must not steer the terminal that shows it. */
async function* inPrintableText(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    yield printableData(text);
  }
  yield printableData(decoder.decode());
}

async function* inBytes(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}
