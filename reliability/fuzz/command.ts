/** Runs a whole command in this process. */

import { run } from '../../src/cli/main.ts';
import type { Io } from '../../src/cli/output/io.ts';

interface Said {
  code: number;
  text: string;
}

/** Returns all output. Servers end at once, because the signal is aborted in advance. */
export async function command(
  args: readonly string[],
  io: Pick<Io, 'cwd' | 'env'> & { signal?: AbortSignal },
): Promise<Said> {
  let text = '';
  const output = { write: (more: string | Uint8Array) => (text += Buffer.from(more)) };
  const code = await run(args, { signal: new AbortController().signal, ...io, stdout: output, stderr: output });
  return { code, text };
}
