/** Whole processes, as a user runs them: wall time, output and peak memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Ground } from './benchmark.ts';

/** The command line of `webdata` without its own arguments. */
export const webdata = [process.execPath, join(import.meta.dirname, '../../dist/src/cli/bin.js')] as const;

/** The floor of a plan: it fetches and parses the same data, and does nothing with it. */
export const planFloor = [process.execPath, join(import.meta.dirname, '../floors/plan.mjs')] as const;

interface Ran {
  ms: number;
  stdout: string;
}

interface Options {
  /** By default, the folder of the stage. */
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** The expected exit code. */
  exit?: number;
}

/** Runs a process to its end. @throws Error with its stderr, if it ends with another exit code */
export async function runProcess(stage: Ground, argv: readonly string[], options: Options = {}): Promise<Ran> {
  const { exit = 0 } = options;
  const start = performance.now();
  const child = started(stage, argv, options);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const ms = performance.now() - start;
  if (code !== exit) throw new Error(`${argv.join(' ')} ended with ${code}, not ${exit}:\n${stderr}${stdout}`);
  return { ms, stdout };
}

/** Returns the peak memory of a Node process in bytes, from a separate run, because the measurement would affect its time. */
export async function peakMemory(stage: Ground, argv: readonly string[], options: Options = {}): Promise<number> {
  const [node = process.execPath, ...args] = argv;
  const file = join(stage.folder, 'peak-memory');
  const env = { ...options.env, BENCH_PEAK_MEMORY: file };
  await runProcess(stage, [node, '--import', join(import.meta.dirname, 'peakMemory.mjs'), ...args], {
    ...options,
    env,
  });
  return Number(readFileSync(file, 'utf8'));
}

/** Starts a server, and resolves with its first output: its address. */
export async function startServer(stage: Ground, argv: readonly string[], options: Options = {}): Promise<string> {
  const child = started(stage, argv, options);
  const stderr = text(child.stderr);
  const ended = once(child, 'exit').then(async () => {
    throw new Error(`${argv.join(' ')} ended before it listened:\n${await stderr}`);
  });
  // Once it listens, its end is not an error.
  ended.catch(() => undefined);
  const [said] = await Promise.race([once(child.stdout, 'data'), ended]);
  return String(said).trim();
}

function started(stage: Ground, [command = '', ...args]: readonly string[], { cwd, env }: Options) {
  const folder = cwd ?? stage.folder;
  // The log of paid calls of this machine would grow with every benchmark, and every plan reads its last minutes.
  const state = { WEBDATA_STATE_FOLDER: join(folder, '.machine') };
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...state, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stage.keep(child);
  return child;
}

/** Returns the peak memory of a running process so far, in bytes. */
export function peakMemoryOf({ pid }: Pick<ChildProcess, 'pid'>): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
