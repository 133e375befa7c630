/** Runs a command as this process: its streams, its signals, its exit code. */
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { systemReason } from '../../base/diagnostics/systemReason.ts';
import { version } from '../../version.ts';
import { exitCodes, type Io } from '../output/io.ts';

/** Sets the exit code and lets the process end by itself, so that all output is flushed. */
export async function runProcess(): Promise<void> {
  const { stdout, stderr, argv } = process;
  for (const stream of [stdout, stderr])
    stream.on('error', ({ code }: NodeJS.ErrnoException) => outputFailed(stream, code));
  const args = argv.slice(2);
  const [first, ...rest] = args;
  const isVersionRequest = rest.length === 0 && (first === '--version' || first === '-V');
  if (!isVersionRequest) return runCommand(args);
  // Answered without loading the parser, because tools ask for it often.
  stdout.write(`${version}
`);
}

/** Signals that end a command after its calls in flight. SIGHUP comes from a terminal that is closed. */
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

async function runCommand(args: readonly string[]): Promise<void> {
  const interrupt = new AbortController();
  for (const signal of endSignals) process.on(signal, () => interrupted(signal, interrupt));
  const { stdout, stderr, env } = process;
  const cwd = currentFolder();
  if (cwd === undefined) {
    stderr.write(
      'the current folder does not exist any more\n  fix: go to a folder that exists, and run the command again\n',
    );
    process.exitCode = exitCodes.error;
    return;
  }
  const io: Io = { stdout, stderr, env, cwd, signal: interrupt.signal };
  const confirm = (question: string) => ask(question, interrupt.signal);
  const { run } = await import('../main.ts');
  const code = await run(args, isatty(0) ? { ...io, confirm } : io);
  process.exitCode ||= code;
}

/** Undefined if the folder was deleted, or cannot be read. */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/**
 * Lets calls in flight end on the first interrupt, and exits on the second. A closed terminal sends SIGHUP twice, by the shell and by the
 * kernel, so it never counts as the second. The listener is never removed: some packages end the process
 * on a signal that has no other listener.
 */
function interrupted(signal: (typeof endSignals)[number], interrupt: AbortController): void {
  if (interrupt.signal.aborted && signal !== 'SIGHUP') process.exit(128 + constants.signals[signal]);
  interrupt.abort();
}

/**
 * Ignores a closed pipe (`| head`) and a closed terminal, so that calls in flight still end. Any other failure, such as a full disk, is an
 * error.
 */
function outputFailed(stream: NodeJS.WriteStream, code: string | undefined): void {
  const isClosed = code === 'EPIPE' || (code === 'EIO' && stream.isTTY);
  if (isClosed) return;
  process.exitCode = exitCodes.error;
  if (stream === process.stdout) process.stderr.write(`standard output cannot be written: ${systemReason(code)}\n`);
}

/** Asks on stderr. Ctrl-C, Ctrl-D and signals count as no. */
async function ask(question: string, signal: AbortSignal): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((done) => terminal.once('close', () => done('')));
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `, { signal }), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    terminal.close();
  }
}
