/** The backend of an account whose name is decided under its lock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSharedBackend } from '../../../src/engine/backend/shared/sharedBackend.ts';
import { AccountBackend } from '../../../src/engine/identity/accountBackend.ts';
import { memoryStore } from '../backend/memoryStore.ts';

const lock = { timeoutMs: 60_000, command: 'webdata apply', folder: '/srv/infra' };
const servers = { account: 'eu', service: { url: 'https://api.example.com' }, manager: {}, triggers: {} };

it('says once that it waits, also where it waits for the lock of the name and for that of the account', async () => {
  const store = memoryStore();
  const memories = (account: string) => createSharedBackend(store, { account });
  const backend = await AccountBackend.open({ memories }, servers as never);
  const waits: unknown[] = [];
  const [own, unnamed] = [memories('eu'), memories('api.example.com:')];
  let waiting: Promise<unknown> | undefined;
  await own.withLock(lock, async () => {
    await unnamed.withLock(lock, async () => {
      waiting = backend.withLock({ ...lock, onWait: (holder) => waits.push(holder?.command) }, async () => 'done');
      while (waits.length === 0) await sleep(5);
    });
    // It has the lock of the name, and waits for the other one.
    while ((await unnamed.lockHolder()) === undefined) await sleep(5);
    await sleep(50);
  });
  expect(await waiting).toBe('done');
  expect(waits).toEqual(['webdata apply']);
  expect(backend.identity.account).toBe('eu');
});
