/** Follows the symbolic links of a declaration. A link in a pull request must not make a job show a file of its machine. */
import { existsSync, lstatSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isInCi } from '../../base/values/inCi.ts';
import type { Environment } from '../../base/yaml/variables.ts';

/** Reports whether a file is in a folder or below it, with no hidden name between both. Follows links. */
export async function isVisibleIn(file: string, folder: string): Promise<boolean> {
  const parts = relative(await realPath(folder), await realPath(file)).split(sep);
  return parts.every((part) => !part.startsWith('.')) && !parts[0]?.includes(':');
}

/**
 * Reports whether a file below `folder` may be read: there is no link between both, or the file that it leads to is visible in one of
 * these folders.
 */
export async function isInOneOf(file: string, folder: string, folders: readonly string[]): Promise<boolean> {
  const unlinked = join(await realPath(folder), relative(folder, file));
  if ((await realPath(file)) === unlinked) return true;
  const visible = await Promise.all(folders.map((each) => isVisibleIn(file, each)));
  return visible.includes(true);
}

interface Finding {
  cwd: string;
  env: Environment;
  /** True for the default file and for files of a folder: no option names them. */
  isFound: boolean;
}

/**
 * Refuses a file of a declaration that is a link out of its repository. A file that a person names may be a link to anywhere.
 * @throws ProblemError
 */
export async function assertInRepository(file: string, { cwd, env, isFound }: Finding): Promise<void> {
  if (!isFound && !isInCi(env)) return;
  const path = resolve(cwd, file);
  const top = repositoryOf(path, cwd, env);
  if (top === undefined || (await isInOneOf(path, top, [top]))) return;
  throw new ProblemError([leadsOutside(file)]);
}

/** Returns the folder of the checkout that a file is in. A job without a checkout has its current folder. */
function repositoryOf(path: string, cwd: string, env: Environment): string | undefined {
  const checkouts = [env.GITHUB_WORKSPACE, env.CI_PROJECT_DIR].filter((each) => each !== undefined && each !== '');
  const folders = isInCi(env) ? [...checkouts, gitFolderOf(path), cwd] : [gitFolderOf(path)];
  return folders.find((folder) => folder !== undefined && path.startsWith(join(folder, sep)));
}

/** Returns the innermost folder with `.git` above a file. A link below such a folder cannot lead to another repository. */
function gitFolderOf(path: string): string | undefined {
  let found: string | undefined;
  for (const folder of foldersAbove(path)) {
    if (found !== undefined && lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) break;
    if (existsSync(join(folder, '.git'))) found = folder;
  }
  return found;
}

/** Returns the outermost folder first. */
function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [...foldersAbove(above), above];
}

/** Resolves the links of a path. Of a file that does not exist, resolves those of its folders. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(await realPath(above), basename(path));
  }
}

function leadsOutside(file: string): Problem {
  return {
    code: 'file-not-allowed',
    found: `${file} is a symbolic link to a file outside of the repository, or to a hidden one`,
    allowed: 'a file of the repository, or a link to one that is not hidden',
    fix: 'replace the link with the file; outside of CI, you can name the file itself with -f',
  };
}
