/** Updates of Pulumi and runs of `webdata` that share a backend. */
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkInputs } from '../../../providers/core/check.ts';
import { createResource } from '../../../providers/core/lifecycle.ts';
import { openMemories } from '../../../src/engine/backend/open.ts';
import { migrationsOf } from '../../cli/harness.ts';
import { describeStores } from '../../engine/backend/servers.ts';
import { kindNamed, openTestStack, type TestStack } from '../../providers/testStack.ts';

let test: TestStack;
beforeEach(async () => {
  test = await openTestStack();
});
afterEach(() => test[Symbol.asyncDispose]());

const kind = kindNamed('ZoneIpAllocation');
const moving = { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] };

async function create(): Promise<unknown> {
  const stack = test.open();
  await checkInputs(kind, {}, moving, () => stack);
  return createResource(stack, kind, moving);
}

const runOf = (command: string, timeoutMs: number) => ({ command, timeoutMs, folder: '/' });

describeStores('an update of Pulumi', (server) => {
  it('waits for the lock of the backend, and then holds it', async () => {
    const address = await server.newAddress();
    Object.assign(test.settings, { backend: address, account: 'prod' });
    const backend = (await openMemories(address, { folder: '/', env: process.env }))('prod');
    let creating: Promise<unknown> = Promise.resolve();
    await backend.withLock(runOf('webdata apply', 0), async () => {
      creating = create();
      await setTimeout(1_500);
      expect(migrationsOf(test.emulator.requests())).toEqual([]);
    });
    test.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'delay', ms: 1_000 } });
    while (migrationsOf(test.emulator.requests()).length === 0) await setTimeout(20);
    expect(await backend.lockHolder()).toMatchObject({ command: 'pulumi', pid: process.pid });
    await expect(backend.withLock(runOf('webdata apply', 0), async () => {})).rejects.toThrow('`pulumi` has held');
    await creating;
    expect(await backend.lockHolder()).toBeUndefined();
    await backend.close();
  });
});

it.each([
  ['postgres://someone:hunter2@127.0.0.1:9/webdata', /backend postgres:.*127\.0\.0\.1:9/],
  ['ftp://127.0.0.1/x', /ftp:\/\/ backends are not supported/],
])(
  'sends nothing if the backend %s cannot be used',
  async (backend, message) => {
    Object.assign(test.settings, { backend });
    const error = await create().catch((thrown: Error) => thrown);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('hunter2');
    expect(migrationsOf(test.emulator.requests())).toEqual([]);
  },
  60_000,
);
