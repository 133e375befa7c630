/** Jobs, searches and schedules on the stranger account, which differs from the specification wherever a real one may: no profile is needed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, openHarness } from '../cli/harness.ts';
import { receiver } from '../emulator/receiver.ts';
import { eventually } from '../eventually.ts';

const input = ['--input', 'url=https://shop.example.com/1'];

describe('the stranger account, without a profile', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness('stranger');
  });
  afterAll(() => harness[Symbol.asyncDispose]());

  it('asns lists the ASNs of a zone', async () => {
    const { code, stdout } = await harness.webdata('asns', 'checkout', '--format', 'json');
    expect({ code, asns: JSON.parse(stdout) }).toEqual({ code: 0, asns: [expect.objectContaining({ asn: '64500' })] });
  });

  it('collect waits for the rows of a collector', async () => {
    const { code, stdout } = await harness.webdata('collect', 'c_prices', ...input, '--poll', '1');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([{ title: 'Item 1', from: 'https://shop.example.com/1', price: 12.5 }]);
  });

  it('snapshot waits for the rows of a dataset, and never takes a notice for them', async () => {
    const { stdout: id } = await harness.webdata('collect', '--dataset', 'gd_companies', ...input, '--no-wait');
    // For a moment the service does not know it.
    const notReady = { code: 1, stdout: '', stderr: expect.stringContaining('Snapshot is not ready yet') };
    const early = () => harness.webdata('snapshot', id.trim());
    await eventually(async () => expect(await early()).toMatchObject(notReady));
    const { code, stdout } = await harness.webdata('snapshot', id.trim(), '--wait', '--poll', '1');
    expect({ code, rows: JSON.parse(stdout) }).toMatchObject({ code: 0, rows: [{ name: 'Company 1' }] });
  });

  it.each([
    ['c_broken', ['c_broken']],
    ['gd_broken', ['--dataset', 'gd_broken']],
  ])('collect ends with the reason of the failure of %s', async (_, which) => {
    const failed = await harness.webdata('collect', ...which, ...input, '--poll', '1');
    expect(failed).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('the site refuses every request'),
    });
  });

  it('search keeps a page with nulls, texts and missing lists', async () => {
    // The address of the search engine is a setting: no answer of the service contains it.
    await harness.write('search.yaml', 'service: { profile: { searchEngineUrl: "https://search.example.com" } }\n');
    const { code, stdout } = await harness.webdata('search', 'grand hotel', '--zone', 'results', '-f', 'search.yaml');
    const [page] = JSON.parse(stdout) as { organic: unknown[]; images: unknown[] }[];
    expect([code, page?.organic, page?.images]).toEqual([0, [expect.objectContaining({ title: null, rank: 1 })], []]);
  });

  it.each([
    ['collector: c_prices', 'j_'],
    ['dataset: gd_companies', 's_'],
  ])('a scheduled run of %s finishes, and its result is delivered', async (what, prefix) => {
    const hook = await receiver();
    const interrupt = new AbortController();
    const env = {
      WEBDATA_TRIGGERS_TOKEN: 'token-of-the-tests-0123456789',
      HOOK: 'Bearer some-hook-token',
      WEBDATA_TRIGGERS_KEY: Buffer.alloc(32, 1).toString('base64'),
    };
    const ready = `ready-${prefix}.json`;
    const store = ['--store', `${prefix}.db`, '--allow-private-endpoints'];
    const served = harness.webdataWith(
      { env, signal: interrupt.signal },
      ...['triggers', 'serve', '--port', '0', '--ready-file', ready, ...store],
    );
    const read = async () => JSON.parse(await harness.read(ready)).url as string;
    const url = await eventually(read);
    const webdata = (...args: string[]) => harness.webdataWith({ env: { ...env, WEBDATA_TRIGGERS_URL: url } }, ...args);
    await harness.write(
      'schedule.yaml',
      `name: acme
webhookDeliveries: { results: { endpoint: "${hook.url}", authorization: "\${HOOK}" } }
collectorSchedules:
  yearly: { ${what}, cron: "0 3 1 1 *", inputs: [{ url: "https://shop.example.com/a" }], delivery: results }
`,
    );
    expect(await webdata('apply', '--yes', '-f', 'schedule.yaml')).toMatchObject({ code: 0 });
    const now = await webdata('triggers', 'run-now', 'yearly', '--yes', '--owner', 'acme');
    const [, run = ''] = /(r_\w+)/.exec(now.stdout) ?? [];
    const shown = async () => JSON.parse((await webdata('triggers', 'show', run, '--format', 'json')).stdout).run;
    await eventually(async () => expect(await shown()).toMatchObject({ state: 'finished' }));
    expect(await shown()).toMatchObject({ rows: 1 });
    await eventually(() => expect(hook.received.length).toBeGreaterThan(1));
    expect(hook.received.at(-1)?.headers.authorization).toBe('Bearer some-hook-token');
    interrupt.abort();
    expect(await served).toMatchObject({ code: 0 });
  });
});
