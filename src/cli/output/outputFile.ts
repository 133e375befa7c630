/** Files that commands write. They never replace a file that the user wrote, or one that the same command reads or writes. */
import { existsSync, realpathSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { makeFolder } from '../../files/folders.ts';
import { writeWholeFile } from '../../files/wholeFile.ts';
import { declarationFiles } from '../../operations/declaration.ts';
import type { Io } from './io.ts';

/** A file that an option or an argument names. */
export interface NamedFile {
  /** Its role: `--report json=plan.json`, `the declaration`. */
  what: string;
  file: string;
}

/** Returns the absolute path of an output file. @throws ProblemError if it is a file of the declaration */
export function outputPath(option: string, output: string, file: readonly string[] | undefined, io: Io): string {
  assertNotOverwritten([{ what: option, file: output }], declarations(file), io);
  return resolve(io.cwd, output);
}

export function declarations(file: readonly string[] | undefined): NamedFile[] {
  return declarationFiles(file).map((each) => ({ what: 'the declaration', file: each }));
}

/** Follows symbolic links. @throws ProblemError for an output that is one of the kept files, or another output */
export function assertNotOverwritten(outputs: readonly NamedFile[], kept: readonly NamedFile[], { cwd }: Io): void {
  const known = new Map(kept.map(({ what, file }) => [realPath(resolve(cwd, file)), what]));
  for (const { what, file } of outputs) {
    const path = realPath(resolve(cwd, file));
    const taken = known.get(path);
    if (taken !== undefined) throw new ProblemError([overwritten(what, `is ${taken}`)]);
    known.set(path, `also the file of ${what}`);
  }
}

/** Returns the absolute path of a file to create. @throws ProblemError if it exists, unless `force` */
export function newFilePath(option: string, output: string, force: boolean, { cwd }: Io): string {
  const target = resolve(cwd, output);
  if (!force && existsSync(target))
    throw new ProblemError([overwritten(option, 'exists already', 'name another file, or pass --force')]);
  return target;
}

/** Writes a file whole or not at all, and creates its folders. Devices and pipes are written directly. @throws ProblemError */
export async function writeOutput(option: string, file: string, text: string, { cwd }: Io): Promise<void> {
  const target = resolve(cwd, file);
  try {
    await makeFolder(dirname(target));
    const known = await stat(target).catch(() => undefined);
    if (known?.isDirectory()) throw Object.assign(new Error(reasons.EISDIR), { code: 'EISDIR' });
    await (known === undefined || known.isFile() ? writeWholeFile(target, text) : writeFile(target, text));
  } catch (error) {
    throw new ProblemError([notWritten(option, error as NodeJS.ErrnoException)]);
  }
}

function overwritten(option: string, why: string, fix = 'name another file'): Problem {
  return { code: 'file-exists', found: `${option}: the file ${why}, and would be overwritten`, fix };
}

function notWritten(option: string, { code = '', message }: NodeJS.ErrnoException): Problem {
  const found = `${option}: the file cannot be written: ${reasons[code] ?? message}`;
  return { code: 'not-written', found, fix: 'name another file' };
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a part of its path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
};

/** Resolves symbolic links; for a file that does not exist yet, those of its folder. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}
