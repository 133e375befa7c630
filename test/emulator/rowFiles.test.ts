/** Rows that come from a file, one object a line. */
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { type Emulator, readAccount } from '../../src/emulator/index.ts';
import { temporaryFile } from '../temporary.ts';
import { get, send, start } from './helpers.ts';
import { jsonOf, receiver } from './receiver.ts';
import { movedClock, shop, started } from './runs.ts';

const [one, two] = shop;

async function fileOf(text: string): Promise<string> {
  const file = temporaryFile('rows.ndjson');
  await writeFile(file, text);
  return file;
}

async function open(rows: string, seconds = 0) {
  const { clock, pass } = movedClock();
  const account = { id: 'hl_example', collectors: { c_a: { rows, seconds } }, datasets: { gd_a: { rows } } };
  return { emulator: await start(account, { clock }), pass };
}

async function snapshot(emulator: Emulator, format: string, more = '') {
  const url = `${emulator.apiUrl}/datasets/v3/trigger?dataset_id=gd_a${more}`;
  const { body } = await send('POST', url, { key: emulator.keys.user, json: shop });
  return get(
    emulator,
    `/datasets/snapshots/${(body as { snapshot_id: string }).snapshot_id}/download?format=${format}`,
  );
}

test('are returned by every run in each format, and repeat its inputs in turn', async () => {
  const { emulator } = await open(await fileOf('{"name":"Größe"}\r\n\n{"name":"b","n":2}\n{"name":"c"}'));
  const rows = [
    { name: 'Größe', input: one },
    { name: 'b', n: 2, input: two },
    { name: 'c', input: one },
  ];
  expect((await get(emulator, `/dca/dataset?id=${await started(emulator, 'collector=c_a')}`)).body).toEqual(rows);
  expect((await snapshot(emulator, 'json')).body).toEqual(rows);
  expect((await snapshot(emulator, 'ndjson')).text).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const lines = (await snapshot(emulator, 'csv')).text.split('\r\n');
  expect([lines[0], lines[2]?.startsWith('b,"{""url""')]).toEqual(['name,input', true]);
});

test('may be larger than one read of the file', async () => {
  const note = 'é'.repeat(1000);
  const texts = Array.from({ length: 2000 }, (_, n) => JSON.stringify({ n, note }));
  const { emulator } = await open(await fileOf(`${texts.join('\n')}\n`));
  const rows = (await snapshot(emulator, 'json')).body as { n: number; note: string }[];
  expect(rows.map(({ n }) => n)).toEqual(texts.map((_, n) => n));
  expect(rows.every((row) => row.note === note)).toBe(true);
});

test('may be none', async () => {
  const { emulator } = await open(await fileOf(''));
  expect((await snapshot(emulator, 'json')).body).toEqual([]);
  expect((await snapshot(emulator, 'csv')).text).toBe('');
});

test('are cut off when the run reaches its maximum duration', async () => {
  const lines = Array.from({ length: 100 }, (_, n) => `{"n":${100 + n}}\n`).join('');
  const { emulator, pass } = await open(await fileOf(lines), 10);
  const id = await started(emulator, 'collector=c_a&deadline=3s');
  pass(3);
  expect((await get(emulator, `/dca/dataset?id=${id}`)).body).toHaveLength(30);
});

test('are delivered too', async () => {
  const hook = await receiver(200);
  const { emulator } = await open(await fileOf('{"n":1}\n{"n":2}\n'));
  const { body } = await snapshot(emulator, 'json', `&endpoint=${hook.url}`);
  await expect.poll(() => hook.received.map(jsonOf)).toEqual([body]);
});

test('that cannot be read are reported, and are not delivered', async () => {
  const hook = await receiver(200);
  const { emulator } = await open('/nowhere/rows.ndjson');
  const text = 'Bad request: rows: /nowhere/rows.ndjson cannot be read: ENOENT';
  expect(await snapshot(emulator, 'json', `&endpoint=${hook.url}`)).toMatchObject({ status: 400, text });
  await expect.poll(() => emulator.deliveries()).toMatchObject([{ attempts: ['unreadable'] }]);
  expect(hook.received).toEqual([]);
});

test.each([
  ['{"n":1}\n[2]\n'],
  ['{"n":1}\n{"n":'],
])('%j breaks the answer off, and the run says at which line', async (text) => {
  const file = await fileOf(text);
  const { emulator } = await open(file);
  const id = await started(emulator, 'collector=c_a');
  await expect(get(emulator, `/dca/dataset?id=${id}`)).rejects.toThrow();
  expect(emulator.runs()).toMatchObject([{ id, problem: `${file}:2: not a JSON object` }]);
  const hook = await receiver(200);
  const deliver = JSON.stringify({ type: 'webhook', endpoint: hook.url });
  await started(emulator, `${new URLSearchParams({ collector: 'c_a', deliver })}`);
  await expect.poll(() => emulator.deliveries()[0]?.attempts[0]).toBe('unreadable');
});

test('are named relative to the account file', async () => {
  const file = await fileOf('{"n":1}\n');
  const account = `${dirname(file)}/account.yaml`;
  await writeFile(account, 'id: hl_example\ndatasets: { gd_a: { rows: ./rows.ndjson } }\n');
  expect((await snapshot(await start(await readAccount(account)), 'json')).body).toEqual([{ n: 1, input: one }]);
});
