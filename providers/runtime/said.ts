/**
 * `pulumi up` runs a preview and then the update, each with a provider process of its own. What the first has said is not said
 * again by the second: both are told by the process that started them.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOwnFolder } from '../../src/files/ownFiles.ts';

/** Prints a text unless this run of the CLI has seen it already. The engine shows it under the stack. */
export function sayOnce(text: string): void {
  const file = fileOfRun();
  const line = `${createHash('sha256').update(text).digest('hex')}\n`;
  if (file !== undefined && isIn(file, line)) return;
  process.stdout.write(`${text}\n`);
  if (file !== undefined) remember(file, line);
}

const folder = join(tmpdir(), `pulumi-webdata-${process.getuid?.() ?? 'said'}`);

let known: { file: string | undefined } | undefined;

/** Named after the CLI's process; undefined where that can't be told, and all is said each time. */
function fileOfRun(): string | undefined {
  known ??= { file: findFile() };
  return known.file;
}

function findFile(): string | undefined {
  try {
    // The SDK starts a provider through a shell script, whose parent is the CLI.
    const shell = processInfo(process.ppid);
    const cli = processInfo(shell.parent);
    makeOwnFolder(folder);
    forgetEnded();
    return join(folder, `${shell.parent}-${cli.started}`);
  } catch {
    return undefined;
  }
}

/** The parent of a process, and when it started, as one word: a process number is used again one day. */
function processInfo(pid: number): { parent: number; started: string } {
  const asked = process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  const [parent = '', ...started] = asked;
  if (!/^\d+$/.test(parent)) throw new TypeError('no such process');
  return { parent: Number(parent), started: started.join('-').replaceAll(/\W/g, '') };
}

function fromProc(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in parentheses, may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return [fields[1] ?? '', fields[19] ?? ''];
}

function fromPs(pid: number): string[] {
  return execFileSync('ps', ['-o', 'ppid=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
}

function isIn(file: string, line: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes(line);
  } catch {
    return false;
  }
}

function remember(file: string, line: string): void {
  try {
    appendFileSync(file, line, { mode: 0o600 });
  } catch {
    // Then it is said again.
  }
}

function forgetEnded(): void {
  for (const name of readdirSync(folder)) {
    if (!isRunning(Number(name.split('-')[0]))) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
