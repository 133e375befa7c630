/** Reads account files. */

import { readFile } from 'node:fs/promises';
import { type Problem, ProblemError } from '../input/problem.ts';
import { readYaml } from '../input/yamlSource.ts';
import { type Account, accountSchema } from './account.ts';
import { parseOrThrow } from './problems.ts';

/** Reads and checks an account file; a `ProblemError` names file, line and column, what was found and what is allowed. */
export async function readAccount(file: string): Promise<Account> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const found = error.code === 'ENOENT' ? `no account file ${file}` : `${file} cannot be read: ${error.code}`;
    throw new ProblemError([{ code: 'unreadable-file', found, allowed: 'a YAML file with an account' }]);
  });
  return parseAccount(text, file);
}

/** As `readAccount`, from text; `fileName` is only for the problems. */
export function parseAccount(text: string, fileName: string): Account {
  const { value, placeOf } = readYaml(text, fileName);
  const placed = (problem: Problem): Problem => {
    const also = problem.also?.map((other) => ({ ...other, place: placeOf(other.path, other.at) }));
    return { ...problem, place: placeOf(problem.path ?? [], problem.at), ...(also && { also }) };
  };
  return parseOrThrow(accountSchema, value, placed);
}
