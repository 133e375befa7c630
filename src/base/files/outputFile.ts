/** The one writer of files that a user names: regular files whole or not at all, everything else, such as a device or a pipe, as it is. */
import { constants, write } from 'node:fs';
import { access, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Problem, ProblemError } from '../diagnostics/problem.ts';
import { systemReason } from '../diagnostics/systemReason.ts';
import { isFolder, makeFolder } from './folders.ts';
import { linkTarget, mostLinks, nextOfLink, type Pieces, writeWholeFile } from './wholeFile.ts';

interface OutputOptions {
  /** The permissions of a regular file. By default, those of the file that is replaced. */
  mode?: number | undefined;
  /** The role of the file, for messages: `--output plan.json`. By default, its path. */
  what?: string | undefined;
}

/** Writes the file, and creates its folder. @throws ProblemError if that fails, or the error of `content` */
export async function writeOutputFile(
  file: string,
  content: Pieces,
  { mode, what = file }: OutputOptions = {},
): Promise<void> {
  await explained(what, file, async () => {
    const descriptor = await descriptorAt(file);
    if (descriptor !== undefined) return writeToDescriptor(descriptor, content);
    if (await isReplaceable(file)) {
      await makeFolder(dirname(await linkTarget(file)));
      return writeWholeFile(file, content, { mode });
    }
    await using handle = await open(file, 'w');
    for await (const piece of typeof content === 'string' ? [content] : content) await handle.writeFile(piece);
  });
}

/** Creates the folder of a file that is written later. @throws ProblemError if the file could not be written */
export async function assertWritable(file: string, what: string): Promise<void> {
  await explained(what, file, async () => {
    if ((await descriptorAt(file)) !== undefined) return;
    if (await isFolder(file)) throw Object.assign(new Error('a folder'), { code: 'EISDIR', syscall: 'open' });
    if (!(await isReplaceable(file))) return access(file, constants.W_OK);
    const folder = dirname(await linkTarget(file));
    await makeFolder(folder);
    await access(folder, constants.W_OK);
  });
}

/** Reports whether the path names a regular file, or none. A folder, a device, a pipe and an open descriptor must not be replaced. */
export async function isReplaceable(file: string): Promise<boolean> {
  if ((await descriptorAt(file)) !== undefined) return false;
  return stat(file).then(
    (known) => known.isFile(),
    () => true,
  );
}

/**
 * Returns the number of the open file that a path such as /dev/stdout or /dev/fd/3 names. Opening such a path again would lose the position:
 * with `>> job.log`, the log so far would be overwritten.
 */
export async function descriptorAt(path: string): Promise<number | undefined> {
  let at: string | undefined = resolve(path);
  for (let links = 0; at !== undefined && links < mostLinks; links += 1) {
    const folder: string = await realpath(dirname(at)).catch(() => '');
    if (descriptorFolder.test(folder) && /^\d+$/.test(basename(at))) return Number(basename(at));
    at = await nextOfLink(at);
  }
  return undefined;
}

const descriptorFolder = new RegExp(`^/(dev|proc/(self|thread-self|${process.pid})(/task/\\d+)?)/fd$`);

const writeAt = promisify(write);

/** Writes at the position of the descriptor. */
async function writeToDescriptor(descriptor: number, content: Pieces): Promise<void> {
  for await (const piece of typeof content === 'string' ? [content] : content) {
    let rest = typeof piece === 'string' ? Buffer.from(piece) : piece;
    while (rest.length > 0) rest = rest.subarray(await writtenOf(descriptor, rest));
  }
}

/** Returns the number of bytes that were written. Waits for the reader of a pipe that is full. */
async function writtenOf(descriptor: number, bytes: Uint8Array): Promise<number> {
  try {
    return (await writeAt(descriptor, bytes)).bytesWritten;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    return setTimeout(fullPipeMs, 0);
  }
}

const fullPipeMs = 20;

/** Turns errors of the file system into problems. Their own texts name temporary files. */
async function explained<T>(what: string, file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new ProblemError([notWritten(what, file, code)]);
  }
}

function notWritten(what: string, file: string, code: string): Problem {
  const why = code === 'ENOENT' ? 'its folder cannot be created' : systemReason(code);
  const fix = isFull(code) ? 'free disk space and run the command again' : fixFor(code, file);
  return { code: 'not-written', found: `${what}: the file cannot be written: ${why}`, fix };
}

function isFull(code: string): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}

function fixFor(code: string, file: string): string {
  return code === 'EACCES'
    ? `make ${join(dirname(file), '/')} writable for this user, or name another file`
    : 'name another file';
}
