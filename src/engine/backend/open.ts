/** Opens a place for accounts at an address: a folder, or a store that a team shares. */
import { join, resolve } from 'node:path';
import { ProblemError } from '../../base/diagnostics/problem.ts';
import type { Backend, Memories } from './backend.ts';
import { openFolderBackend } from './folder/folderBackend.ts';
import { hasMachineFolder, type MachineVariables } from './folder/machineFolder.ts';
import { backendAddressProblem, isStoreAddress } from './store/address.ts';
import { openObjectStore } from './store/open.ts';

interface MemoriesOptions {
  /** The folder for relative addresses. */
  folder: string;
  env: MachineVariables;
}

/** @throws ProblemError if the address is not valid */
export async function openMemories(address: string, { folder, env }: MemoriesOptions): Promise<Memories> {
  const problem = backendAddressProblem(address);
  if (problem !== undefined) throw new ProblemError([problem]);
  const leaseMs = leaseMsIn(env);
  if (!isStoreAddress(address)) {
    return (account) => openFolderBackend({ journal: join(resolve(folder, address), 'journal.jsonl'), account, env });
  }
  const [{ createSharedBackend }, store] = await Promise.all([
    import('./shared/sharedBackend.ts'),
    openObjectStore(address, env),
  ]);
  return (account) => alsoOnMachine(createSharedBackend(store, { account, leaseMs }), env);
}

/** @throws ProblemError */
function leaseMsIn({ WEBDATA_LEASE_SECONDS: seconds = '' }: MachineVariables): number | undefined {
  if (seconds === '') return undefined;
  if (Number(seconds) >= 1 && Number(seconds) <= 3600) return Math.round(Number(seconds) * 1000);
  const found = `WEBDATA_LEASE_SECONDS is ${JSON.stringify(seconds)}`;
  throw new ProblemError([{ code: 'invalid-lease', found, allowed: 'a number of seconds from 1 to 3600' }]);
}

/**
 * Adds the lock of this machine, which is all that runs without this backend know. It is left out where no folder is writable: the lock of the
 * backend includes this machine.
 */
function alsoOnMachine(shared: Backend, env: MachineVariables): Backend {
  const lock = { key: shared.account, env };
  return {
    ...shared,
    async withLock(options, action) {
      if (!hasMachineFolder(env)) return shared.withLock(options, action);
      const { withMachineLock } = await machineLock();
      const startedAt = performance.now();
      return withMachineLock(lock, options, (lostHere, assertHeldHere) => {
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
      return (await shared.lockHolder()) ?? (hasMachineFolder(env) ? machineLockHolder(lock) : undefined);
    },
    async breakLock(options) {
      const { breakMachineLock } = await machineLock();
      await shared.breakLock(options);
      if (hasMachineFolder(env)) await breakMachineLock(lock);
    },
  };
}

/** Commands that only read need no package for locks. */
function machineLock() {
  return import('./folder/machineLock.ts');
}
