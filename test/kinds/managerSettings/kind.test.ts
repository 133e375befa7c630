/** What a plan of manager settings changes, and what keeps it from doing so. */
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/kinds/context.ts';
import { updateSettings } from '../../../src/kinds/managerSettings/calls/updateSettings.ts';
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import {
  type ManagerSettingsSpec,
  type ManagerSettingsState,
  managerSettingsSpec,
} from '../../../src/kinds/managerSettings/spec.ts';
import { failing } from '../../../src/service/errors.ts';
import { manager, settingsCall } from '../../report/samples.ts';

const specOf = (fields: object) => managerSettingsSpec.parse(fields);

function stateOf(state: Partial<ManagerSettingsState>): ManagerSettingsState {
  return {
    manager,
    settings: {},
    readBy: 'get',
    ports: [],
    deletedPorts: new Set(),
    callerAddress: '',
    allowSelfLockout: false,
    isZoneMissing: false,
    inferred: {},
    ...state,
  };
}

describe('ports that must not exist', () => {
  const spec = specOf({ absentPorts: [24_011, 24_010, 24_011, 24_012] });

  it('are deleted if they exist', () => {
    const state = stateOf({ ports: [24_010, 24_011, 24_999] });
    const { changes, calls, notes } = managerSettings.diff(spec, state);
    expect(calls).toEqual([{ type: 'deletePorts', manager, ports: [24_010, 24_011], observed: true }]);
    expect(changes).toEqual([
      { path: ['ports', 24_010], kind: 'remove', before: 24_010 },
      { path: ['ports', 24_011], kind: 'remove', before: 24_011 },
    ]);
    expect(notes).toEqual([]);
    expect(managerSettings.differences(spec, state)).toEqual([
      { path: ['absentPorts', 24_010], kind: 'remove', before: 24_010, isObserved: true },
      { path: ['absentPorts', 24_011], kind: 'remove', before: 24_011, isObserved: true },
    ]);
  });

  it('are deleted once if the manager does not show its ports', () => {
    const state = stateOf({ ports: null, deletedPorts: new Set([24_010, 24_012]) });
    const { calls, notes } = managerSettings.diff(spec, state);
    expect(calls).toEqual([{ type: 'deletePorts', manager, ports: [24_011], observed: false }]);
    expect(notes.map(({ code }) => code)).toEqual(['ports-not-observable']);
    expect(managerSettings.differences(spec, state)).toMatchObject([{ isObserved: false }]);
  });

  it('are left alone if changes of them are ignored', () => {
    const ignored = specOf({ absentPorts: [24_010], ignoreChanges: ['absentPorts'] });
    expect(managerSettings.diff(ignored, stateOf({ ports: [24_010] })).calls).toEqual([]);
  });
});

describe('the list of those who may call the manager', () => {
  const state = (more: object = {}) =>
    stateOf({ settings: { wwwWhitelistIps: ['10.0.0.0/8'] }, callerAddress: '10.1.2.3', ...more });
  const problems = (entries: string[], more: object = {}) =>
    managerSettings
      .diff(specOf({ wwwWhitelistIps: entries }), state(more))
      .problems.map(({ code, path }) => [code, path]);

  it('keeps the address of the caller, unless it may lose it or has not got it', () => {
    expect(problems(['192.0.2.0/24'])).toEqual([['self-lockout', ['wwwWhitelistIps']]]);
    expect(problems(['10.1.0.0/16'])).toEqual([]);
    expect(problems(['192.0.2.0/24'], { allowSelfLockout: true })).toEqual([]);
    expect(problems(['192.0.2.0/24'], { callerAddress: '198.51.100.1' })).toEqual([]);
  });
});

describe('one manager', () => {
  it('is declared once, however its URL is spelled', () => {
    const conflicts = (...urls: (string | undefined)[]) =>
      managerSettings
        .conflicts(new Map(urls.map((url, index) => [`m${index}`, specOf({ url, logs: 1 })])), {
          managerUrl: 'http://127.0.0.1:22999/',
        })
        .map(({ code, path, found, also }) => [code, path, found, also?.map((other) => other.path)]);
    expect(conflicts('http://127.0.0.1:22998', undefined)).toEqual([]);
    expect(conflicts(undefined, 'http://127.0.0.1:22998', 'https://127.0.0.1:22999//')).toEqual([
      ['manager-twice', ['m2'], 'the manager at 127.0.0.1:22999 is declared twice', [['m0']]],
    ]);
  });
});

describe('a change of settings', () => {
  it('is described in one line a setting, and a sign shows what is added and removed', () => {
    const { items, changes } = updateSettings.describe(settingsCall);
    expect(changes).toEqual([
      { kind: 'change', name: 'logs', before: '1000', after: '500' },
      { kind: 'remove', name: 'whitelistIps', before: '10.0.0.9' },
      { kind: 'add', name: 'whitelistIps', after: '10.0.0.0/8' },
    ]);
    const words = updateSettings.differences(settingsCall, [], 'drift').map(({ text }) => text);
    expect(words).toContain('setting whitelistIps: 10.0.0.0/8, declared but not live');
    expect(items).toEqual(['logs 1000 → 500', 'whitelistIps -10.0.0.9', 'whitelistIps +10.0.0.0/8']);
  });
});

describe('the default zone', () => {
  it('is missing only if the service says so', async () => {
    const fail = failing({ method: 'GET', url: 'http://service.example', read: true }, {});
    const observed = async (zone: string | undefined, error?: Error) => {
      const context = {
        manager: () => ({
          url: manager,
          readSettings: async () => ({ settings: {}, by: 'get' }),
          inferredProfile: () => ({}),
        }),
        account: { list: async () => (error === undefined ? new Map() : Promise.reject(error)) },
        overrides: {},
        facts: () => new Set(),
      } as unknown as Context<ManagerSettingsSpec>;
      const state = await managerSettings.observe(specOf({ zone, logs: 1 }), context);
      const notes = managerSettings.diff(specOf({ zone }), state).notes.map(({ code }) => code);
      return [state.isZoneMissing, notes];
    };
    expect(await observed('shop', fail('not-found', 'is unknown'))).toEqual([true, ['zone-not-found']]);
    expect(await observed('shop', fail('server-error', 'failed'))).toEqual([false, []]);
    expect(await observed('shop', new TypeError('no service'))).toEqual([false, []]);
    expect(await observed('shop')).toEqual([false, []]);
    expect(await observed(undefined, fail('not-found', 'is unknown'))).toEqual([false, []]);
  });
});
