/** What a plan of manager settings changes, and what keeps it from doing so. */

import { describe, expect, it } from 'vitest';
import { failing } from '../../../src/client/errors.ts';
import { accepting } from '../../../src/features/accept/kinds.ts';
import { driftComparison } from '../../../src/kinds/comparison.ts';
import type { Context } from '../../../src/kinds/context.ts';
import { updateSettingsWords } from '../../../src/kinds/managerSettings/calls/words.ts';
import { managerSettings } from '../../../src/kinds/managerSettings/kind.ts';
import {
  type ManagerSettingsSpec,
  type ManagerSettingsState,
  managerSettingsSpec,
} from '../../../src/kinds/managerSettings/spec.ts';
import { references } from '../../../src/kinds/references.ts';
import { manager, settingsCall } from '../../report/samples.ts';
import { offered } from '../offers.ts';

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
    expect(offered(driftComparison, managerSettings).differences?.(spec, state)).toEqual([
      { path: ['absentPorts', 24_010], kind: 'remove', before: 24_010, isObserved: true },
      { path: ['absentPorts', 24_011], kind: 'remove', before: 24_011, isObserved: true },
    ]);
  });

  it('are deleted once if the manager does not show its ports', () => {
    const state = stateOf({ ports: null, deletedPorts: new Set([24_010, 24_012]) });
    const { calls, notes } = managerSettings.diff(spec, state);
    expect(calls).toEqual([{ type: 'deletePorts', manager, ports: [24_011], observed: false }]);
    expect(notes).toEqual([
      {
        code: 'ports-not-observable',
        text: 'this manager does not show its ports: absentPorts are deleted once, or again with --force-ports',
      },
    ]);
    expect(managerSettings.diff(specOf({ absentPorts: [] }), state).notes).toEqual([]);
    expect(managerSettings.diff(specOf({}), state).notes).toEqual([]);
    expect(offered(driftComparison, managerSettings).differences?.(spec, state)).toMatchObject([{ isObserved: false }]);
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

  it('keeps the address of the caller, in a plan and in the calls of a plan file', () => {
    const spec = specOf({ wwwWhitelistIps: ['192.0.2.0/24'] });
    const lockout = {
      code: 'self-lockout',
      path: ['wwwWhitelistIps'],
      found: 'the list would lose 10.1.2.3, the address that you call the manager from',
      allowed: 'a list that keeps it',
      fix: 'add 10.1.2.3, or pass --allow-self-lockout',
    };
    const { calls, problems } = managerSettings.diff(spec, state());
    expect(problems).toMatchObject([lockout]);
    expect(managerSettings.guards.broken(spec, state(), calls)).toMatchObject([lockout]);
    expect(managerSettings.guards.broken(spec, state({ allowSelfLockout: true }), calls)).toEqual([]);
    expect(managerSettings.guards.broken(spec, state(), [{ type: 'deletePorts' }])).toEqual([]);
  });

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
      managerSettings.conflicts(new Map(urls.map((url, index) => [`m${index}`, specOf({ url, logs: 1 })])), {
        managerUrl: 'http://127.0.0.1:22999/',
      });
    const twice = (place: string, second: string, first: string) => ({
      code: 'manager-twice',
      path: [second],
      found: `the manager at ${place} is declared twice`,
      allowed: 'one entry for each manager',
      also: [{ path: [first], what: 'is the other one' }],
    });
    expect(conflicts('http://127.0.0.1:22998', undefined)).toEqual([]);
    expect(conflicts(undefined, 'http://127.0.0.1:22998', 'https://127.0.0.1:22999//')).toEqual([
      twice('127.0.0.1:22999', 'm2', 'm0'),
    ]);
    expect(conflicts('http://m/team/one/', 'http://m/team/two', 'http://m/team//one', 'http://m/team/one')).toEqual([
      twice('m/team/one', 'm3', 'm0'),
    ]);
  });

  it('is not compared without a URL, or with one that cannot be read', () => {
    const specs = new Map([
      ['a', specOf({ logs: 1 })],
      ['b', specOf({ logs: 2 })],
    ]);
    expect(managerSettings.conflicts(specs, {})).toEqual([]);
    expect(managerSettings.conflicts(specs, { managerUrl: 'nowhere' })).toEqual([]);
    expect(managerSettings.conflicts(specs, { managerUrl: 'http://m' })).toHaveLength(1);
  });

  it('is named by the URL of the declaration, which decides where requests are sent', () => {
    const { managers, destinations: sentTo } = offered(references, managerSettings);
    expect(managers?.(specOf({ url: 'http://m:1' }))).toEqual(['http://m:1']);
    expect(managers?.(specOf({}))).toEqual([]);
    const destinations = [{ url: 'http://m:1' }, { url: 5 }, { logs: 1 }, null, 'text'].map((written) =>
      sentTo?.(written),
    );
    expect(destinations).toEqual([[['url']], [], [], [], []]);
  });
});

describe('a change of settings', () => {
  it('is described in one line a setting, and a sign shows what is added and removed', () => {
    const { items, changes } = updateSettingsWords.describe(settingsCall, []);
    expect(changes).toEqual([
      { kind: 'change', name: 'logs', before: '1000', after: '500' },
      { kind: 'remove', name: 'whitelistIps', before: '10.0.0.9' },
      { kind: 'add', name: 'whitelistIps', after: '10.0.0.0/8' },
    ]);
    const words = updateSettingsWords.differences(settingsCall, [], 'drift').map(({ text }) => text);
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
        view: () => ({ list: async () => (error === undefined ? new Map() : Promise.reject(error)) }),
        overrides: {},
        facts: () => new Set(),
      } as unknown as Context<ManagerSettingsSpec>;
      const state = await managerSettings.observe(specOf({ zone, logs: 1 }), context);
      const notes = managerSettings.diff(specOf({ zone, ignoreChanges: ['zone'] }), state).notes;
      return [state.isZoneMissing, notes.map(({ text }) => text)];
    };
    expect(await observed('shop', fail('not-found', 'is unknown'))).toEqual([
      true,
      ['zone shop does not exist at the service, so requests through the manager would have no zone'],
    ]);
    expect(await observed('shop', fail('server-error', 'failed'))).toEqual([false, []]);
    expect(await observed('shop', new TypeError('no service'))).toEqual([false, []]);
    expect(await observed('shop')).toEqual([false, []]);
    expect(await observed(undefined, fail('not-found', 'is unknown'))).toEqual([false, []]);
  });
});

describe('a setting that the manager does not show', () => {
  const problemsOf = (state: Partial<ManagerSettingsState>, ignoreChanges: string[] = []) =>
    managerSettings.diff(specOf({ logs: 5, ignoreChanges }), stateOf(state)).problems;

  it('cannot be declared, because it cannot be compared', () => {
    const problem = {
      code: 'setting-not-shown',
      path: ['logs'],
      found: `the manager at ${manager} shows no \`logs\``,
      allowed: 'a setting that can be read and compared',
      fix: 'remove `logs` from the declaration, or add it to ignoreChanges; if the manager shows it otherwise: service: { profile: { manager: { readSettings: put } } }',
    };
    expect(problemsOf({})).toEqual([problem]);
    expect(problemsOf({ readBy: 'put' })).toEqual([
      { ...problem, fix: problem.fix.replace('readSettings: put', 'readSettings: get') },
    ]);
    expect(problemsOf({ settings: { unreadable: { logs: 'many' } } })).toEqual([
      { ...problem, found: `the manager at ${manager} shows \`logs\` as "many"` },
    ]);
    expect(problemsOf({}, ['logs'])).toEqual([]);
    const whole = { isStrict: false, isWhole: true };
    const { problems } = offered(accepting, managerSettings).acceptLive(
      { written: { logs: 5 }, spec: specOf({ logs: 5 }) },
      stateOf({}),
      whole,
    );
    expect(problems).toEqual([problem]);
  });
});

describe('the notes of a plan', () => {
  const notesOn = (state: Partial<ManagerSettingsState>) => managerSettings.diff(specOf({}), stateOf(state)).notes;

  it('say that settings are read by an empty PUT, and what was detected about the manager', () => {
    expect(notesOn({})).toEqual([]);
    expect(notesOn({ readBy: 'put' })).toEqual([
      {
        code: 'read-by-put',
        text: 'the manager does not answer a GET of its settings, so they are read with a PUT of {}, which changes nothing',
      },
    ]);
    expect(notesOn({ inferred: { manager: { ports: 'none' } } as never })).toEqual([
      {
        code: 'profile-inferred',
        text: 'read from the answers of the service; to pin it, add to the declaration: service: { profile: { manager: { ports: none } } }',
      },
    ]);
    // Without the ports, the rest would be detected again at no cost.
    expect(notesOn({ inferred: { manager: { readSettings: 'put' } } as never })).toEqual([]);
  });

  it('say that a removal leaves the settings as they are', () => {
    expect(managerSettings.removal.diff()).toEqual({
      changes: [],
      calls: [],
      notes: [{ code: 'left-as-is', text: 'the settings of the manager stay as they are' }],
      problems: [],
    });
  });
});

describe('a plan', () => {
  it('sends the settings first, then the ports, and shows each entry of a list as a change', () => {
    const spec = specOf({ logs: 5, whitelistIps: ['10.0.0.1'], absentPorts: [24_010] });
    const state = stateOf({ settings: { logs: 6, whitelistIps: ['10.0.0.2'] }, ports: [24_010] });
    const { calls, changes } = managerSettings.diff(spec, state);
    expect(calls.map(({ type }) => type)).toEqual(['updateSettings', 'deletePorts']);
    expect(changes.map(({ path, kind }) => [kind, ...path])).toEqual([
      ['remove', 'whitelistIps', '10.0.0.2'],
      ['add', 'whitelistIps', '10.0.0.1'],
      ['change', 'logs'],
      ['remove', 'ports', 24_010],
    ]);
    expect(
      offered(driftComparison, managerSettings)
        .differences?.(spec, state)
        ?.map(({ path, isObserved }) => [path, isObserved]),
    ).toEqual([
      [['whitelistIps', '10.0.0.2'], undefined],
      [['whitelistIps', '10.0.0.1'], undefined],
      [['logs'], undefined],
      [['absentPorts', 24_010], true],
    ]);
  });

  it('is out of date only after a change of the settings or the ports, not of their order', () => {
    const print = (ports: number[] | null, settings: ManagerSettingsState['settings'] = {}) =>
      managerSettings.fingerprint(stateOf({ ports, settings }));
    expect(print([9, 10])).toEqual(print([10, 9]));
    expect(print([9])).not.toEqual(print([9, 10]));
    expect(print(null)).not.toEqual(print([]));
    expect(print([], { whitelistIps: ['b', 'a'] })).toEqual(print([], { whitelistIps: ['a', 'b'] }));
    expect(Object.keys(print([]))).toEqual([`settings of ${manager}`, `ports of ${manager}`]);
  });
});
