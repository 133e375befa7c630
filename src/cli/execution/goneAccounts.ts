/** Accounts of `--all` whose file is gone: what it applied is missed as if the file were emptied. */
import { isAbsolute, join, matchesGlob, normalize, relative } from 'node:path';
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
  return [...accounts, ...gone.map(({ declaration }) => accountOf(declaration, io))];
}

function accountOf(gone: GoneDeclaration, { cwd }: Io): AccountFile {
  const file = relative(cwd, gone.path);
  return { name: gone.account, file, files: [file], secrets: [], gone };
}

/** Forgets what was applied from files that are gone. */
export async function forgetGoneAccounts(flags: AllFlags & PlanFlags, io: Io): Promise<void> {
  const accounts = await readAccounts(flags, io);
  for (const { declaration, known } of await goneAccounts(accounts, flags, io)) {
    const config = { ...known.config, account: declaration.account };
    await using account = await openAccount(accountOptions({ ...flags, file: known.files, config }, io));
    await account.record('apply', agreedRemoval(declaration));
  }
}

interface GoneAccount {
  declaration: GoneDeclaration;
  /** An account that was found, whose configuration serves for the backend. */
  known: ReadAccount & { config: Config };
}

/** Looks into the backend of each account that is there. A folder of runs beside a file that is gone is gone with it. */
async function goneAccounts(
  accounts: readonly ReadAccount[],
  { all = [], ...flags }: AllFlags & PlanFlags,
  io: Io,
): Promise<GoneAccount[]> {
  const readable = accounts.flatMap(({ config, ...each }) => (config ? [{ ...each, config }] : []));
  const places = new Map(readable.map((each) => [backendOf(each.config, flags, io), each]));
  const found: GoneAccount[] = [];
  for (const known of places.values()) {
    const { config, files: file } = known;
    const backend = await openAccountBackend({ ...flags, file }, io, config);
    const gone = await goneDeclarations(backend, config).finally(() => backend.close());
    const matching = gone.filter(({ path }) =>
      all.some((pattern) => matchesGlob(isAbsolute(pattern) ? path : relative(io.cwd, path), normalize(pattern))),
    );
    found.push(...matching.map((declaration) => ({ known, declaration })));
  }
  return found;
}

/** Returns the same text for accounts that use one backend. */
function backendOf({ backend, folder }: Config, flags: PlanFlags, io: Io): string {
  const given = flags.journal ?? givenBackend(flags, io);
  return given ?? (backend !== undefined && isStoreAddress(backend) ? backend : join(folder, backend ?? ''));
}
