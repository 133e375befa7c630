/**
 * Notes of what one run of the Pulumi CLI has shown. `pulumi up` runs a preview and then the update, each in provider processes of its own, so the
 * processes share a file that is named after the CLI that started them.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, makeOwnFolder } from '../../src/base/files/ownFiles.ts';

export interface RunNotes {
  has(note: string): boolean;
  add(notes: readonly string[]): void;
  remove(notes: readonly string[]): void;
}

/**
 * `generations` is the number of processes from this one up to the CLI: 1 for its child. Without a CLI that can be found, other processes do not
 * see the notes.
 */
export function createRunNotes(generations: number): RunNotes {
  return notesIn(findRunFile(generations));
}

/** Returns notes that no other process sees. */
export function ownNotes(): RunNotes {
  return notesIn(undefined);
}

/** A line for each change: `+` or `-`, and the digest of the note. The processes of a run follow each other, so the file is read once. */
function notesIn(path: string | undefined): RunNotes {
  const known = new Set<string>();
  for (const line of linesOf(path)) change(line);

  function change(line: string): void {
    if (line.startsWith('+')) known.add(line.slice(1));
    else known.delete(line.slice(1));
  }

  function write(sign: '+' | '-', notes: readonly string[]): void {
    const lines = notes
      .map((note) => sign + digestOf(note))
      .filter((line) => known.has(line.slice(1)) !== (sign === '+'));
    for (const line of lines) change(line);
    if (path === undefined || lines.length === 0) return;
    try {
      appendFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    } catch {
      // The next process shows the same again.
    }
  }

  return {
    has: (note) => known.has(digestOf(note)),
    add: (notes) => write('+', notes),
    remove: (notes) => write('-', notes),
  };
}

function digestOf(note: string): string {
  return createHash('sha256').update(note).digest('base64url');
}

function linesOf(path: string | undefined): string[] {
  if (path === undefined) return [];
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

const folder = join(tmpdir(), `pulumi-webdata-${process.getuid?.() ?? 'messages'}`);

function findRunFile(generations: number): string | undefined {
  try {
    let [pid, started] = [process.pid, ''];
    for (let left = generations; left >= 0; left--) {
      const { parent, started: since } = processInfo(pid);
      started = since;
      if (left > 0) pid = parent;
    }
    makeOwnFolder(folder);
    removeFilesOfEndedRuns();
    return join(folder, `${pid}-${started}`);
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

function removeFilesOfEndedRuns(): void {
  for (const name of readdirSync(folder)) {
    if (!isRunning(Number(name.split('-')[0]))) rmSync(join(folder, name), { force: true });
  }
}
