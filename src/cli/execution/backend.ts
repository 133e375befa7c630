/** The backend that a command works with. An option overrides the environment, and the environment overrides the declaration. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Backend } from '../../backend/backend.ts';
import { openFolderBackend } from '../../backend/folder/folderBackend.ts';
import { openBackend } from '../../backend/open.ts';
import { isStoreAddress } from '../../backend/store/open.ts';
import { accountKey } from '../../sync/config/accountKey.ts';
import type { Config } from '../../sync/config/config.ts';
import type { BackendFlags, ConnectionFlags, ContextFlags } from '../options/options.ts';
import type { Io } from '../output/io.ts';
import { bareConfigFrom, configIfAny, declarationFiles, journalFile } from './declaration.ts';

/** Opens the backend, and closes it when `action` has ended. */
export async function withBackend<T>(
  flags: BackendFlags & Pick<ContextFlags, 'file'>,
  io: Io,
  config: Config,
  action: (backend: Backend) => Promise<T>,
): Promise<T> {
  const backend = await backendOf(flags, io, config);
  try {
    return await action(backend);
  } finally {
    await backend.close();
  }
}

async function backendOf(flags: BackendFlags & Pick<ContextFlags, 'file'>, io: Io, config: Config): Promise<Backend> {
  const account = accountKey(config);
  const given = givenBackend(flags, io);
  const address = flags.journal === undefined ? (given ?? config.backend) : undefined;
  if (address === undefined) return openFolderBackend({ journal: journalFile(flags, io), lockKey: account });
  return openBackend(address, { folder: given === undefined ? config.folder : io.cwd, env: io.env, account });
}

/** Returns the address of the option or the environment. */
export function givenBackend({ backend }: BackendFlags, { env }: Pick<Io, 'env'>): string | undefined {
  return backend ?? (env.WEBDATA_BACKEND || undefined);
}

/**
 * Returns the configuration for a command that needs no declaration but its backend. A journal in a folder can be read beside a declaration that is
 * not valid. @throws ProblemError
 */
export async function backendConfig(flags: BackendFlags & ConnectionFlags, io: Io): Promise<Config> {
  if (flags.journal !== undefined) return bareConfigFrom(flags, io);
  const given = givenBackend(flags, io);
  const needsDeclaration = given === undefined ? await mayDeclareBackend(flags, io) : isStoreAddress(given);
  return needsDeclaration ? configIfAny(flags, io) : bareConfigFrom(flags, io);
}

async function mayDeclareBackend({ file }: ConnectionFlags, { cwd }: Io): Promise<boolean> {
  const texts = await Promise.all(
    declarationFiles(file).map((name) => readFile(resolve(cwd, name), 'utf8').catch(textOfUnread)),
  );
  return texts.some((text) => /\b(backend|include)\b/.test(text));
}

/** A folder may declare a backend in any of its files. */
function textOfUnread({ code }: NodeJS.ErrnoException): string {
  return code === 'EISDIR' ? 'backend' : '';
}
