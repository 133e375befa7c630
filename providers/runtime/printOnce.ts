/**
 * Prints each message once for a run of the Pulumi CLI. `pulumi up` runs a preview and then the update, each in a provider process of its own, so
 * the processes share a file that is named after the CLI that started both.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOwnFolder } from '../../src/files/ownFiles.ts';

/** The engine shows the text as a message of the stack, not of a resource. */
export function printOnce(text: string): void {
  runFile ??= { path: findRunFile() };
  const { path } = runFile;
  const line = `${createHash('sha256').update(text).digest('hex')}\n`;
  if (path !== undefined && hasLine(path, line)) return;
  process.stdout.write(`${text}\n`);
  if (path === undefined) return;
  try {
    appendFileSync(path, line, { mode: 0o600 });
  } catch {
    // The update prints the message again.
  }
}

/** Without a path, messages are printed each time. */
let runFile: { path: string | undefined } | undefined;

const folder = join(tmpdir(), `pulumi-webdata-${process.getuid?.() ?? 'messages'}`);

function findRunFile(): string | undefined {
  try {
    // The SDK starts a provider through a shell script, whose parent is the CLI.
    const shell = processInfo(process.ppid);
    const cli = processInfo(shell.parent);
    makeOwnFolder(folder);
    removeFilesOfEndedRuns();
    return join(folder, `${shell.parent}-${cli.started}`);
  } catch {
    return undefined;
  }
}

/** Returns the start time too, because process ids are reused. */
function processInfo(pid: number): { parent: number; started: string } {
  const [parent = '', ...started] = process.platform === 'linux' ? fieldsFromProc(pid) : fieldsFromPs(pid);
  if (!/^\d+$/.test(parent)) throw new TypeError('the process does not exist');
  return { parent: Number(parent), started: started.join('-').replaceAll(/\W/g, '') };
}

function fieldsFromProc(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The process name, in parentheses, may contain any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return [fields[1] ?? '', fields[19] ?? ''];
}

function fieldsFromPs(pid: number): string[] {
  const output = execFileSync('ps', ['-o', 'ppid=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return output.trim().split(/\s+/);
}

function hasLine(path: string, line: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(line);
  } catch {
    return false;
  }
}

function removeFilesOfEndedRuns(): void {
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
