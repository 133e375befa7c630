/** A ledger file without room, or that may not be written: what the probes, the API, the metrics and the alerts report. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { openServing, owner, type Serving, token } from './serving.ts';

let serving: Serving;

/** More than a free rest of a page holds. */
const large = {
  collector: 'c_prices',
  every: '1d',
  inputs: [{ url: `https://shop.example.com/${'a'.repeat(20_000)}` }],
};

beforeEach(async () => {
  serving = await openServing();
  await serving.schedule('nightly');
});

afterEach(() => serving[Symbol.asyncDispose]());

it.each([
  [
    'has no room',
    'PRAGMA max_page_count = 1',
    'PRAGMA max_page_count = 1000000',
    'store-full',
    'no space is left on its disk',
  ],
  ['is read-only', 'PRAGMA query_only = 1', 'PRAGMA query_only = 0', 'store-read-only', 'it cannot be written'],
])('a store that %s is not ready, although it can be read', async (_, breaks, mends, code, cause) => {
  const ready = async () => {
    const answer = await fetch(`${serving.url}/readyz`);
    return { status: answer.status, body: await answer.json() };
  };
  await serving.database.query(breaks);
  const problem = { code, found: expect.stringContaining(`the store ${serving.database.name}: ${cause}`) };
  await eventually(async () => expect(await ready()).toMatchObject({ status: 503, body: { error: [problem] } }));
  expect((await fetch(`${serving.url}/healthz`)).status).toBe(200);
  expect(await serving.call('GET', '/v1/owners')).toMatchObject({ status: 200 });
  expect(await serving.call('PUT', `/v1/owners/${owner}/schedules/large`, large)).toMatchObject({
    status: 503,
    body: { error: [problem] },
  });
  const headers = { authorization: `Bearer ${token}` };
  const metrics = await (await fetch(`${serving.url}/metrics`, { headers })).text();
  expect(metrics).toContain('webdata_triggers_store_up 0');
  expect(metrics).toMatch(
    new RegExp(`^webdata_triggers_store_problem\\{code="${code}",cause="the store .*${cause}.*"\\} 1$`, 'm'),
  );
  expect(metrics).toContain('webdata_triggers_schedules 1');

  await serving.database.query(mends);
  await eventually(async () => expect(await ready()).toMatchObject({ status: 200 }));
  expect(await serving.database.query(`SELECT id FROM runs WHERE schedule_id LIKE 'probe%'`)).toEqual([]);
});
