/** Manager settings in a state of their own, as Pulumi keeps them. */
import { describe, expect, it } from 'vitest';
import { storedManagerSettings as stored } from '../../../providers/core/stored/managerSettings.ts';
import type { Context } from '../../../src/kinds/context.ts';
import type { ManagerSettingsSpec, ManagerSettingsState } from '../../../src/kinds/managerSettings/spec.ts';
import { journaled, portsCall, settingsCall, settingsId } from '../../report/samples.ts';

const at = '2026-07-01T10:00:00.000Z';
const url = 'http://127.0.0.1:22999';
const context = {
  manager: (given: string | undefined) => ({ url: given ?? url }),
  overrides: {},
} as unknown as Context;
const spec = (more: object = {}) => more as ManagerSettingsSpec;
const state = (more: object = {}) =>
  ({ manager: url, settings: {}, ports: [], ...more }) as unknown as ManagerSettingsState;

it('are known by the URL of their manager', async () => {
  expect(stored.id(spec(), context)).toBe(url);
  expect(stored.title(spec({ url: 'http://m:1' }), context)).toBe('http://m:1');
  expect(stored.importTarget?.('http://m:1')).toEqual({
    id: 'http://m:1',
    target: { name: 'http://m:1', zones: [], managerUrl: 'http://m:1' },
    inputs: { url: 'http://m:1' },
  });
  expect(await stored.list?.({}, context)).toEqual([{ id: url, name: '127.0.0.1:22999' }]);
});

it('are replaced if their manager is another one', () => {
  expect(stored.replaces?.({ manager: url }, spec(), context)).toEqual([]);
  expect(stored.replaces?.({}, spec({ url: 'http://m:1' }), context)).toEqual([]);
  expect(stored.replaces?.({ manager: url }, spec({ url: 'http://m:1' }), context)).toEqual(['url']);
});

it('are equal whatever the order, the spelling and the repetitions of their lists', () => {
  expect(
    stored.normalize?.({
      logs: 5,
      whitelistIps: ['b', '10.1.1.1/8', 'a', 'b', '10.2.2.2/8'],
      absentPorts: [10, 9, 100, 9],
    }),
  ).toEqual({ logs: 5, whitelistIps: ['10.0.0.0/8', 'a', 'b'], absentPorts: [9, 10, 100] });
});

it('are stored by a refresh with the live values of what differs, and the ports that are absent', () => {
  const inputs = { logs: 5, whitelistIps: ['10.0.0.1'], absentPorts: [1, 2] };
  const live = state({ settings: { logs: 6, whitelistIps: ['10.0.0.1'], debug: 'x' }, ports: [2] });
  expect(stored.liveInputs(inputs, spec(inputs), live)).toEqual({ ...inputs, logs: 6, absentPorts: [1] });
  expect(stored.liveInputs(inputs, spec(inputs), state({ settings: inputs, ports: null }))).toEqual(inputs);
  expect(stored.liveInputs({ logs: 6 }, spec({ logs: 6 }), state({ settings: { logs: 6 } }))).toEqual({ logs: 6 });
});

describe('the outputs', () => {
  it('are the live settings, or those of before if they could not be read', () => {
    const live = state({ settings: { logs: 6 } });
    expect(stored.outputs({ spec: spec(), state: live, sent: [], olds: {} })).toEqual({
      manager: url,
      settings: { logs: 6 },
      deletedPorts: [],
    });
    const olds = { manager: 'http://m:1', settings: { logs: 1 } };
    expect(stored.outputs({ spec: spec(), state: undefined, sent: [], olds })).toEqual({ ...olds, deletedPorts: [] });
    expect(stored.outputs({ spec: spec(), state: undefined, sent: undefined, olds: {} })).toEqual({ deletedPorts: [] });
  });

  it('have the deleted ports that are still declared absent, if the manager does not show its ports', () => {
    const [first = 0, second = 0] = portsCall.ports;
    const sent = [
      journaled(settingsId, portsCall, { answered: { at } }),
      journaled(settingsId, settingsCall, { answered: { at } }),
    ];
    const unanswered = [journaled(settingsId, portsCall)];
    const ports = (calls: typeof sent, more: object = {}) =>
      stored.outputs({
        spec: spec({ absentPorts: [second, 5, first] }),
        state: state({ ports: null }),
        sent: calls,
        olds: { deletedPorts: [5, 7] },
        ...more,
      }).deletedPorts;
    expect(ports(sent)).toEqual([5, first, second]);
    expect(ports(unanswered)).toEqual([5]);
    expect(ports(sent, { state: state({ ports: [] }) })).toEqual([]);
    expect(ports(sent, { state: undefined })).toEqual([5, first, second]);
    expect(ports(sent, { spec: spec() })).toEqual([]);
  });

  it('keep ports from being deleted again, unless that is asked for', () => {
    const facts = (overrides: object) => {
      const own = { ...context, overrides, facts: () => new Set(['own']) } as unknown as Context;
      const after = stored.withOlds?.(own, { deletedPorts: [5] }) as unknown as { facts(): ReadonlySet<string> };
      return [...after.facts()];
    };
    expect(facts({})).toEqual(['5']);
    expect(facts({ forcePorts: true })).toEqual(['own']);
  });
});
