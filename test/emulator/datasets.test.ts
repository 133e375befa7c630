/** Area C of the emulator: snapshots in three formats, and what is said where there is none. */
import { describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/index.ts';
import { get, send, start } from './helpers.ts';
import { running, shop } from './runs.ts';

const companies = [{ url: 'https://companies.example.com/one' }];

describe('a trigger', () => {
  test.each<[string, unknown, number, string]>([
    ['dataset_id=gd_other', companies, 404, 'Dataset not found: gd_other'],
    ['dataset_id=gd_many&format=xml', companies, 400, 'Bad request: format is not json, ndjson, csv'],
    ['dataset_id=gd_many', { url: 'x' }, 400, 'Bad request: the body is not an array'],
    ['dataset_id=gd_many', [{}], 400, 'Bad request: input 0: url is required'],
  ])('%s with %j is refused', async (query, json, status, text) => {
    const { apiUrl, keys } = await start(running);
    const url = `${apiUrl}/datasets/v3/trigger?${query}`;
    expect(await send('POST', url, { key: keys.user, json })).toMatchObject({ status, text });
  });
});

describe('a snapshot', () => {
  test('comes as json, ndjson and csv', async () => {
    const emulator = await start(running);
    const id = await collected(emulator, 'gd_many');
    const rows = [1, 2, 3].map((n) => ({
      name: `Company ${n}`,
      note: 'a "quoted", long\nnote',
      input: shop[(n - 1) % 2],
    }));
    expect((await download(emulator, id)).body).toEqual(rows);
    const lines = (await download(emulator, id, 'ndjson')).text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
    expect((await download(emulator, id, 'csv')).text.split('\r\n').slice(0, 2)).toEqual([
      'name,note,input',
      'Company 1,"a ""quoted"", long\nnote","{""url"":""https://shop.example.com/1""}"',
    ]);
  });

  test('is compressed if the client accepts it', async () => {
    const emulator = await start(running);
    const id = await collected(emulator, 'gd_many');
    const raw = async (encoding: string) => {
      const response = await fetch(`${emulator.apiUrl}/datasets/snapshots/${id}/download`, {
        headers: { authorization: `Bearer ${emulator.keys.user}`, 'accept-encoding': encoding },
      });
      return [response.headers.get('content-encoding'), ((await response.json()) as unknown[]).length];
    };
    expect(await raw('gzip')).toEqual(['gzip', 3]);
    expect(await raw('identity')).toEqual([null, 3]);
  });
});

async function collected(emulator: Emulator, dataset: string): Promise<string> {
  const url = `${emulator.apiUrl}/datasets/v3/trigger?dataset_id=${dataset}`;
  const { body } = await send('POST', url, { key: emulator.keys.user, json: shop });
  return (body as { snapshot_id: string }).snapshot_id;
}

const download = (emulator: Emulator, id: string, format = 'json') =>
  get(emulator, `/datasets/snapshots/${id}/download?format=${format}`);
