/** The words, outcomes and totals that the calls of all kinds share. */

import { describe, expect, it } from 'vitest';
import { areSameCalls, callTypeOf } from '../../src/kinds/knownCalls.ts';
import { type SentCall, wholeResult } from '../../src/kinds/seam/call.ts';
import { type CallChange, callWords, changeWords, driftWords, type PlanMode } from '../../src/kinds/seam/callWords.ts';
import { asSet, propertyChanges } from '../../src/kinds/seam/changes.ts';
import { readBackMismatch } from '../../src/kinds/seam/readBackMismatch.ts';
import { tallyOf } from '../../src/kinds/shownCalls.ts';
import { migrate, portsCall, registerCall, settingsCall, unregisterCall } from '../report/samples.ts';
import { totalWords } from './totalWords.ts';

const at = '2026-07-01T10:00:00.000Z';

it.each<[CallChange, string, string]>([
  [{ kind: 'change', name: 'logs', before: '1', after: '2' }, '1 → 2', '1 live, 2 declared'],
  [{ kind: 'add', name: 'logs', after: '2' }, '2', '2, declared but not live'],
  [{ kind: 'remove', name: 'logs', before: '1' }, '1', '1, live but not declared'],
  [{ kind: 'remove', name: 'port', before: '1', isForbidden: true }, '1', '1, live but declared absent'],
])('%j is worded for a plan and for drift', (change, planned, drift) => {
  expect([changeWords(change), driftWords(change)]).toEqual([planned, drift]);
});

it.each<[string, Partial<SentCall<typeof settingsCall>>, boolean]>([
  ['unknown', {}, false],
  ['accepted', { answered: { at } }, true],
  ['done', { answered: { at }, seen: { at, took: true } }, true],
  ['partly', { answered: { at }, seen: { at, took: false } }, false],
  ['refused', { failed: { at, code: 'refused', message: 'no', effect: 'none' } }, false],
  ['unknown', { failed: { at, code: 'timed-out', message: 'no', effect: 'unknown' } }, false],
  ['done', { failed: { at, code: 'timed-out', message: 'no', effect: 'unknown' }, seen: { at, took: true } }, true],
  ['refused', { failed: { at, code: 'refused', message: 'no', effect: 'none' }, seen: { at, took: false } }, false],
  ['partly', { failed: { at, code: 'timed-out', message: 'no', effect: 'unknown' }, seen: { at, took: false } }, false],
])('a call is %s after %j', (outcome, result, isEffective) => {
  const sent = { call: settingsCall, sentAt: at, ...result };
  expect(wholeResult(sent)).toEqual({ outcome, effect: isEffective ? settingsCall : undefined });
});

describe('the total of calls', () => {
  const created = { ...registerCall, before: null };
  const moving = migrate('a', 'b', ['192.0.2.1', '192.0.2.2']);
  const on = migrate('b', 'c', ['192.0.2.1']);

  it('counts what is added, changed and removed, but not what moves', () => {
    expect(tallyOf([])).toEqual({ add: 0, change: 0, remove: 0 });
    expect(tallyOf([moving])).toEqual({ add: 0, change: 0, remove: 0 });
    expect(tallyOf([settingsCall, portsCall])).toEqual({ add: 1, change: 1, remove: 3 });
    expect(tallyOf([registerCall, created, unregisterCall, moving])).toEqual({ add: 1, change: 1, remove: 1 });
  });

  it.each<[PlanMode | undefined, string[]]>([
    ['plan', ['2 IPs move in 2 calls', '2 registrations are made or changed', '1 registration is removed']],
    ['drift', ['2 IPs are not where they are declared', '2 registrations differ', '1 registration is not declared']],
    ['destroy', ['2 IPs are released in 2 calls', '2 registrations are made or changed', '1 registration is removed']],
    ['undo', ['2 IPs move back in 2 calls', '2 registrations are made or changed', '1 registration is removed']],
    [undefined, ['2 IPs moved in 2 calls', '2 registrations changed', '1 registration removed']],
  ])('is worded for %s', (mode, words) => {
    const shown = totalWords([moving, on, registerCall, created, unregisterCall], mode);
    expect(shown.filter((each) => each !== undefined)).toEqual(words);
  });

  it.each<[PlanMode | undefined, string[]]>([
    ['plan', ['1 IP moves in 1 call', '1 registration is made or changed', '2 registrations are removed']],
    ['drift', ['1 IP is not where it is declared', '1 registration differs', '2 registrations are not declared']],
    ['destroy', ['1 IP is released in 1 call', '1 registration is made or changed', '2 registrations are removed']],
    ['undo', ['1 IP moves back in 1 call', '1 registration is made or changed', '2 registrations are removed']],
    [undefined, ['1 IP moved in 1 call', '1 registration changed', '2 registrations removed']],
  ])('is worded for %s, for one and for several', (mode, words) => {
    const shown = totalWords([on, registerCall, unregisterCall, { ...unregisterCall, name: 'more' }], mode);
    expect(shown.filter((each) => each !== undefined)).toEqual(words);
  });

  it.each<[PlanMode | undefined, string[]]>([
    ['plan', ['1 setting changes', '2 settings change', '1 port is deleted', '2 ports are deleted']],
    ['drift', ['1 setting differs', '2 settings differ', '1 port exists that must not', '2 ports exist that must not']],
    ['destroy', ['1 setting changes', '2 settings change', '1 port is deleted', '2 ports are deleted']],
    ['undo', ['1 setting changes back', '2 settings change back', '1 port is deleted', '2 ports are deleted']],
    [undefined, ['1 setting changed', '2 settings changed', '1 port deleted', '2 ports deleted']],
  ])('of a manager is worded for %s, for one and for several', (mode, words) => {
    const one = { ...settingsCall, settings: { logs: 1 }, before: { logs: 2 } };
    const several = { ...one, settings: { logs: 1, request_stats: true } };
    const port = { ...portsCall, ports: portsCall.ports.slice(0, 1) };
    expect([one, several, port, portsCall].flatMap((call) => totalWords([call], mode))).toEqual(words);
  });

  it('says how many moves there are if an IP moves twice', () => {
    const [ips] = callWords.of(moving).totals;
    expect(ips?.detail?.([moving, on], 2)).toBe('3 moves in all');
    expect(ips?.detail?.([moving], 2)).toBeUndefined();
  });
});

it('lists of calls are the same if each call is, in their order', () => {
  expect(areSameCalls([settingsCall, portsCall], [settingsCall, portsCall])).toBe(true);
  expect(areSameCalls([settingsCall, portsCall], [portsCall, settingsCall])).toBe(false);
  expect(areSameCalls([settingsCall], [settingsCall, portsCall])).toBe(false);
  expect(areSameCalls([settingsCall, portsCall], [settingsCall])).toBe(false);
  expect(() => callTypeOf({ type: 'melt' })).toThrow(new TypeError('no kind defines calls of type melt'));
});

it('a value that a server did not take is shown with the wanted one', () => {
  const by = 'the manager';
  expect(readBackMismatch({ path: ['alerts', 'on'], wanted: undefined, got: 'x', by, fix: 'look' })).toEqual({
    code: 'did-not-take',
    path: ['alerts', 'on'],
    found: 'alerts.on: wanted nothing, got "x", although the manager accepted the change',
    fix: 'look',
  });
});

it('property changes have the values of both sides, and refuse lists, whose order would count', () => {
  expect(propertyChanges({ a: 1, b: 2 }, { b: 3, c: { d: 4 } })).toEqual([
    { path: ['a'], kind: 'remove', before: 1 },
    { path: ['b'], kind: 'change', before: 2, after: 3 },
    { path: ['c'], kind: 'add', after: { d: 4 } },
  ]);
  expect(propertyChanges({ a: 1 }, { a: 1 })).toEqual([]);
  expect(propertyChanges(asSet(['x', 'y', 'x']), asSet(['y', 'x']))).toEqual([]);
  expect(() => propertyChanges({ list: { a: [1] } }, { list: { a: [1, 2] } })).toThrow(
    new TypeError('a list at list.a where a set or a scalar is due'),
  );
});
