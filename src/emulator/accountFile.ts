/** Reads account files. */

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ProblemError } from '../input/problem.ts';
import { readYaml } from '../input/yamlSource.ts';
import { parseWith } from '../input/zodProblems.ts';
import { type Account, accountSchema } from './account.ts';

/** Reads and checks an account file; a `ProblemError` names file, line and column, what was found and what is allowed. */
export async function readAccount(file: string): Promise<Account> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const found = error.code === 'ENOENT' ? `no account file ${file}` : `${file} cannot be read: ${error.code}`;
    const fix = 'check the name of the file';
    throw new ProblemError([{ code: 'unreadable-file', found, allowed: 'a YAML file with an account', fix }]);
  });
  return withPagesBeside(file, parseAccount(text, file));
}

/** As `readAccount`, from text; `fileName` is only for the problems. */
export function parseAccount(text: string, fileName: string): Account {
  const parsed = parseWith(accountSchema, readYaml(text, fileName));
  if (!parsed.ok) throw new ProblemError(parsed.problems);
  return parsed.value;
}

/** Files of pages are named from where the account file is. */
function withPagesBeside(file: string, account: Account): Account {
  const pages = Object.entries(account.pages).map(([url, page]) => [
    url,
    page.file === undefined ? page : { ...page, file: resolve(dirname(file), page.file) },
  ]);
  return { ...account, pages: Object.fromEntries(pages) };
}
