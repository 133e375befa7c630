/** How calls on registrations are described, undone and compared with what is live. */

import { describe, expect, it } from 'vitest';
import type { PropertyChange } from '../../../src/kinds/changes.ts';
import { collectorSchedule } from '../../../src/kinds/collectorSchedule/kind.ts';
import { forecasting } from '../../../src/kinds/forecasting.ts';
import { acceptRegistration } from '../../../src/kinds/registered/acceptLive.ts';
import { register, unregister } from '../../../src/kinds/registered/calls/registration.ts';
import { registerWords, unregisterWords } from '../../../src/kinds/registered/calls/registrationWords.ts';
import { registrationDiff } from '../../../src/kinds/registered/registration.ts';
import { deliverySpec } from '../../../src/triggers/declared/deliverySpec.ts';
import { registerCall, unregisterCall } from '../../report/samples.ts';
import { offered } from '../offers.ts';

const created = { ...registerCall, before: null };
const record = { triggers: 'http://127.0.0.1:22997', record: 'schedule', owner: 'acme', name: 'nightly' } as const;

describe('a registration', () => {
  it('is undone by its removal if it is new, and not undone otherwise, because the journal holds no secrets', () => {
    const { triggers, owner, name } = registerCall;
    expect(register.invert(created)).toEqual({
      calls: [{ type: 'unregister', triggers, owner, record: 'schedule', name }],
      notes: [],
    });
    const left = (its: string) => ({
      code: 'left-as-is',
      text: `the journal does not hold the previous registration of ${its}, because it may contain secrets: declare it and apply`,
    });
    expect(register.invert(registerCall)).toEqual({ calls: [], notes: [left(name)] });
    expect(unregister.invert(unregisterCall)).toEqual({ calls: [], notes: [left(unregisterCall.name)] });
  });

  it('is shown field by field, with the fields of maps that are added or removed as a whole', () => {
    const changes: PropertyChange[] = [
      { path: ['cron'], kind: 'change', before: '0 3 * * *', after: '' },
      {
        path: ['delivery'],
        kind: 'add',
        after: { endpoint: 'https://hooks.example.com/', batch: { size: 5 }, none: {} },
      },
      { path: ['alerts'], kind: 'remove', before: { on: ['failed'] } },
      { path: ['overlap'], kind: 'add', after: 'skip', isDefault: true },
    ];
    expect(registerWords.describe(registerCall, changes)).toEqual({
      subject: 'schedule',
      place: 'http://127.0.0.1:22997 (acme)',
      changes: [
        { kind: 'change', name: 'cron', before: '0 3 * * *', after: '""' },
        { kind: 'add', name: 'delivery.endpoint', after: 'https://hooks.example.com/' },
        { kind: 'add', name: 'delivery.batch.size', after: '5' },
        { kind: 'add', name: 'delivery.none', after: '{}' },
        { kind: 'remove', name: 'alerts.on', before: '["failed"]' },
        { kind: 'add', name: 'overlap', after: 'skip', isDefault: true },
      ],
      items: ['changes nightly'],
    });
    expect(registerWords.describe(created, []).items).toEqual(['registers nightly']);
    expect(registerWords.tally?.(created)).toEqual({ add: 1, change: 0, remove: 0 });
    expect(registerWords.tally?.(registerCall)).toEqual({ add: 0, change: 1, remove: 0 });
  });

  it('is described when it is removed', () => {
    expect(unregisterWords.describe(unregisterCall, [])).toEqual({
      subject: 'delivery',
      place: 'http://127.0.0.1:22997 (acme)',
      changes: [{ kind: 'remove', name: 'delivery', before: 'results' }],
      items: ['removes results'],
    });
  });

  it('is worded in a plan and as drift', () => {
    const change: PropertyChange = { path: ['cron'], kind: 'change', before: 'a', after: 'b' };
    const pausing: PropertyChange = { path: ['paused'], kind: 'add', after: true };
    const key = ['registration', 'schedule', 'nightly'];
    const words = (call: typeof registerCall, mode: 'plan' | 'drift') =>
      registerWords.differences(call, [change, pausing], mode);
    expect(words(created, 'plan')).toEqual([{ key, text: 'the schedule nightly is registered' }]);
    expect(words(created, 'drift')).toEqual([{ key, text: 'the schedule nightly is declared but not live' }]);
    expect(words(registerCall, 'plan')).toEqual([{ key, text: 'the schedule nightly changes: cron, paused' }]);
    expect(words(registerCall, 'drift')).toEqual([{ key, text: 'the schedule nightly differs: cron, paused' }]);
    const removed = (mode: 'plan' | 'drift') => unregisterWords.differences(unregisterCall, [], mode);
    const itsKey = ['registration', 'delivery', 'results'];
    expect(removed('plan')).toEqual([{ key: itsKey, text: 'the delivery results is removed' }]);
    expect(removed('drift')).toEqual([{ key: itsKey, text: 'the delivery results is live but not declared' }]);
  });

  it('is the same call only at the same place, with the same digests', () => {
    const key = register.key(registerCall);
    const others = [
      { triggers: 'http://t' },
      { record: 'delivery' as const },
      { owner: 'shop' },
      { name: 'hourly' },
      { digest: 'x' },
      { before: null },
    ];
    for (const each of others) expect(register.key({ ...registerCall, ...each })).not.toBe(key);
    expect(register.key({ ...registerCall })).toBe(key);
    expect(unregister.key({ ...unregisterCall, name: 'more' })).not.toBe(unregister.key(unregisterCall));
    expect(register.target(registerCall)).toBe('triggers http://127.0.0.1:22997');
  });

  it('has long values cut, and values quoted that could be mistaken', () => {
    const shown = (after: unknown) =>
      registerWords.describe(registerCall, [{ path: ['note'], kind: 'change', before: undefined, after }]).changes[0];
    expect(shown('x')).toMatchObject({ before: 'nothing', after: 'x' });
    expect(shown(' x')).toMatchObject({ after: '" x"' });
    expect(shown('x ')).toMatchObject({ after: '"x "' });
    expect(shown(true)).toMatchObject({ after: 'true' });
    expect(shown('a b')).toMatchObject({ after: 'a b' });
    expect(shown('y'.repeat(200))).toMatchObject({ after: 'y'.repeat(200) });
    expect(shown('y'.repeat(201))).toMatchObject({ after: `${'y'.repeat(199)}…` });
  });

  it('is not compared if its declaration has problems', () => {
    const problems = [{ code: 'unreadable-file', found: 'inputs.csv does not exist' }];
    const diff = registrationDiff({ ...record, declared: { problems }, registered: undefined });
    expect(diff).toEqual({ changes: [], calls: [], notes: [], problems });
  });
});

describe('a registration that is accepted as it is live', () => {
  const declared = { spec: { every: '2h', inputs: [] } };
  const accept = (state: object) =>
    acceptRegistration(
      { written: { every: '2h' }, spec: {} },
      { ...record, declared, registered: undefined, ...state },
    );

  it('takes over what is registered', () => {
    expect(accept({})).toEqual({ fields: undefined });
    expect(accept({ registered: { every: '1h', inputs: [] } })).toEqual({ fields: { every: '1h' }, problems: [] });
  });

  it('stays as it is written if its declaration has problems', () => {
    const problems = [{ code: 'unreadable-file', found: 'inputs.csv does not exist' }];
    expect(accept({ declared: { problems }, registered: { every: '1h' } })).toEqual({
      fields: { every: '2h' },
      problems,
    });
  });
});

describe('a schedule that names a delivery', () => {
  const spec = {
    collector: 'c_prices',
    every: '1h',
    inputs: [{ url: 'https://shop.example.com/a' }],
    delivery: 'main',
  };
  const parsed = collectorSchedule.spec.parse(spec);
  const problems = (deliveries: string[]) =>
    collectorSchedule.diff(parsed, {
      ...record,
      declared: { problems: [] },
      registered: undefined,
      schedule: undefined,
      deliveries,
      now: 0,
    }).problems;

  it('is refused at that field unless the delivery will be registered', () => {
    expect(problems(['main'])).toEqual([]);
    expect(problems([])).toEqual([
      {
        code: 'unknown-delivery',
        path: ['delivery'],
        found: 'delivery `main` is not registered',
        allowed: 'a registered delivery; none is registered',
        fix: 'apply the delivery too; if it could not be registered, follow the fix in its own error',
      },
    ]);
    expect(problems(['mian'])).toMatchObject([{ fix: expect.stringContaining('mian') }]);
  });

  it('is refused at that field unless the delivery is declared', () => {
    const conflicts = (...names: string[]) => {
      const deliveries = new Map(
        names.map((name) => [name, deliverySpec.parse({ endpoint: 'https://hooks.example.com/' })]),
      );
      return collectorSchedule.conflicts(new Map([['nightly', parsed]]), { declared: () => deliveries });
    };
    expect(conflicts('main')).toEqual([]);
    expect(conflicts('other')).toMatchObject([
      { code: 'unknown-delivery', path: ['nightly', 'delivery'], found: 'delivery `main` is not declared' },
    ]);
    expect(collectorSchedule.conflicts(new Map([['nightly', parsed]]), {})).toEqual([]);
  });

  it('tells forecasts how long its jobs may run', () => {
    const longest = (fields: object) =>
      offered(forecasting, collectorSchedule).firing(collectorSchedule.spec.parse({ ...spec, ...fields })).longestMs;
    expect(longest({})).toBeUndefined();
    expect(longest({ maxTime: '30m' })).toBe(1_800_000);
  });
});
