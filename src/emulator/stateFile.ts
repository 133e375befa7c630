/**
 * Keeps the account in a file across restarts. The file is an account with the values of the moment, as JSON, readable by its
 * owner only: it holds keys and passwords.
 */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import { type Problem, ProblemError } from '../input/problem.ts';
import { type Account, accountSchema } from './account.ts';
import { parseOrThrow } from './parse.ts';

/**
 * The account to start from: what the state file holds, if there is one. How the service behaves (dialect, pages, the manager's
 * token and what it drops) is the account file's to say.
 */
export async function restore(account: Account, file: string | undefined): Promise<Account> {
  if (file === undefined || !existsSync(file)) return account;
  const kept = await readState(file);
  if (kept.id !== account.id) throw new ProblemError([foreignState(file, kept.id, account.id)]);
  const { ports, settings } = kept.manager;
  const { collectors, datasets, dialect, pages, targets } = account;
  return { ...kept, collectors, datasets, dialect, pages, targets, manager: { ...account.manager, ports, settings } };
}

async function readState(file: string): Promise<Account> {
  const text = await readFile(file, 'utf8');
  try {
    return parseOrThrow(accountSchema, JSON.parse(text));
  } catch (error) {
    if (error instanceof ProblemError) throw new ProblemError(error.problems.map((problem) => inState(file, problem)));
    if (error instanceof SyntaxError) throw new ProblemError([inState(file, notJson)]);
    throw error;
  }
}

const notJson: Problem = { code: 'invalid-state', found: 'no JSON', allowed: 'a state as the emulator wrote it' };

/** Nobody writes a state by hand, so nobody is asked to correct one. */
function inState(file: string, problem: Problem): Problem {
  return {
    ...problem,
    found: `${problem.found} in the state file ${file}`,
    fix: 'delete that file to start over from the account',
  };
}

function foreignState(file: string, found: string, wanted: string): Problem {
  return {
    code: 'foreign-state',
    found: `${file} holds the state of account ${found}`,
    allowed: `the state of ${wanted}`,
    fix: 'name another state file, or delete this one to start over',
  };
}

export class StateFile {
  readonly #file: string | undefined;
  readonly #account: () => Account;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;

  /** Without a file nothing is kept. */
  constructor(file: string | undefined, account: () => Account) {
    this.#file = file;
    this.#account = account;
  }

  /** Resolves when everything up to now is on disk. Calls made while one write is under way share the next. */
  save(): Promise<void> {
    this.#next ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        this.#writing = this.#write();
        return this.#writing;
      });
    return this.#next;
  }

  async #write(): Promise<void> {
    if (this.#file) await writeFileAtomic(this.#file, `${JSON.stringify(this.#account())}\n`, { mode: 0o600 });
  }
}
