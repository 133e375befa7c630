/** Runs a command as this process: its streams, its signals, its exit code. */
import { constants } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { exitCodes, type Io } from './io.ts';
import { run } from './main.ts';

/** Sets the exit code and lets the process end by itself, so that all output is flushed. */
export async function runProcess(): Promise<void> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupted(signal, interrupt));
  const { stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) stream.on('error', outputFailed);
  const io: Io = { stdout, stderr, env, cwd: process.cwd(), signal: interrupt.signal };
  const confirm = (question: string) => ask(question, interrupt.signal);
  const code = await run(process.argv.slice(2), process.stdin.isTTY ? { ...io, confirm } : io);
  process.exitCode ||= code;
}

/**
 * The first time, what is under way comes to its end; the second time, it does not. The listener stays: packages that tidy up when a
 * process ends would end it where nobody else listens.
 */
function interrupted(signal: 'SIGINT' | 'SIGTERM', interrupt: AbortController): void {
  if (interrupt.signal.aborted) process.exit(128 + constants.signals[signal]);
  interrupt.abort();
}

/** Whoever read the output has left (`| head`): what is under way is still carried through. A full disk is an error. */
function outputFailed({ code }: NodeJS.ErrnoException): void {
  if (code !== 'EPIPE') process.exitCode = exitCodes.error;
}

/** No answer, by ctrl-C, ctrl-D or a signal, is a no. */
async function ask(question: string, signal: AbortSignal): Promise<boolean> {
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
