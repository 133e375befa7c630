/** The accounts of `--all`: a declaration file for each. */
import { resolve } from 'node:path';
import { assertNoProblems, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { formatNumber } from '../../base/diagnostics/valueWords.ts';
import { allowedInPatterns, matchingFiles, patternFault } from '../../base/files/matchingFiles.ts';
import { serverOf } from '../../engine/doors/backend.ts';
import type { GoneDeclaration } from '../../engine/doors/baseline.ts';
import { accountName } from '../../engine/doors/connection.ts';
import { type Config, configFrom } from '../../engine/doors/declaration.ts';
import type { AllFlags, ConnectionFlags } from '../options/options.ts';
import type { Io } from '../output/io.ts';

export interface AccountFile {
  /** The name of the account, or that of its file if the file cannot be read or names no account. */
  name: string;
  file: string;
  /** The files that all accounts share, and the one of this account. */
  files: string[];
  /** Values that no output may contain. */
  secrets: string[];
  /** The resources that were applied from the file, if it no longer exists. */
  gone?: GoneDeclaration;
}

/**
 * Finds the files and reads the names of their accounts. A file that cannot be read is an account too: its own run reports the problems.
 * @throws ProblemError if there is no file, or if two files are for one account
 */
export async function readAccounts(flags: AllFlags & ConnectionFlags, io: Io): Promise<ReadAccount[]> {
  const found = await declarationsOf(flags.all ?? [], io);
  const accounts = await Promise.all(found.map((file) => readAccount(file, flags, io)));
  assertNoProblems(sameAccountProblems(accounts));
  return accounts;
}

/** Returns the files in the order of their names, and each once. Names that begin with a dot match only if the pattern says so. */
async function declarationsOf(patterns: readonly string[], { cwd }: Io): Promise<string[]> {
  const all = new Map<string, string>();
  for (const pattern of patterns) {
    const fault = patternFault(pattern);
    if (fault !== undefined) throw patternRefused('unusable', pattern, fault);
    const matches = await matchingFiles(pattern, cwd, mostAccounts);
    if (matches.length === 0) throw patternRefused('unmatched', pattern, 'matches no file');
    if (matches.length > mostAccounts) throw patternRefused('tooWide', pattern, matchesMore);
    for (const match of matches) all.set(resolve(cwd, match), match);
  }
  return [...all.values()].sort((a, b) => (a < b ? -1 : 1));
}

export interface ReadAccount extends AccountFile {
  config?: Config;
}

async function readAccount(file: string, flags: ConnectionFlags, io: Io): Promise<ReadAccount> {
  const files = [...(flags.file ?? []), file];
  try {
    const config = await configFrom({ ...flags, file: files }, io);
    const { service, manager, triggers } = config;
    const secrets = [service.apiKey, manager.token, triggers.token].filter((secret) => secret !== undefined);
    return { name: accountName(config) || file, file, files, secrets, config };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { name: file, file, files, secrets: [] };
  }
}

function sameAccountProblems(accounts: readonly ReadAccount[]): Problem[] {
  const known = accounts.flatMap(({ name, file, config }) => (config ? [{ name, file, config }] : []));
  return known.flatMap((account, index) => {
    const before = known.slice(0, index);
    const twin = before.find((other) => other.name === account.name || isSameKey(other.config, account.config));
    if (twin !== undefined) return [sameAccount(account, twin)];
    const { service } = account.config;
    const sharing = before.find(
      (other) =>
        service.apiKey !== undefined &&
        other.config.service.apiKey === service.apiKey &&
        isSameKey({ ...other.config, account: undefined }, { ...account.config, account: undefined }),
    );
    return sharing === undefined ? [] : [sameApiKey(account, sharing)];
  });
}

/** Reports whether two runs would wait for each other. */
function isSameKey(one: Config, other: Config): boolean {
  const [key, otherKey] = [one, other].map((config) => config.account ?? serverOf(config));
  return key !== '' && key === otherKey;
}

type NamedAccount = Pick<AccountFile, 'name' | 'file'>;

function sameAccount({ name, file }: NamedAccount, other: NamedAccount): Problem {
  return {
    code: 'same-account',
    found: `${other.file} and ${file} are for the same account, ${name}`,
    allowed: 'one file per account',
    fix: 'if they are for two accounts at one host, give each file its own `account:` name; otherwise merge the files',
  };
}

function sameApiKey({ file }: NamedAccount, other: NamedAccount): Problem {
  return {
    code: 'same-account',
    found: `${other.file} and ${file} use the same API key at the same host, so they are for one account`,
    allowed: 'an API key for each account',
    fix: `set service.apiKey in each file to a variable of its own, such as \${WEBDATA_ACME_API_KEY}`,
  };
}

const mostAccounts = 1_000;
const matchesMore = `matches more than ${formatNumber(mostAccounts)} files`;

const patternProblems = {
  unusable: { code: 'unusable-pattern', allowed: allowedInPatterns, fix: 'repeat --all for each pattern' },
  tooWide: {
    code: 'too-many-files',
    allowed: 'a pattern that matches the declarations of your accounts',
    fix: 'narrow the pattern',
  },
  unmatched: {
    code: 'no-accounts',
    allowed: "a pattern that matches declaration files, in quotes: 'accounts/*.yaml'",
    fix: 'correct the pattern, or go to the folder that it starts from',
  },
};

function patternRefused(name: keyof typeof patternProblems, pattern: string, why: string): ProblemError {
  return new ProblemError([{ ...patternProblems[name], found: `--all ${pattern} ${why}` }]);
}
