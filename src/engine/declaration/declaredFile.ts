/** Files that the specs of resources name, such as the inputs of a schedule. */
import { resolve } from 'node:path';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { systemReason } from '../../base/diagnostics/systemReason.ts';
import { readTextFile } from '../../base/files/textFile.ts';
import { withoutMark } from '../../base/values/utf8.ts';
import { localFiles } from '../../kinds/seam/localFiles.ts';
import type { Config } from './config.ts';
import { isInOneOf } from './links.ts';

/** Checks these files as a plan does. Connects to no server. */
export async function declaredFileProblems(config: Config): Promise<Problem[]> {
  const { declared, locate } = config;
  const problems = declared.map(async ({ definition, spec, collection, name }) => {
    const found = await localFiles.of(definition)?.problems(spec, (file) => readDeclaredFile(file, config));
    return (found ?? []).map((problem) => locate(problem, [collection, name]));
  });
  return (await Promise.all(problems)).flat();
}

/** Reads a file that the declaration names. @throws ProblemError */
export async function readDeclaredFile(file: string, { folder, folders }: Config): Promise<string> {
  const path = resolve(folder, file);
  if (!(await isInOneOf(path, folder, folders))) throw new ProblemError([leadsOutside(file)]);
  try {
    return withoutMark(await readTextFile(path, file));
  } catch (error) {
    if (error instanceof ProblemError) throw inInputs(error);
    throw new ProblemError([unreadable(file, (error as NodeJS.ErrnoException).code)]);
  }
}

/** Keeps the location in the file as words: the problem gets the location in the declaration. */
function inInputs({ problems }: ProblemError): ProblemError {
  return new ProblemError(
    problems.map(({ place, found, ...problem }) => ({
      ...problem,
      path: ['inputs', 'file'],
      found: place === undefined ? found : `${place.file}:${place.line}:${place.column}: ${found}`,
    })),
  );
}

function unreadable(file: string, code: string | undefined): Problem {
  return {
    code: 'unreadable-file',
    path: ['inputs', 'file'],
    found: `${file} can't be read: ${code === 'ENOENT' ? 'the file does not exist' : systemReason(code)}`,
    allowed: 'a file in the folder of the declaration, or below it',
    fix: 'correct the name, or put the file there',
  };
}

function leadsOutside(file: string): Problem {
  return {
    code: 'file-not-allowed',
    path: ['inputs', 'file'],
    found: `${file} is a symbolic link out of the current folder and the folder of the declaration, or to a hidden file`,
    allowed: 'a file within these folders, or a link to one that is not hidden',
    fix: 'replace the link with the file, or run the command in a folder above it',
  };
}
