/** `keep` of a schedule, with rounds, and of `collect`: the rows of each run are in one file before the run is finished. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openStore } from '../../src/triggers/store/open.ts';
import { createRowKeeper } from '../../src/triggers/worker/rowKeeper.ts';
import { openHarness, type Result } from '../cli/harness.ts';
import { hasMoto, startMoto } from '../engine/backend/moto.ts';
import { eventually } from '../eventually.ts';
import { moveClock } from './moveClock.ts';

const urls = ['https://shop.example.com/a', 'https://shop.example.com/b'];

async function setting(fields: string, env: Record<string, string> = {}) {
  const harness = await openHarness({
    id: 'hl_1',
    collectors: { c_prices: { seconds: 0, row: { title: 'Price of {url}', price: 12.5 } } },
  });
  onTestFinished(() => harness[Symbol.asyncDispose]());
  const webdata = (...args: string[]) => harness.webdataWith({ env }, ...args);
  const declare = async (inputs: readonly string[]) => {
    const list = JSON.stringify(inputs.map((url) => ({ url })));
    await harness.write(
      'webdata.yaml',
      `name: acme\ntriggers: { store: ./triggers.db }\ncollectorSchedules:\n  nightly: { collector: c_prices, every: 1d, inputs: ${list}, ${fields} }\n`,
    );
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  };
  await declare(urls);
  let offset = 0;
  return {
    ...harness,
    webdata,
    declare,
    async order(): Promise<string> {
      const { stdout } = await webdata('triggers', 'run-now', 'nightly', '--yes');
      return stdout.split(' ')[0] ?? '';
    },
    async round(seconds = 0): Promise<Result> {
      const database = await openStore(join(harness.folder, 'triggers.db'));
      offset += seconds * 1000;
      await moveClock(database, offset);
      await database.close();
      return webdata('triggers', 'round');
    },
    async run(id: string) {
      return JSON.parse((await webdata('triggers', 'show', id, '--format', 'json')).stdout).run;
    },
    files: (folder: string) => readdir(join(harness.folder, folder)),
  };
}

const price = (url: string | undefined) => ({ title: `Price of ${url}`, price: 12.5, input: { url } });

it.each([
  ['keep: ./deliveries', 'ndjson', urls.map((url) => `${JSON.stringify(price(url))}\n`).join('')],
  [
    'keep: { to: deliveries/, format: json }',
    'json',
    `[\n${urls.map((url) => JSON.stringify(price(url))).join(',\n')}\n]\n`,
  ],
  [
    'keep: { to: ./deliveries, format: csv }',
    'csv',
    `title,price,input\r\n${urls.map((url) => `Price of ${url},12.5,"{""url"":""${url}""}"\r\n`).join('')}`,
  ],
])('%s: one file for a run, named by its tick', async (fields, extension, content) => {
  const { order, round, run, files, read } = await setting(fields);
  const id = await order();
  expect(await round()).toMatchObject({ code: 0 });
  expect((await round(10)).stdout).toMatch(new RegExp(`${id} is finished \\(2 rows, kept in \\S+\\.${extension}\\)`));
  const [file = '', ...others] = await files('deliveries/nightly');
  expect(file).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ\\.${id}\\.${extension}$`));
  expect(others).toEqual([]);
  expect(await read(`deliveries/nightly/${file}`)).toBe(content);
  expect((await run(id)).kept).toMatch(new RegExp(`deliveries/nightly/${file}$`));
  expect(await files('deliveries/.receiving')).toEqual([]);
});

it('a server serves the kept rows of a run to programs with its token', async () => {
  const { order, round, webdataWith, read, files, folder } = await setting('keep: ./deliveries');
  const id = await order();
  await round();
  await round(10);
  const stopping = new AbortController();
  const env = { WEBDATA_TRIGGERS_TOKEN: 'token-of-the-tests-0123456789' };
  const args = ['triggers', 'serve', '--port', '0', '--ready-file', 'ready.json'];
  const served = webdataWith({ signal: stopping.signal, env }, ...args);
  const url = await eventually(async () => JSON.parse(await read('ready.json')).url as string);
  const get = (run: string, token = env.WEBDATA_TRIGGERS_TOKEN) =>
    fetch(`${url}/v1/runs/${run}/rows`, { headers: { authorization: `Bearer ${token}` } });
  const answer = await get(id);
  const [file = ''] = await files('deliveries/nightly');
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, expect.stringContaining(file)]);
  expect(await answer.text()).toBe(await read(`deliveries/nightly/${file}`));
  await rm(join(folder, 'deliveries/nightly'), { recursive: true });
  expect([(await get(id)).status, (await get('r_none')).status, (await get(id, 'x')).status]).toEqual([404, 404, 401]);
  stopping.abort();
  await served;
});

it.skipIf(!hasMoto)('a bucket has one object for a run, and one for a job of collect', async () => {
  await using moto = await startMoto();
  for (const [name, value] of Object.entries(moto.env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { order, round, webdata, emulator } = await setting(`keep: "s3://${moto.bucket}/nights"`, moto.env);
  const id = await order();
  await round();
  const { stdout } = await round(10);
  const [, kept = ''] =
    new RegExp(`${id} is finished \\(2 rows, kept in s3://${moto.bucket}/(\\S+)\\)`).exec(stdout) ?? [];
  expect(kept).toMatch(new RegExp(`^nights/nightly/\\d{4}-\\d\\d-\\d\\dT[\\d-]+Z\\.${id}\\.ndjson$`));
  const line = (url: string) => `${JSON.stringify(price(url))}\n`;
  expect(await moto.text(kept)).toBe(urls.map(line).join(''));
  const keeper = createRowKeeper({ folder: '/', env: moto.env });
  const keep = { to: `s3://${moto.bucket}/nights`, format: 'ndjson' } as const;
  const rows = await keeper.read(keep, `s3://${moto.bucket}/${kept}`);
  expect(String(Buffer.concat((await rows?.toArray()) ?? []))).toBe(urls.map(line).join(''));
  expect(await keeper.read(keep, `${keep.to}/gone`)).toBeUndefined();
  await keeper.close();
  const once = ['--keep', `s3://${moto.bucket}/once`, '--format', 'ndjson'];
  const collected = await webdata('collect', 'c_prices', '--input', 'url=a', ...once);
  const job = emulator.runs().at(-1)?.id;
  expect(collected).toMatchObject({ code: 0, stdout: `s3://${moto.bucket}/once/${job}.ndjson\n` });
  expect(await moto.text(`once/${job}.ndjson`)).toBe(line('a'));
});

it('collect --keep: one file for a job, also if it is resumed; a place that cannot be written triggers nothing', async () => {
  const { webdata, emulator, files, folder, read } = await setting('keep: ./deliveries');
  const collect = (...args: string[]) => webdata('collect', ...args, '--keep', './once', '--format', 'csv');
  const first = await collect('c_prices', '--input', 'url=a');
  const job = emulator.runs().at(-1)?.id ?? '';
  expect(first).toMatchObject({ code: 0, stdout: `./once/${job}.csv\n` });
  expect(await collect('--resume', job)).toMatchObject({ code: 0, stdout: first.stdout });
  expect(await files('once')).toEqual(['.receiving', `${job}.csv`]);
  expect(await read(`once/${job}.csv`)).toContain('Price of a');
  await rm(join(folder, 'once'), { recursive: true });
  await writeFile(join(folder, 'once'), 'in the way');
  const before = emulator.runs().length;
  const refused = await collect('c_prices', '--input', 'url=a');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('the rows could not be kept') });
  expect(emulator.runs()).toHaveLength(before);
  const twice = await webdata('collect', 'c_prices', '--input', 'url=a', '--keep', './x', '--no-wait');
  expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining('--keep and --no-wait exclude each other') });
});

it('a place that cannot be written: the run waits for it, alerts, and is finished when it can be', async () => {
  const { order, round, run, files, folder, webdata } = await setting(
    'keep: ./deliveries, overlap: skip, alerts: { endpoint: https://hooks.example.com }',
  );
  await writeFile(join(folder, 'deliveries'), 'in the way');
  const id = await order();
  await round();
  const unkept = await round(10);
  expect(unkept).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${id} is unkept (the rows could not be kept`),
  });
  expect(await run(id)).toMatchObject({ state: 'unkept', kept: null, endedAt: null });
  const database = await openStore(join(folder, 'triggers.db'));
  expect(await database.query('SELECT run_id, why FROM alerts')).toEqual([{ run_id: id, why: 'unkept' }]);
  await database.close();
  expect(await webdata('drift')).toMatchObject({ code: 2, stdout: expect.stringContaining('could not be kept') });
  // A later run does not wait for it, and it is not given up.
  const later = await order();
  expect((await round(100_000)).stdout).toContain(`${later} is running`);
  await rm(join(folder, 'deliveries'));
  await mkdir(join(folder, 'deliveries'));
  await round(3600);
  expect([(await run(id)).state, (await run(later)).state]).toEqual(['finished', 'finished']);
  const kept = (await files('deliveries/nightly')).map((file) => file.split('.')[1]);
  expect(kept.sort()).toEqual([id, later].sort());
});

it.each([
  ['expectRows: 3', 'fewer than 3'],
  ['expectRows: "80%"', 'fewer than 80% of the usual 2 rows'],
])('%s: a result with fewer is no good run, and its rows are kept', async (fields, why) => {
  const { order, round, run, files, declare, read } = await setting(`keep: ./deliveries, ${fields}`);
  if (fields.includes('%')) {
    await order();
    await round();
    expect(await round(10)).toMatchObject({ code: 0 });
    await declare(urls.slice(1));
  }
  const id = await order();
  expect(await round()).toMatchObject({ code: 0 });
  const ended = await round(10);
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(`${id} is few-rows`) });
  expect(ended.stderr).toContain(why);
  expect((await run(id)).state).toBe('few-rows');
  const [kept = ''] = (await files('deliveries/nightly')).filter((file) => file.includes(id));
  expect(await read(`deliveries/nightly/${kept}`)).toContain('shop.example.com');
});

it.each([
  '/srv/rows',
  '../rows',
  'deliveries/../../rows',
  '~/rows',
  's3://',
  'https://a.example/rows',
])('keep: %s is refused', async (address) => {
  await using harness = await openHarness({ id: 'hl_1' });
  await harness.write(
    'webdata.yaml',
    `name: acme\ncollectorSchedules:\n  nightly: { collector: c_prices, every: 1d, inputs: [{ url: x }], keep: "${address}" }\n`,
  );
  const { code, stderr } = await harness.webdata('validate');
  expect(code).toBe(1);
  expect(stderr).toContain('allowed: a folder below that of the declaration');
});
