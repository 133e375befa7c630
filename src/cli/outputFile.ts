/** Files that commands write: never over one that somebody wrote by hand. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ProblemError } from '../input/problem.ts';
import type { Io } from './io.ts';
import { declarationFiles } from './workbench.ts';

/** @throws ProblemError where `out` is one of the declaration's own files */
export function besideDeclaration(
  option: string,
  out: string,
  file: readonly string[] | undefined,
  { cwd }: Io,
): string {
  const target = resolve(cwd, out);
  if (declarationFiles(file).some((declaration) => resolve(cwd, declaration) === target))
    throw refused(option, 'is the declaration');
  return target;
}

/** @throws ProblemError where there is such a file already */
export function newFile(out: string, force: boolean, { cwd }: Io): string {
  const target = resolve(cwd, out);
  if (!force && existsSync(target))
    throw refused(`--out ${out}`, 'is there already', 'name another file, or give --force');
  return target;
}

function refused(option: string, why: string, fix = 'name another file'): ProblemError {
  return new ProblemError([
    { code: 'file-exists', found: `${option}: the file ${why}, and would be overwritten`, fix },
  ]);
}
