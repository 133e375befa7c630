/** The open account, as public clients of such a service call it: with data sets, inputs and pages that no account file can list. */
import { expect, test } from 'vitest';
import { readAccount } from '../../src/emulator/index.ts';
import { exampleFile, get, send, start } from './helpers.ts';
import { movedClock } from './runs.ts';

test('a data set of any id takes any input, and its snapshot passes through its states', async () => {
  const { clock, pass } = movedClock();
  const emulator = await start(await readAccount(exampleFile('open')), { clock });
  const { apiUrl, keys } = emulator;
  const trigger = `${apiUrl}/datasets/v3/trigger?dataset_id=gd_l1viktl72bvl7bjuj0&include_errors=true`;
  const order = async (json: unknown) =>
    ((await send('POST', trigger, { key: keys.user, json })).body as { snapshot_id: string }).snapshot_id;
  const id = await order([{ keyword: 'pizza', limit: 5 }]);
  const cancelled = await order([{ url: 'https://shop.example.com/1' }]);
  const progress = async (of: string) => (await get(emulator, `/datasets/v3/progress/${of}`)).body;
  expect(await progress(id)).toEqual({ snapshot_id: id, dataset_id: 'gd_l1viktl72bvl7bjuj0', status: 'running' });
  expect(await get(emulator, `/datasets/v3/snapshot/${id}?format=json`)).toMatchObject({
    status: 202,
    body: { status: 'running' },
  });
  expect(await send('POST', `${apiUrl}/datasets/v3/snapshot/${cancelled}/cancel`, { key: keys.user })).toMatchObject({
    status: 200,
  });
  expect(await progress(cancelled)).toMatchObject({ status: 'failed' });
  pass(1);
  expect(await progress(id)).toMatchObject({ status: 'ready' });
  const row = { name: 'Item 1', price: 12.5, input: { keyword: 'pizza', limit: 5 } };
  expect((await get(emulator, `/datasets/v3/snapshot/${id}?format=json`)).body).toEqual([row]);
  expect((await get(emulator, `/datasets/v3/snapshot/${id}?format=jsonl`)).text).toBe(`${JSON.stringify(row)}\n`);
  expect((await get(emulator, '/datasets/v3/snapshot/s_unknown')).status).toBe(404);
});
