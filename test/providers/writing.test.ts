/** When resources wait for the lock of the machine, and for each other. */
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkInputs } from '../../providers/core/check.ts';
import { createResource, diffResource } from '../../providers/core/lifecycle.ts';
import { formatFor, problemsFrom } from '../../providers/core/problems.ts';
import type { Stack } from '../../providers/core/stack.ts';
import { breakMachineLock, withMachineLock } from '../../src/engine/backend/folder/machineLock.ts';
import { serverOf } from '../../src/engine/identity/accountIdentity.ts';
import { movesOf } from '../../src/kinds/knownCalls.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import { migrationsOf } from '../cli/harness.ts';
import { kindNamed, openTestStack, type TestStack } from './testStack.ts';

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
    await checkInputs(kind, {}, inputs, () => stack);
    const key = serverOf({ service: { url: test.emulator.apiUrl }, manager: {}, triggers: {} } as never);
    const adopted = await withMachineLock(
      { key, env: process.env },
      { timeoutMs: 0, command: 'test', folder: tmpdir() },
      () => createResource(stack, kind, inputs),
    );
    expect(adopted.properties.placements).toMatchObject({ '192.0.2.13': 'checkout' });
    expect(migrationsOf(test.emulator.requests())).toEqual([]);
  });
});

describe('a resource that needs a call while another run holds the lock', () => {
  const moving = { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] };
  const holdLock = <T>(action: () => Promise<T>) => {
    const key = serverOf({ service: { url: test.emulator.apiUrl }, manager: {}, triggers: {} } as never);
    return withMachineLock(
      { key, env: process.env },
      { timeoutMs: 0, command: 'webdata apply', folder: tmpdir() },
      action,
    );
  };

  it('says whom it waits for, and is written when that run ends', async () => {
    let creating: Promise<unknown> = Promise.resolve();
    await holdLock(async () => {
      creating = created(test.open(), moving);
      await expect.poll(() => test.printed.at(-1)).toMatch(/^waiting up to 600 s .*`webdata apply`/);
      expect(migrationsOf(test.emulator.requests())).toEqual([]);
    });
    await creating;
    expect(test.printed.filter((text) => text.startsWith('waiting'))).toHaveLength(1);
    expect(migrationsOf(test.emulator.requests())).toHaveLength(1);
  });

  it('fails after `lockTimeout`, and names the setting', async () => {
    test.settings.lockTimeout = '0.5';
    const error = await holdLock(() => created(test.open(), moving)).catch((thrown: unknown) => thrown);
    expect(formatFor('pulumi', problemsFrom(error))).toMatch(
      /`webdata apply` has held[\s\S]*webdata:lockTimeout SECONDS/,
    );
  });

  it('stops waiting when the update is cancelled', async () => {
    const stack = test.open();
    setTimeout(() => stack.cancel(), 1_000);
    await expect(holdLock(() => created(stack, moving))).rejects.toMatchObject({ problems: [{ code: 'cancelled' }] });
    expect(migrationsOf(test.emulator.requests())).toEqual([]);
  });
});

/** Checks and creates a resource, as the engine does for one that is new. */
async function created(stack: Stack, inputs: Properties) {
  const checked = await checkInputs(kind, {}, inputs, () => stack);
  expect(checked.problems).toEqual([]);
  return (await createResource(stack, kind, checked.inputs)).properties;
}

describe('a resource that is written after another one', () => {
  const first = { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'], spare: 'parked' };

  it('gets IPs that the program has added meanwhile', async () => {
    const stack = test.open();
    await created(stack, first);
    test.emulator.addIps('parked', { gb: ['198.51.100.90'] });
    const { moved } = await created(stack, { zones: { archive: { count: { gb: 7 } } }, spare: 'parked' });
    expect(moved).toEqual([{ ip: '198.51.100.90', from: 'parked', to: 'archive' }]);
  });

  it('does not believe a listing from before the first one was written', async () => {
    test.settings.profile = '{"settleSeconds":20}';
    const stack = test.open();
    await created(stack, { zones: { checkout: { count: { us: 6 } } }, spare: 'parked' });
    const second = { zones: { archive: { count: { us: 2 } } }, spare: 'parked' };
    await checkInputs(kind, {}, second, () => stack);
    test.emulator.addFault({ route: 'zone/ips', fault: { kind: 'stale', ms: 60_000 } });
    setTimeout(() => test.emulator.clearFaults(), 600);
    const { properties } = await createResource(stack, kind, second);
    expect(properties.moved).toEqual([{ ip: '198.51.100.31', from: 'parked', to: 'archive' }]);
    expect(migrationsOf(test.emulator.requests())).toHaveLength(2);
  });

  it('does not send a move again that the service accepted and no listing shows', async () => {
    const stack = test.open();
    const declared = Object.entries({ checkout: { us: 6 }, archive: { us: 2 } }).map(([zone, count]) => {
      return { zones: { [zone]: { count } }, spare: 'parked' };
    });
    for (const inputs of declared) await checkInputs(kind, {}, inputs, () => stack);
    test.emulator.addFault({ route: 'zone/ips', fault: { kind: 'stale', ms: 60_000 } });
    const results = await Promise.allSettled(declared.map((inputs) => createResource(stack, kind, inputs)));
    const reasons = results.map((result) => (result.status === 'rejected' ? result.reason.problems : []));
    expect(reasons).toMatchObject([
      [{ code: 'not-yet-visible' }],
      [{ code: 'accepted-unseen', found: expect.stringContaining('198.51.100.30 from parked to checkout already') }],
    ]);
    expect(migrationsOf(test.emulator.requests())).toHaveLength(1);
  });

  it('does not move an IP that another process has moved meanwhile', async () => {
    const stack = test.open();
    await created(stack, first);
    test.emulator.move(['198.51.100.30'], 'old-pricing');
    const { moved } = await created(stack, { zones: { archive: { count: { us: 2 } } }, spare: 'parked' });
    expect(moved).toEqual([{ ip: '198.51.100.31', from: 'parked', to: 'archive' }]);
    expect(migrationsOf(test.emulator.requests())).toHaveLength(2);
  });
});

describe('resources that are compared at once', () => {
  it('do not count on the same IPs', async () => {
    const stack = test.open();
    const declared = Object.entries({ checkout: { us: 6 }, archive: { us: 2 } }).map(([zone, count]) => {
      return { zones: { [zone]: { count } }, spare: 'parked' };
    });
    for (const inputs of declared) await checkInputs(kind, inputs, inputs, () => stack);
    const diffs = await Promise.all(declared.map((inputs) => diffResource(stack, kind, inputs, inputs)));
    const moves = diffs.flatMap(({ calls }) => calls.flatMap(movesOf));
    expect(moves.map(({ ip }) => ip).sort()).toEqual(['198.51.100.30', '198.51.100.31']);
  });
});

describe('writes that wait for their turn', () => {
  it('keep the lock, and take it again if it was lost meanwhile', async () => {
    const { run } = test.open();
    const key = serverOf({ service: { url: test.emulator.apiUrl }, manager: {}, triggers: {} } as never);
    const locks: (AbortSignal | undefined)[] = [];
    const write = (action = async () => {}) =>
      run.write('account', {
        resource: { kind: kind.name, collection: kind.collection, name: 'it' },
        contextWith(recorder, lost) {
          locks.push(lost);
          return run.live.contextFor({ definition: kind, name: 'it' }, { recorder });
        },
        send: action,
      });
    const lose = async () => {
      await breakMachineLock({ key, env: process.env });
      const { zones } = run.live.client();
      await expect(zones.migrate({ from: 'pricing', to: 'checkout', ips: ['192.0.2.10'] })).rejects.toThrow(/lock/);
      expect(migrationsOf(test.emulator.requests())).toEqual([]);
    };
    await Promise.all([write(), write(), write(lose), write()]);
    expect(locks.map((lock) => [...new Set(locks)].indexOf(lock))).toEqual([0, 0, 0, 1]);
  });
});
