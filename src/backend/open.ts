/** Opens the backend at an address: a folder, or a store that a team shares. */
import { join, resolve } from 'node:path';
import type { Backend } from './backend.ts';
import { openFolderBackend } from './folder/folderBackend.ts';
import { isStoreAddress, openObjectStore } from './store/open.ts';

export interface BackendOptions {
  /** The folder for relative addresses. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The key of the account: runs with the same key exclude each other. */
  account: string;
}

/** @throws ProblemError if the address is not valid */
export async function openBackend(address: string, { folder, env, account }: BackendOptions): Promise<Backend> {
  if (!isStoreAddress(address)) {
    return openFolderBackend({ journal: join(resolve(folder, address), 'journal.jsonl'), lockKey: account });
  }
  const [{ createSharedBackend }, store] = await Promise.all([
    import('./shared/sharedBackend.ts'),
    openObjectStore(address, env),
  ]);
  // Tests of lost locks would otherwise wait long.
  const leaseMs = Number(env.WEBDATA_TEST_LEASE_MS) || undefined;
  return createSharedBackend(store, { account, leaseMs });
}
