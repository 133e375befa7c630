/** When resources wait for the lock of the machine, and for each other. */
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkInputs } from '../../providers/core/check.ts';
import { createResource } from '../../providers/core/lifecycle.ts';
import { withMachineLock } from '../../src/backend/folder/machineLock.ts';
import { accountKey } from '../../src/sync/config/accountKey.ts';
import { migrationsOf } from '../cli/harness.ts';
import { kindNamed, opened, openTestStack, type TestStack } from './testStack.ts';

let test: TestStack;
beforeEach(async () => {
  test = await openTestStack();
});
afterEach(() => test[Symbol.asyncDispose]());

const kind = kindNamed('ZoneIpAllocation');

describe('a resource that is as declared', () => {
  it('is adopted while another run holds the lock', async () => {
    const stack = test.open();
    const inputs = { zones: { checkout: { ips: ['192.0.2.12'] } } };
    await checkInputs(kind, {}, inputs, opened(stack));
    const key = accountKey({ service: { url: test.emulator.apiUrl }, manager: {}, triggers: {} } as never);
    const adopted = await withMachineLock(key, { timeoutMs: 0, command: 'test', folder: tmpdir() }, () =>
      createResource(stack, kind, inputs),
    );
    expect(adopted.properties.placements).toMatchObject({ '192.0.2.12': 'checkout' });
    expect(migrationsOf(test.emulator.requests())).toEqual([]);
  });
});
