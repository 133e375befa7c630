/**
 * The stage of the demo: a temporary folder, and real processes of the built `webdata`, each shown before it runs. When the demo
 * ends for any reason, it leaves no process and no file behind.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { styleText } from 'node:util';
import { build } from '../../../scripts/build.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Stage {
  folder: string;
  /** Background processes, by the files with their output. */
  servers: Map<string, ChildProcess>;
  /** Aborted by Ctrl-C and other signals. */
  interrupted: AbortSignal;
}

export async function onStage(about: string, play: (stage: Stage) => Promise<void>): Promise<void> {
  say(about);
  build();
  const folder = mkdtempSync(join(tmpdir(), 'webdata-demo-'));
  const stage = { folder, servers: new Map<string, ChildProcess>(), interrupted: interruption() };
  try {
    await play(stage);
  } catch (error) {
    process.exitCode = 1;
    if (!stage.interrupted.aborted) process.stderr.write(`\n${(error as Error).message}\n${saidBy(stage)}`);
  } finally {
    await Promise.all([...stage.servers.values()].map(ended));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `webdata` and waits. @throws Error if the exit code is not the expected one */
export async function webdata(stage: Stage, env: Env, expected: number, ...args: string[]): Promise<void> {
  echo(`webdata ${args.join(' ')}`);
  const running = endOf(stage, [process.execPath, binary, ...args], { ...env, FORCE_COLOR: colour }, 'inherit');
  const code = await announced(`webdata ${args[0]} is running`, running);
  if (code !== expected) throw new Error(`webdata ${args[0]} ended with ${code}, and ${expected} was expected`);
}

/** Returns the output of `webdata` without showing it. */
export async function outputOf(stage: Stage, env: Env, ...args: string[]): Promise<string> {
  const file = join(stage.folder, 'output');
  const output = openSync(file, 'w');
  const code = await endOf(stage, [process.execPath, binary, ...args], env, ['ignore', output, 'inherit']);
  closeSync(output);
  if (code !== 0) throw new Error(`webdata ${args.join(' ')} ended with ${code}`);
  return readFileSync(file, 'utf8');
}

/** Runs a program and returns its exit code. */
export async function endOf(
  { folder, interrupted }: Stage,
  [program = '', ...args]: readonly string[],
  env: Env,
  stdio: StdioOptions,
  cwd = folder,
): Promise<number | null> {
  interrupted.throwIfAborted();
  const child = spawn(program, args, { cwd, env: { PATH: process.env.PATH, ...env }, stdio });
  const kill = () => child.kill();
  interrupted.addEventListener('abort', kill);
  const [code] = await once(child, 'close');
  interrupted.removeEventListener('abort', kill);
  return code;
}

/** Starts `webdata` in the background and returns the file with its output. */
export function serve({ folder, servers }: Stage, env: Env, ...args: string[]): string {
  echo(`webdata ${args.join(' ')} &`);
  const file = join(folder, `${args[0]}.log`);
  const log = openSync(file, 'w');
  const child = spawn(process.execPath, [binary, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  servers.set(file, child);
  return file;
}

/** Polls. @throws Error after some minutes */
export async function until<T>(
  { interrupted }: Stage,
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  everyMs = 100,
): Promise<T> {
  const lookAgain = async () => {
    for (const begun = performance.now(); ; ) {
      const found = await look();
      if (found !== undefined) return found;
      if (performance.now() - begun > patienceMs) throw new Error(`${what}: not within ${patienceMs / 1000} s`);
      await setTimeout(everyMs, undefined, { signal: interrupted });
    }
  };
  return await announced(`waiting: ${what}`, lookAgain());
}

/** Says what the demo waits for, as long as it waits. */
export async function announced<T>(what: string, awaited: Promise<T>): Promise<T> {
  const timer = setInterval(() => process.stdout.write(styleText('dim', `  … ${what}\n`)), announceMs);
  return await awaited.finally(() => clearInterval(timer));
}

/** Returns undefined if the file does not exist yet. */
export function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

export function say(text: string): void {
  process.stdout.write(`\n${styleText('bold', `# ${text}`)}\n`);
}

export function echo(command: string): void {
  process.stdout.write(`${styleText('cyan', `$ ${command}`)}\n`);
}

const binary = resolve('dist/src/cli/bin.js');
const colour = process.stdout.isTTY ? '1' : undefined;
const patienceMs = 240_000;
const announceMs = 2500;

function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort());
  // The reader has gone, as with `| head`.
  process.stdout.on('error', () => controller.abort());
  return controller.signal;
}

function saidBy({ servers }: Stage): string {
  return [...servers.keys()].map((file) => readFileSync(file, 'utf8')).join('');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'close');
}
