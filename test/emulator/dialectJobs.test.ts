/** The dialect of collectors and datasets: triggers, results, failures and deliveries. */
import { describe, expect, test } from 'vitest';
import type { AccountInput } from '../../src/emulator/index.ts';
import { eventually } from '../eventually.ts';
import { get, send, start } from './helpers.ts';
import { receiver } from './receiver.ts';
import { movedClock, shop, started, trigger } from './runs.ts';

type Dialect = NonNullable<AccountInput['dialect']>;

const account = {
  id: 'hl_example',
  collectors: { c_prices: { seconds: 10 }, c_broken: { seconds: 10, fails: 'the site is gone' } },
  datasets: { gd_companies: { seconds: 10 }, gd_broken: { seconds: 10, fails: 'the site is gone' } },
} satisfies AccountInput;

async function open(dialect: Dialect) {
  const { clock, pass } = movedClock();
  const emulator = await start({ ...account, dialect }, { clock });
  const collect = (dataset: string) =>
    send('POST', `${emulator.apiUrl}/datasets/v3/trigger?dataset_id=${dataset}`, {
      key: emulator.keys.user,
      json: shop,
    });
  return { emulator, pass, collect };
}

describe('a trigger', () => {
  test.each([
    ['missing', undefined],
    ['null', null],
    ['seconds', Date.parse('2026-03-01T12:00:00Z') / 1000],
    ['words', 'in a moment'],
  ] as const)('with %s as start_eta', async (startEta, value) => {
    const { emulator } = await open({ triggerAnswers: { startEta, collectorId: 'response_id', status: 202 } });
    const { status, body } = await trigger(emulator, 'collector=c_prices');
    expect([status, body]).toEqual([202, { response_id: expect.stringMatching(/^j_/), start_eta: value }]);
  });

  test('of a dataset with another field for its ID', async () => {
    const { collect } = await open({ triggerAnswers: { snapshotId: 'id', status: 201 } });
    expect(await collect('gd_companies')).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^s_/) } });
  });
});

describe('a result', () => {
  test('is unknown at first, then has the states and the status of the dialect until it is ready', async () => {
    const { emulator, pass } = await open({
      results: { states: ['queued', 'digesting'], unknownSeconds: 2 },
      errors: { 'job-building': { status: 202, body: { state: '{detail}' }, headers: { 'retry-after': '1' } } },
    });
    const id = await started(emulator, 'collector=c_prices&queue_next=1');
    const result = () => get(emulator, `/dca/dataset?id=${id}`);
    expect((await result()).status).toBe(404);
    pass(2);
    const { status, body, headers } = await result();
    expect([status, body, headers.get('retry-after')]).toEqual([202, { state: 'queued' }, '1']);
    pass(4);
    expect((await result()).body).toEqual({ state: 'digesting' });
    pass(4);
    expect((await result()).body).toHaveLength(2);
  });

  test.each<[NonNullable<NonNullable<Dialect['errors']>['job-building']>, string]>([
    [{ status: 204, body: '' }, ''],
    [{ status: 409, body: null }, 'null'],
    [{ status: 425 }, '{"status":"building"}'],
    [{ body: '"Come back later"', headers: { 'content-type': 'application/json' } }, '"Come back later"'],
  ])('that is not ready is answered %j', async (wording, text) => {
    const { emulator } = await open({ errors: { 'job-building': wording, 'snapshot-building': wording } });
    const id = await started(emulator, 'collector=c_prices&queue_next=1');
    expect(await get(emulator, `/dca/dataset?id=${id}`)).toMatchObject({ status: wording.status ?? 200, text });
  });

  test('fails with the reason of the account file', async () => {
    const { emulator, pass, collect } = await open({
      errors: { 'snapshot-failed': { status: 410, body: { state: 'aborted', why: ['{detail}'] } } },
    });
    const id = await started(emulator, 'collector=c_broken&queue_next=1');
    const { snapshot_id } = (await collect('gd_broken')).body as { snapshot_id: string };
    pass(10);
    const failed = { status: 'failed', error: 'the site is gone' };
    expect(await get(emulator, `/dca/dataset?id=${id}`)).toMatchObject({ status: 200, body: failed });
    expect(await get(emulator, `/datasets/snapshots/${snapshot_id}/download`)).toMatchObject({
      status: 410,
      body: { state: 'aborted', why: ['the site is gone'] },
    });
    expect(emulator.runs().map(({ state }) => state)).toEqual(['failed', 'failed']);
  });
});

test('a delivery is preceded by an empty test POST, and begins with a byte order mark', async () => {
  const hooks = await receiver();
  const { emulator, pass } = await open({ delivery: { test: true }, byteOrderMark: true });
  const query = new URLSearchParams({
    dataset_id: 'gd_companies',
    endpoint: hooks.url,
    uncompressed_webhook: 'true',
    webhook_header_Authorization: 'Bearer some-token',
  });
  const url = `${emulator.apiUrl}/datasets/v3/trigger?${query}`;
  await send('POST', url, { key: emulator.keys.user, json: shop });
  pass(10);
  await eventually(() => expect(hooks.received).toHaveLength(2));
  const [empty, result] = hooks.received;
  expect([empty?.body.length, empty?.headers.authorization]).toEqual([0, 'Bearer some-token']);
  expect(result?.body.toString()).toMatch(/^\uFEFF\[/);
});
