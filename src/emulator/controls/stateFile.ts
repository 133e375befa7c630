/**
 * Keeps what a running emulator changes across restarts: users, keys, zones with their IPs, and the manager's settings and ports. The state
 * file is an account with the current values, in JSON. Only its owner may read it, because it contains keys and passwords.
 */
import { existsSync } from 'node:fs';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { readTextFile } from '../../base/files/textFile.ts';
import { writeWholeFile } from '../../base/files/wholeFile.ts';
import { parsedJson } from '../../base/values/plain.ts';
import { type Account, accountSchema } from '../account/account.ts';
import { type World, worldAccount } from '../core/world.ts';

/** Returns the account with the values of its state file, if there is one. @throws ProblemError */
export async function withState(account: Account, file: string | undefined): Promise<Account> {
  if (file === undefined || !existsSync(file)) return account;
  const { success, data: state } = accountSchema.safeParse(parsedJson(await readTextFile(file)));
  if (!success || state.id !== account.id) throw new ProblemError([foreignState(file, account.id)]);
  const { users, apiKeys, zones } = state;
  const { ports, settings } = state.manager;
  return { ...account, users, apiKeys, zones, manager: { ...account.manager, ports, settings } };
}

/** Returns a function that resolves when all changes so far are on disk. Without a file, nothing is kept. */
export function stateKeeper(world: World, file: string | undefined): () => Promise<void> {
  if (file === undefined) return async () => undefined;
  let written: Promise<void> = Promise.resolve();
  const write = () => writeWholeFile(file, `${JSON.stringify(worldAccount(world))}\n`, { mode: 0o600 });
  return () => {
    written = written.then(write, write);
    return written;
  };
}

function foreignState(file: string, account: string): Problem {
  return {
    code: 'foreign-state',
    found: `${file} does not hold the state of account ${account}`,
    allowed: 'a state file that the emulator wrote for this account',
    fix: 'use another state file, or delete this one to start again from the account file',
  };
}
