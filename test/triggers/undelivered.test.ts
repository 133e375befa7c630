/** `reportedWithin` of a delivery: a receiver reports what it has stored, and a run whose rows did not arrive needs a person. */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/triggers/store/open.ts';
import { openHarness } from '../cli/harness.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../freePort.ts';
import { moveClock } from './moveClock.ts';

const rows = [{ title: 'Price of a', input: { url: 'a' } }];

async function setting() {
  const harness = await openHarness({
    id: 'hl_1',
    collectors: { c_prices: { seconds: 0, row: { title: 'Price of {url}' } } },
    dialect: { delivery: { attempts: 30, firstDelayMs: 1 } },
  });
  onTestFinished(() => harness[Symbol.asyncDispose]());
  const port = await freePort();
  await harness.write(
    'webdata.yaml',
    `name: acme
triggers: { store: ./triggers.db }
webhookDeliveries:
  results: { endpoint: "http://127.0.0.1:${port}/{owner}/{schedule}/{tick}.{run}", reportedWithin: 1h }
collectorSchedules:
  nightly: { collector: c_prices, every: 1d, inputs: [{ url: a }], delivery: results, alerts: { endpoint: https://hooks.example.com } }
`,
  );
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  const order = async () => {
    const { stdout } = await harness.webdata('triggers', 'run-now', 'nightly', '--yes');
    await harness.webdata('triggers', 'round', '--allow-private-endpoints');
    return stdout.split(' ')[0] ?? '';
  };
  const stored = async <T>(work: (database: Awaited<ReturnType<typeof openStore>>) => Promise<T>) => {
    const database = await openStore(join(harness.folder, 'triggers.db'));
    return work(database).finally(() => database.close());
  };
  return {
    ...harness,
    port,
    order,
    stored,
    async roundAfter(seconds: number) {
      await stored((database) => moveClock(database, seconds * 1000));
      return harness.webdata('triggers', 'round', '--allow-private-endpoints');
    },
    run: async (id: string) =>
      JSON.parse((await harness.webdata('triggers', 'show', id, '--format', 'json')).stdout).run,
  };
}

it('a run whose rows did not arrive is undelivered, alerts, and is finished once they are fetched', async () => {
  const { order, roundAfter, run, webdata, stored } = await setting();
  const id = await order();
  expect((await roundAfter(10)).stdout).toContain(`${id} is finished (1 row)`);
  expect(await roundAfter(1800)).toMatchObject({ code: 0 });
  const missed = await roundAfter(7200);
  expect(missed).toMatchObject({ code: 1, stderr: expect.stringContaining(`${id} is undelivered (no receiver`) });
  expect(await stored((database) => database.query('SELECT why FROM alerts'))).toEqual([{ why: 'undelivered' }]);
  const drift = await webdata('drift');
  expect([drift.code, drift.stdout.replaceAll(/\s+/g, ' ')]).toEqual([
    2,
    expect.stringContaining(`did not arrive. Get them with \`webdata triggers fetch ${id}\``),
  ]);
  expect(await webdata('triggers', 'report')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('undelivered'),
  });
  const { ended, ...fetched } = { ended: (await run(id)).endedAt, ...(await webdata('triggers', 'fetch', id)) };
  expect({ code: fetched.code, rows: JSON.parse(fetched.stdout) }).toEqual({ code: 0, rows });
  expect(await run(id)).toMatchObject({ state: 'finished', endedAt: ended, deliveredAt: expect.any(Number) });
  expect(await roundAfter(7300)).toMatchObject({ code: 0 });
});

it('a run whose rows the service no longer has stays undelivered, and can be closed', async () => {
  const { order, roundAfter, run, webdata, emulator } = await setting();
  const id = await order();
  await roundAfter(10);
  await roundAfter(7200);
  emulator.addFault({ route: 'dca/dataset', fault: { kind: 'status', status: 200, body: [] } });
  const closing = `webdata triggers resolve ${id} --lost`;
  expect(await webdata('triggers', 'fetch', id)).toMatchObject({ code: 1, stderr: expect.stringContaining(closing) });
  expect(await run(id)).toMatchObject({ state: 'undelivered', deliveredAt: null });
  expect(await webdata('triggers', 'resolve', id, '--lost')).toMatchObject({ code: 0 });
  expect(await run(id)).toMatchObject({ state: 'lost' });
});

it.each([
  ['the store', false],
  ['the trigger service', true],
])('a receiver reports to %s what it has stored', async (_, overHttp) => {
  const { order, roundAfter, run, port, webdataWith, read } = await setting();
  const stopping = new AbortController();
  const env = { WEBDATA_TRIGGERS_TOKEN: 'token-of-the-tests-0123456789' };
  const at = { signal: stopping.signal, env };
  const served = overHttp
    ? webdataWith(at, 'triggers', 'serve', '--port', '0', '--ready-file', 'ready.json', '--allow-private-endpoints')
    : undefined;
  const address = overHttp
    ? await eventually(async () => JSON.parse(await read('ready.json')).url as string)
    : './triggers.db';
  const receiving = webdataWith(at, 'receive', '--folder', 'in', '--port', `${port}`, '--report-to', address);
  const id = await order();
  await eventually(async () => expect((await run(id)).deliveredAt).toEqual(expect.any(Number)));
  await roundAfter(10);
  expect(await roundAfter(7200)).toMatchObject({ code: 0 });
  expect(await run(id)).toMatchObject({ state: 'finished', rows: 1 });
  stopping.abort();
  await Promise.all([receiving, served]);
});

it('a delivery that cannot be reported is stored, and is not acknowledged until it can be', async () => {
  const { order, run, port, webdataWith, emulator, stored } = await setting();
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const away = `http://127.0.0.1:${await freePort()}`;
  const env = { WEBDATA_TRIGGERS_TOKEN: 'token-of-the-tests-0123456789' };
  const more = { signal: stopping.signal, env };
  const receiving = webdataWith(more, 'receive', '--folder', 'in', '--port', `${port}`, '--report-to', away);
  const id = await order();
  await eventually(() => expect(JSON.stringify(emulator.deliveries())).toContain('503'));
  expect((await run(id)).deliveredAt).toBeNull();
  stopping.abort();
  const { stderr } = await receiving;
  expect(stderr).toMatch(/"reason":"not-reported","message":"[^"]*127\.0\.0\.1/);
  expect(await stored((database) => database.query('SELECT delivered_at FROM runs'))).toEqual([{ delivered_at: null }]);
});

it.each([
  '',
  '/{run}/rows',
  '/rows-of-{run}',
  '?id={run}',
  '/a/b/c/d/e/f/g/{run}',
])('an endpoint in which the receiver does not find the run is refused: /in%s', async (rest) => {
  await using harness = await openHarness({ id: 'hl_1' });
  await harness.write(
    'webdata.yaml',
    `name: acme\nwebhookDeliveries: { results: { endpoint: "https://hooks.example.com/in${rest}", reportedWithin: 1h } }\n`,
  );
  expect(await harness.webdata('validate')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('allowed: an `endpoint` that ends with the part `{run}`'),
  });
});
