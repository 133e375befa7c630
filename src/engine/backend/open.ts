/** Opens the backend at an address: a folder, or a store that a team shares. */
import { join, resolve } from 'node:path';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import type { Backend } from './backend.ts';
import { openFolderBackend } from './folder/folderBackend.ts';
import { hasMachineFolder } from './folder/machineFolder.ts';
import { backendAddressProblem, isStoreAddress } from './store/address.ts';
import { openObjectStore } from './store/open.ts';

interface BackendOptions {
  /** The folder for relative addresses. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The key of the account: runs with the same key exclude each other. */
  account: string;
  /** The key that the account had before. */
  formerAccount?: string | undefined;
}

/** @throws ProblemError if the address is not valid */
export async function openBackend(address: string, options: BackendOptions): Promise<Backend> {
  const { folder, env, account, formerAccount } = options;
  const problem = backendAddressProblem(address);
  if (problem !== undefined) throw new ProblemError([problem]);
  const leaseMs = leaseMsIn(env);
  if (!isStoreAddress(address)) {
    return openFolderBackend({ journal: join(resolve(folder, address), 'journal.jsonl'), lockKey: account });
  }
  const [{ createSharedBackend }, { withFormer }, store] = await Promise.all([
    import('./shared/sharedBackend.ts'),
    import('./shared/formerAccount.ts'),
    openObjectStore(address, env),
  ]);
  const current = createSharedBackend(store, { account, leaseMs });
  const former = formerAccount && createSharedBackend(store, { account: formerAccount, leaseMs });
  return alsoOnMachine(former ? withFormer(current, former) : current, account);
}

/** @throws ProblemError */
function leaseMsIn({ WEBDATA_LEASE_SECONDS: seconds = '' }: BackendOptions['env']): number | undefined {
  if (seconds === '') return undefined;
  if (Number(seconds) >= 1 && Number(seconds) <= 3600) return Math.round(Number(seconds) * 1000);
  const found = `WEBDATA_LEASE_SECONDS is ${JSON.stringify(seconds)}`;
  throw new ProblemError([{ code: 'invalid-lease', found, allowed: 'a number of seconds from 1 to 3600' }]);
}

/**
 * Adds the lock of this machine, which is all that runs without this backend know. It is left out where no folder is writable: the lock of the
 * backend includes this machine.
 */
function alsoOnMachine(shared: Backend, account: string): Backend {
  return {
    ...shared,
    async withLock(options, action) {
      if (!hasMachineFolder()) return shared.withLock(options, action);
      const { withMachineLock } = await machineLock();
      const startedAt = performance.now();
      return withMachineLock(account, options, (lostHere, assertHeldHere) => {
        const timeoutMs = Math.max(0, options.timeoutMs - (performance.now() - startedAt));
        return shared.withLock({ ...options, timeoutMs }, (lost, assertHeld) =>
          action(AbortSignal.any([lost, lostHere]), async () => {
            await assertHeldHere();
            await assertHeld();
          }),
        );
      });
    },
    async lockHolder() {
      const { machineLockHolder } = await machineLock();
      return (await shared.lockHolder()) ?? (hasMachineFolder() ? machineLockHolder(account) : undefined);
    },
    async breakLock(options) {
      const { breakMachineLock } = await machineLock();
      await shared.breakLock(options);
      if (hasMachineFolder()) await breakMachineLock(account);
    },
  };
}

/** Commands that only read need no package for locks. */
function machineLock() {
  return import('./folder/machineLock.ts');
}
