/** Accounts of `--all` whose file is gone: what it applied is missed as if the file were emptied. */
import { glob } from 'node:fs/promises';
import { dirname, isAbsolute, join, matchesGlob, normalize, relative } from 'node:path';
import { openAccount } from '../../engine/account.ts';
import { givenBackend, isStoreAddress, openAccountBackend } from '../../engine/doors/backend.ts';
import { agreedRemoval, type GoneDeclaration, goneDeclarations } from '../../engine/doors/baseline.ts';
import type { Config } from '../../engine/doors/declaration.ts';
import type { PlanFlags } from '../options/coreCommands.ts';
import type { AllFlags } from '../options/options.ts';
import type { Io } from '../output/io.ts';
import { type AccountFile, type ReadAccount, readAccounts } from './accountFiles.ts';
import { accountOptions } from './commandContext.ts';

/** Finds the files of the accounts, and those that are gone, unless the flags agree to that. @throws ProblemError */
export async function accountsWithGone(flags: AllFlags & PlanFlags, io: Io): Promise<AccountFile[]> {
  const accounts = await readAccounts(flags, io);
  if (flags.allowRemoved || flags.select !== undefined) return accounts;
  const gone = await goneAccounts(accounts, flags, io);
  const missing = gone.map(({ declaration }) => {
    const file = relative(io.cwd, declaration.path);
    return { name: declaration.account, file, files: [file], secrets: [], gone: declaration };
  });
  return [...accounts, ...missing];
}

/** Forgets what was applied from files that are gone. */
export async function forgetGoneAccounts(flags: AllFlags & PlanFlags, io: Io): Promise<void> {
  const accounts = await readAccounts(flags, io);
  for (const { declaration, known, backend = flags.backend } of await goneAccounts(accounts, flags, io)) {
    const config = { ...known.config, account: declaration.account };
    await using account = await openAccount(accountOptions({ ...flags, backend, file: known.files, config }, io));
    await account.record('apply', agreedRemoval(declaration));
  }
}

interface GoneAccount {
  declaration: GoneDeclaration;
  /** An account that was found, whose configuration serves for the backend. */
  known: ReadAccount & { config: Config };
  /** The address of the backend, if it is not that of `known`. */
  backend?: string;
}

async function goneAccounts(
  accounts: readonly ReadAccount[],
  { all = [], ...flags }: AllFlags & PlanFlags,
  io: Io,
): Promise<GoneAccount[]> {
  const readable = accounts.flatMap(({ config, ...each }) => (config ? [{ ...each, config }] : []));
  const [first] = readable;
  const places = Map.groupBy(readable, ({ config }) => backendOf(config, flags, io));
  const searched = [...places.values()].flatMap(([known]) => known ?? []).map((known) => ({ known }));
  const left = first === undefined ? [] : await foldersOfRuns(all, flags, io);
  const found: GoneAccount[] = [];
  for (const each of [...searched, ...left.flatMap((backend) => (first ? [{ known: first, backend }] : []))]) {
    const { known, backend: address = flags.backend } = { backend: undefined, ...each };
    const { config, files: file } = known;
    const backend = await openAccountBackend({ ...flags, backend: address, file }, io, config);
    const gone = await goneDeclarations(backend, config).finally(() => backend.close());
    const matching = gone.filter(({ path }) =>
      all.some((pattern) => matchesGlob(isAbsolute(pattern) ? path : relative(io.cwd, path), normalize(pattern))),
    );
    found.push(...matching.map((declaration) => ({ ...each, declaration })));
  }
  return [...new Map(found.map((each) => [each.declaration.path, each])).values()];
}

/** Returns the same text for accounts that use one backend. */
function backendOf({ backend, folder }: Config, flags: PlanFlags, io: Io): string {
  const given = flags.journal ?? givenBackend(flags, io);
  return given ?? (backend !== undefined && isStoreAddress(backend) ? backend : join(folder, backend ?? ''));
}

/** Returns the folders of runs beside files that match: by default, they are all that is left of a file that is gone. */
async function foldersOfRuns(
  patterns: readonly string[],
  { journal, file, ...flags }: Omit<PlanFlags, 'all'>,
  io: Io,
): Promise<string[]> {
  if (journal !== undefined || file !== undefined || givenBackend(flags, io) !== undefined) return [];
  const folders: string[] = [];
  for (const pattern of patterns) {
    for await (const folder of glob(join(dirname(pattern), '.webdata'), { cwd: io.cwd })) folders.push(folder);
  }
  return folders;
}
