/** Runs a command whose output is a value, without a shell. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { decodeUtf8, withoutMark } from '../values/utf8.ts';

interface CommandOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** The command gets no variable for which this returns true, and none that begins with `WEBDATA_`. */
  isWithheld?(name: string): boolean;
  signal?: AbortSignal | undefined;
}

const timeoutMs = 10_000;
/** The largest output, in bytes. */
const mostOutput = 1024 * 1024;

/** Returns the output of a command. @throws CommandError if it fails, prints nothing or prints too much */
export async function outputOf([program = '', ...args]: readonly string[], options: CommandOptions): Promise<string> {
  const { env, isWithheld = () => false, signal } = options;
  const given = Object.entries(env).filter(([name]) => !name.startsWith('WEBDATA_') && !isWithheld(name));
  let printed: Buffer;
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      encoding: 'buffer',
      timeout: timeoutMs,
      maxBuffer: mostOutput,
      env: Object.fromEntries(given),
      signal,
    });
    printed = stdout;
  } catch (error) {
    throw new CommandError(whyFailed(error));
  }
  const output = decodeUtf8(printed);
  if ('wrongLine' in output) throw new CommandError('it printed text that is not UTF-8');
  if (output.text.trim() === '') throw new CommandError('it printed nothing');
  return withoutMark(output.text);
}

/** The reason why a command failed. It never contains what the command printed. */
export class CommandError extends Error {
  override name = 'CommandError';
}

function whyFailed(error: unknown): string {
  const { killed, code, signal, name } = error as { killed?: boolean; code?: unknown; signal?: unknown; name?: string };
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `it printed more than ${mostOutput / 1024} KiB`;
  if (name === 'AbortError') return 'it was interrupted';
  if (killed) return `it ran longer than ${timeoutMs / 1000} s`;
  if (signal) return `it was ended by ${String(signal)}`;
  if (code === 'ENOENT') return 'the program does not exist';
  if (code === 'EACCES') return 'the program cannot be run';
  return `it exited with ${String(code)}`;
}
