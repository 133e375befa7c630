/** The folder of `plan --all --output`: a plan file for each account, which `apply --all FOLDER` applies. */
import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { readPlanFile } from '../../engine/doors/run.ts';
import type { Io } from '../output/io.ts';
import { isStdout } from '../output/outputFile.ts';
import type { AccountFile } from './accountFiles.ts';

/** Returns the name of an account's plan file. Hosts may have a colon before the port. */
export function planFileIn(folder: string, { name }: Pick<AccountFile, 'name'>): string {
  return join(folder, `${name.replaceAll(/[^\w.-]/g, '_')}.json`);
}

/**
 * Creates the folder and removes the earlier plans of these accounts, so that no old plan is applied where planning fails.
 * @throws ProblemError if another file has the name of one
 */
export async function preparePlanFolder(folder: string, accounts: readonly AccountFile[], io: Io): Promise<void> {
  const { cwd } = io;
  if (isStdout(folder)) throw new ProblemError([notAFolder(folder)]);
  const target = resolve(cwd, folder);
  const isFile = await stat(target).then(
    (found) => !found.isDirectory(),
    () => false,
  );
  if (isFile) throw new ProblemError([notAFolder(folder)]);
  const files = accounts.map((account) => planFileIn(folder, account)).filter((file) => existsSync(resolve(cwd, file)));
  // Only plan files are removed.
  for (const file of files) await readPlanFile(file, io);
  for (const file of files) await rm(resolve(cwd, file));
  await makeFolder(target);
}

/** @throws ProblemError if the folder cannot be read, or has a plan of another account */
export async function assertPlanFolder(folder: string, accounts: readonly AccountFile[], { cwd }: Io): Promise<void> {
  const names = await readdir(resolve(cwd, folder)).catch(() => undefined);
  if (names === undefined) throw new ProblemError([notAFolder(folder)]);
  const expected = new Set(accounts.map((account) => planFileIn(folder, account)));
  const others = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  assertNoProblems(others.filter((file) => !expected.has(file)).map(planOfNoAccount));
}

/** Returns the plan file of an account. @throws ProblemError if it is missing, because planning failed */
export function existingPlanFile(folder: string, account: AccountFile, { cwd }: Io): string {
  const file = planFileIn(folder, account);
  if (existsSync(resolve(cwd, file))) return file;
  const found = `${folder} has no plan for the account ${account.name}`;
  const fix = 'plan again; if the account was added later or its plan failed, that plan is missing';
  throw new ProblemError([{ code: 'no-plan-file', found, allowed: file, fix }]);
}

function notAFolder(folder: string): Problem {
  return {
    code: 'not-a-plan-folder',
    found: `${folder} is not a folder`,
    allowed: 'with --all, a folder with one plan file for each account',
    fix: 'name the folder of `webdata plan --all PATTERN --output FOLDER`',
  };
}

function planOfNoAccount(file: string): Problem {
  return {
    code: 'unknown-plan-file',
    found: `${file} is the plan of no account of --all`,
    allowed: 'one plan file for each account',
    fix: 'remove the file, or extend the pattern of --all',
  };
}
