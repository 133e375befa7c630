/** Runs a command as this process: its streams, its signals, its exit code. */
import { createInterface } from 'node:readline/promises';
import type { Io } from './io.ts';
import { run } from './main.ts';

/** Sets the exit code and lets the process end by itself, so that all output is flushed. */
export async function runProcess(): Promise<void> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
  const { stdout, stderr, env } = process;
  const io: Io = { stdout, stderr, env, cwd: process.cwd(), signal: interrupt.signal };
  process.exitCode = await run(process.argv.slice(2), process.stdin.isTTY ? { ...io, confirm } : io);
}

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
