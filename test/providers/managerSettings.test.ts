/** `ManagerSettings` in a stack, without the engine. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diffResource, readResource } from '../../providers/core/lifecycle.ts';
import { failuresOf, kindNamed, openTestStack, type TestStack, up } from './testStack.ts';

const kind = kindNamed('ManagerSettings');

let test: TestStack;
beforeEach(async () => {
  test = await openTestStack();
});
afterEach(() => test[Symbol.asyncDispose]());

const declared = { zone: 'checkout', logs: 500, whitelistIps: ['10.0.0.0/8', '10.0.0.1'] };

describe('check', () => {
  it('prints the settings that a new resource changes, and writes none', async () => {
    expect(await failuresOf(kind, declared, test.open())).toEqual({});
    expect(test.printed.join()).toMatch(/ManagerSettings http:\/\/127.*: \d settings change/);
    expect(test.emulator.settings()).toMatchObject({ logs: 1000 });
  });

  it('only warns if the manager does not answer yet, because the same stack may create it', async () => {
    test.settings.managerUrl = 'http://127.0.0.1:1';
    expect(await failuresOf(kind, declared, test.open())).toEqual({});
    expect(test.printed.join()).toContain('warning: its calls cannot be shown, because its server does not answer yet');
    const existing = { ...declared, manager: 'http://127.0.0.1:1' };
    expect(Object.values(await failuresOf(kind, declared, test.open(), existing))).toHaveLength(1);
  });
});

describe('diff', () => {
  it('ignores order, repetition and spelling of addresses, and settings that are not declared', async () => {
    const properties = await up(test, kind, declared);
    test.emulator.setSettings({ request_stats: false });
    const same = { ...declared, whitelistIps: ['10.0.0.1/32', '10.0.0.0/8', '10.0.0.1'] };
    expect(await diffResource(test.open(), kind, properties, same)).toMatchObject({
      hasChanges: false,
      properties: [],
    });
  });

  it('replaces the resource if the URL names another manager', async () => {
    const properties = await up(test, kind, declared);
    const sameUrl = { ...declared, url: test.emulator.managerUrl };
    expect(await diffResource(test.open(), kind, properties, sameUrl)).toMatchObject({ replaces: [] });
    const otherUrl = { ...declared, url: 'http://127.0.0.1:1' };
    const diff = await diffResource(test.open(), kind, properties, otherUrl);
    expect(diff).toMatchObject({ hasChanges: true, replaces: ['url'], calls: [] });
    expect(diff.properties).toEqual([{ path: ['url'], kind: 'add', isReplacing: true }]);
  });
});

describe('create, update, read and delete', () => {
  it('shows drift of declared settings in the inputs', async () => {
    const properties = await up(test, kind, declared);
    expect(await readResource(test.open(), kind, properties)).toEqual({
      inputs: { ...declared, whitelistIps: ['10.0.0.0/8', '10.0.0.1'] },
      properties,
    });
    test.emulator.setSettings({ logs: 7, request_stats: false });
    const live = await readResource(test.open(), kind, properties);
    expect(live?.inputs).toEqual({ ...declared, logs: 7 });
    expect(live?.properties).toMatchObject({ logs: 500, settings: { logs: 7, requestStats: false } });
  });
});
