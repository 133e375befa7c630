/** Pulumi's option `ignoreChanges` against live values that someone else has changed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkInputs } from '../../providers/core/check.ts';
import { withValuesAt } from '../../providers/core/ignoredChanges.ts';
import { diffResource, readResource, updateResource } from '../../providers/core/lifecycle.ts';
import { formatFor, problemsFrom } from '../../providers/core/problems.ts';
import { ignoredPaths } from '../../providers/pulumi/propertyPath.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import { migrationsOf } from '../cli/harness.ts';
import { kindNamed, openTestStack, type TestStack, up } from './testStack.ts';

let test: TestStack;
beforeEach(async () => {
  test = await openTestStack();
});
afterEach(() => test[Symbol.asyncDispose]());

interface Case {
  kind: string;
  name: string;
  declared: Properties;
  ignoreChanges: string[];
  /** Something else changes the live values. */
  disturb(): unknown;
  /** The program, with a change of another property. */
  changed: Properties;
  /** The live values in the end: those of the disturbance, and the changed one. */
  live(): unknown;
  ends: unknown;
}

const owner = 'shop/dev';
const schedule = {
  name: 'nightly',
  owner,
  collector: 'c_prices',
  cron: '0 3 * * *',
  inputs: [{ url: 'https://a.example/' }, { url: 'https://b.example/' }],
  alerts: { endpoint: 'https://alerts.example/', on: ['failed'] },
};
const delivery = {
  name: 'results',
  owner,
  endpoint: 'https://hooks.example.com/',
  notify: { type: 'webhook', endpoint: 'https://hooks.example.com/done' },
};
const ips = ['192.0.2.12', '192.0.2.13'];

const put = async (path: string, { name, owner: _, ...spec }: Properties) =>
  expect(await test.serving.call('PUT', `/v1/owners/${encodeURIComponent(owner)}/${path}/${name}`, spec)).toMatchObject(
    {
      status: 200,
    },
  );
const registered = async (path: 'schedules' | 'deliveries') =>
  (await test.serving.registry.records(owner))[path][0]?.spec;

const cases: Case[] = [
  {
    kind: 'CollectorSchedule',
    name: 'a schedule that someone paused',
    declared: schedule,
    ignoreChanges: ['paused'],
    disturb: () => test.serving.registry.setPaused(owner, 'nightly', true),
    changed: { ...schedule, cron: '0 4 * * *' },
    live: () => registered('schedules'),
    ends: { paused: true, cron: '0 4 * * *' },
  },
  {
    kind: 'CollectorSchedule',
    name: 'a field of an input, a list in a map, and a field that was added',
    declared: schedule,
    ignoreChanges: ['inputs[1].url', 'alerts.on', 'queue'],
    disturb: () =>
      put('schedules', {
        ...schedule,
        inputs: [{ url: 'https://a.example/' }, { url: 'https://c.example/' }],
        alerts: { endpoint: 'https://alerts.example/', on: ['late', 'failed'] },
        queue: 'slow',
      }),
    changed: { ...schedule, inputs: [{ url: 'https://x.example/' }, { url: 'https://b.example/' }] },
    live: () => registered('schedules'),
    ends: {
      inputs: [{ url: 'https://x.example/' }, { url: 'https://c.example/' }],
      alerts: { endpoint: 'https://alerts.example/', on: ['late', 'failed'] },
      queue: 'slow',
    },
  },
  {
    kind: 'WebhookDelivery',
    name: 'an endpoint, and one in a map',
    declared: delivery,
    ignoreChanges: ['endpoint', 'notify.endpoint'],
    disturb: () =>
      put('deliveries', {
        ...delivery,
        endpoint: 'https://new.example/',
        notify: { type: 'webhook', endpoint: 'https://new.example/done' },
      }),
    changed: { ...delivery, compression: 'none' },
    live: () => registered('deliveries'),
    ends: {
      endpoint: 'https://new.example/',
      notify: { type: 'webhook', endpoint: 'https://new.example/done' },
      compression: 'none',
    },
  },
  {
    kind: 'ManagerSettings',
    name: 'a setting, and one item of a list',
    declared: { logs: 500, requestStats: true, whitelistIps: ['10.0.0.1', '10.0.0.2'] },
    ignoreChanges: ['logs', 'whitelistIps[1]'],
    disturb: () => test.emulator.setSettings({ logs: 7, whitelist_ips: ['10.0.0.1'] }),
    changed: { logs: 500, requestStats: false, whitelistIps: ['10.0.0.1', '10.0.0.2'] },
    live: () => test.emulator.settings(),
    ends: { logs: 7, request_stats: false, whitelist_ips: ['10.0.0.1'] },
  },
  ...['zones', 'zones["checkout"].ips[*]', 'zones.checkout.ips[0]'].map(
    (path): Case => ({
      kind: 'ZoneIpAllocation',
      name: `the IPs of a zone, as ${path}`,
      declared: { zones: { checkout: { ips } } },
      ignoreChanges: [path],
      disturb: () => test.emulator.move(['192.0.2.12'], 'parked'),
      changed: { zones: { checkout: { ips } }, sources: ['parked'], maxMoves: 5 },
      live: () => ({ moved: test.emulator.ips('checkout').includes('192.0.2.12') }),
      ends: { moved: false },
    }),
  ),
];

describe.each(cases)('$kind: $name', ({ kind: kindName, declared, ignoreChanges, disturb, changed, live, ends }) => {
  const kind = kindNamed(kindName);
  const ignored = ignoredPaths(ignoreChanges);

  it('stays as it is live, also while something else changes', async () => {
    const state = await up(test, kind, declared);
    await disturb();
    expect(await diffResource(test.open(), kind, state, declared)).toMatchObject({ hasChanges: true });
    const diff = await diffResource(test.open(), kind, state, declared, { ignored });
    expect(diff).toMatchObject({ hasChanges: false, calls: [] });

    const stack = test.open();
    const { inputs, problems } = await checkInputs(kind, declared, changed, () => stack);
    expect(problems).toEqual([]);
    await diffResource(stack, kind, state, inputs, { ignored });
    const updated = await updateResource(stack, kind, 'id', state, inputs, { ignored });
    expect(await live()).toMatchObject(ends as object);
    expect(await diffResource(test.open(), kind, updated, inputs, { ignored })).toMatchObject({ hasChanges: false });
  });

  it('does not change after a refresh either', async () => {
    const state = await up(test, kind, declared);
    await disturb();
    const read = await readResource(test.open(), kind, state);
    const oldInputs = read?.inputs ?? {};
    // The engine compares the refreshed state with the inputs of the program, and then with those of the state.
    for (const news of [declared, oldInputs]) {
      const diff = await diffResource(test.open(), kind, read?.properties ?? {}, news, { ignored, oldInputs });
      expect(diff.calls).toEqual([]);
    }
    const before = migrationsOf(test.emulator.requests()).length;
    await updateResource(test.open(), kind, 'id', read?.properties ?? {}, { ...declared, ...oldInputs }, { ignored });
    expect(migrationsOf(test.emulator.requests())).toHaveLength(before);
  });
});

describe('a count of a zone', () => {
  const kind = kindNamed('ZoneIpAllocation');

  it.each([
    'report',
    'release',
  ])('is what it is, and listed IPs still come, where unmanaged IPs are to be %sed', async (unmanaged) => {
    const held = test.emulator.ips('checkout').length;
    const declared = { zones: { checkout: { ips: ['192.0.2.12'], count: held } }, spare: 'parked', unmanaged };
    const state = await up(test, kind, declared);
    const [stray = '', wanted = ''] = test.emulator.ips('parked');
    test.emulator.move([stray], 'checkout');
    const ignored = ignoredPaths(['zones.checkout.count']);
    expect(await diffResource(test.open(), kind, state, declared, { ignored })).toMatchObject({ hasChanges: false });
    const more = { ...declared, zones: { checkout: { ips: ['192.0.2.12', wanted], count: held } } };
    await updateResource(test.open(), kind, 'id', state, more, { ignored });
    expect(test.emulator.ips('checkout')).toHaveLength(held + 2);
    expect(test.emulator.ips('checkout')).toEqual(expect.arrayContaining([stray, wanted]));
  });
});

describe('a secret', () => {
  const kind = kindNamed('WebhookDelivery');
  const declared = { ...delivery, authorization: 'Bearer old-canary' };
  const ignored = ignoredPaths(['authorization']);
  const rotated = { ...declared, authorization: 'Bearer new-canary' };

  it('stays as someone has rotated it, and is never overwritten together with another change', async () => {
    const state = await up(test, kind, declared);
    await put('deliveries', rotated);
    const secret = (await registered('deliveries')) as { authorization: unknown };
    expect(await diffResource(test.open(), kind, state, declared, { ignored })).toMatchObject({ hasChanges: false });
    const changed = { ...declared, compression: 'none' };
    const error = await updateResource(test.open(), kind, 'id', state, changed, { ignored }).catch((thrown) => thrown);
    expect(formatFor('pulumi', problemsFrom(error))).toMatch(/authorization[\s\S]*another secret[\s\S]*reference/);
    expect(await registered('deliveries')).toMatchObject(secret);
    const known = { ...rotated, compression: 'none' };
    await updateResource(test.open(), kind, 'id', state, known, { ignored });
    expect(await registered('deliveries')).toMatchObject({ compression: 'none' });
  });
});

it('refuses live values that do not fit the other properties, and names the option', async () => {
  const kind = kindNamed('CollectorSchedule');
  const state = await up(test, kind, schedule);
  const { cron: _, ...rest } = schedule;
  await put('schedules', { ...rest, every: '1h' });
  const ignored = ignoredPaths(['cron']);
  const diff = diffResource(test.open(), kind, state, schedule, { ignored });
  const error = await updateResource(test.open(), kind, 'id', state, schedule, { ignored }).catch((thrown) => thrown);
  await diff;
  expect(formatFor('pulumi', problemsFrom(error))).toMatch(
    /`ignoreChanges` names \(cron\)[\s\S]*add the properties that belong together/,
  );
  const both = ignoredPaths(['cron', 'every']);
  expect(await diffResource(test.open(), kind, state, schedule, { ignored: both })).toMatchObject({
    hasChanges: false,
  });
});

it('reports a problem of a property that the program did not change in the diff, where it may be ignored', async () => {
  const kind = kindNamed('ZoneIpAllocation');
  const declared = { zones: { checkout: { ips } } };
  const state = await up(test, kind, declared);
  test.emulator.move(['192.0.2.12'], 'parked');
  const stack = test.open();
  const { problems } = await checkInputs(kind, declared, declared, () => stack);
  expect(problems).toEqual([]);
  const ignored = ignoredPaths(['zones.checkout']);
  expect(await diffResource(stack, kind, state, declared, { ignored })).toMatchObject({ hasChanges: false });
});

describe('values at paths', () => {
  it('takes over what cannot be separated', () => {
    const at = (path: string, own: Properties, live: Properties) => withValuesAt(ignoredPaths([path]), own, live);
    expect(at('a.b', { a: { b: 1, c: 2 } }, { a: { b: 3, c: 4 } })).toEqual({ a: { b: 3, c: 2 } });
    expect(at('a.b', { a: { b: 1, c: 2 } }, {})).toEqual({});
    expect(at('a.b', {}, { a: { b: 1, c: 2 } })).toEqual({ a: { b: 1 } });
    expect(at('a.b', { a: 'name' }, { a: { b: 1 } })).toEqual({ a: { b: 1 } });
    expect(at('a[0]', { a: ['x', 'y'] }, { a: ['y'] })).toEqual({ a: ['y'] });
    expect(at('a[0].b', { a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 3 }] })).toEqual({ a: [{ b: 3 }, { b: 2 }] });
    expect(at('a[1].b', { a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: 3 }] })).toEqual({ a: [{ b: 1 }] });
    expect(at('*.b', { a: { b: 1 }, c: { b: 2 } }, { a: { b: 3 }, c: {} })).toEqual({ a: { b: 3 }, c: {} });
  });
});
