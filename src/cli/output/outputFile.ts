/** Files that commands write: never over one that somebody wrote by hand, nor over one that the same command reads or writes. */
import { existsSync, realpathSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { writeWholeFile } from '../../files/wholeFile.ts';
import { declarationFiles } from '../execution/declaration.ts';
import type { Io } from './io.ts';

/** A file that an option or an argument names, and what it is to the command. */
export interface NamedFile {
  /** `--report json=plan.json`, `the declaration`. */
  what: string;
  file: string;
}

/** @throws ProblemError where `out` is one of the declaration's own files */
export function besideDeclaration(option: string, out: string, file: readonly string[] | undefined, io: Io): string {
  keepApart([{ what: option, file: out }], declarations(file), io);
  return resolve(io.cwd, out);
}

export function declarations(file: readonly string[] | undefined): NamedFile[] {
  return declarationFiles(file).map((each) => ({ what: 'the declaration', file: each }));
}

/** No output may be one of the files that are kept, or another output, by whatever name. @throws ProblemError */
export function keepApart(outputs: readonly NamedFile[], kept: readonly NamedFile[], { cwd }: Io): void {
  const known = new Map(kept.map(({ what, file }) => [realPath(resolve(cwd, file)), what]));
  for (const { what, file } of outputs) {
    const path = realPath(resolve(cwd, file));
    const taken = known.get(path);
    if (taken !== undefined) throw new ProblemError([overwritten(what, `is ${taken}`)]);
    known.set(path, `also that of ${what}`);
  }
}

/** @throws ProblemError where there is such a file already */
export function newFile(option: string, out: string, force: boolean, { cwd }: Io): string {
  const target = resolve(cwd, out);
  if (!force && existsSync(target))
    throw new ProblemError([overwritten(option, 'is there already', 'name another file, or give --force')]);
  return target;
}

/** Whole or not at all, with its folders. Devices and pipes are written to as they are. @throws ProblemError */
export async function writeOutput(option: string, file: string, text: string, { cwd }: Io): Promise<void> {
  const target = resolve(cwd, file);
  try {
    await mkdir(dirname(target), { recursive: true });
    const known = await stat(target).catch(() => undefined);
    if (known?.isDirectory()) throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
    await (known === undefined || known.isFile() ? writeWholeFile(target, text) : writeFile(target, text));
  } catch (error) {
    throw new ProblemError([notWritten(option, error as NodeJS.ErrnoException)]);
  }
}

function overwritten(option: string, why: string, fix = 'name another file'): Problem {
  return { code: 'file-exists', found: `${option}: the file ${why}, and would be overwritten`, fix };
}

function notWritten(option: string, { code = '', message }: NodeJS.ErrnoException): Problem {
  const why = reasons[code] ?? message;
  return { code: 'not-written', found: `${option}: the file can't be written: ${why}`, fix: 'name another file' };
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EEXIST: 'a part of its path is no folder',
  EACCES: 'it may not be written',
  EPERM: 'it may not be written',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full',
};

/** Behind symbolic links; of a file that is not there yet, those of its folder. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}
