/** `webdata collect` and `webdata snapshot` wait for results that services announce in their own ways, and never without end. */
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type Loopback, openLoopback, type Received, type Reply } from '../../client/loopback.ts';
import { type Harness, openHarness } from '../harness.ts';

const job: Reply = { body: { collection_id: 'j_1', start_eta: '2026-03-01T12:00:00.000Z' } };
const snapshot: Reply = { body: { snapshot_id: 's_1' } };
const rows: Reply = { body: [{ title: 'Item 1' }] };
const input = ['--input', 'url=https://shop.example.com/1'];
const collect = ['collect', 'c_prices', ...input, '--poll', '1'];

describe.concurrent('webdata collect', () => {
  it('shows a state that it does not know once, and waits for the rows', async () => {
    const collecting: Reply = { body: { status: 'collecting', message: 'page 3 of 9' } };
    await using world = await open(job, collecting, collecting, rows);
    const { code, stdout, stderr } = await world.webdata(...collect);
    expect([code, JSON.parse(stdout)]).toEqual([0, [{ title: 'Item 1' }]]);
    expect(stderr.match(/j_1: collecting, page 3 of 9/g)).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ['404', { status: 404, body: { error: 'Snapshot not found' } }],
    ['202', { status: 202 }],
    ['409', { status: 409, body: { error: 'Conflict' } }],
    ['425', { status: 425, body: 'Too Early' }],
    ['503', { status: 503, body: 'maintenance' }],
    ['a lost connection', { fault: 'drop' }],
  ])('waits on after %s right after the trigger', async (_what, reply) => {
    await using world = await open(job, reply, rows);
    const { code, stdout } = await world.webdata(...collect, '--retries', '0');
    expect([code, JSON.parse(stdout)]).toEqual([0, [{ title: 'Item 1' }]]);
    expect(triggersOf(world.server)).toHaveLength(1);
  });

  it.each([
    ['a collector', [], 'j_1', job],
    ['a dataset', ['--dataset', 'gd_companies'], 's_1', snapshot],
  ])('ends after --max-wait, and says how to wait on: %s', async (_what, dataset, id, triggered) => {
    await using world = await open(triggered, { body: { status: 'collecting' } });
    const target = dataset.length > 0 ? dataset : ['c_prices'];
    const args = ['collect', ...target, ...input, '--poll', '1', '--max-wait', '1s', '--output', 'rows.json'];
    const { code, stdout, stderr } = await world.webdata(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/has no result after the maximum wait of 1s \(\d polls?\): collecting/);
    expect(stderr).toContain(`fix: to resume without a new trigger, run \`webdata collect --resume ${id}\``);
    expect(await readdir(world.folder)).toEqual([]);
    expect(triggersOf(world.server)).toHaveLength(1);
  });

  it('ends with all the words of a job that failed, and does not offer to wait for it again', async () => {
    await using world = await open(job, { body: { status: 'failed', reason: 'blocked by the site', step: 7 } });
    const { code, stdout, stderr } = await world.webdata(...collect);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('the job failed: failed, blocked by the site, step: 7');
    expect(stderr).not.toContain('and triggers nothing');
  });

  it.each([401, 403])('ends at once on %i, even where the body says "not ready"', async (status) => {
    await using world = await open(job, { status, body: { error: 'Snapshot not ready' } });
    const { code, stdout } = await world.webdata(...collect);
    expect([code, stdout]).toEqual([1, '']);
    expect(world.server.requests).toHaveLength(2);
  });

  it('says how long results are kept where a run has no rows', async () => {
    await using world = await open({ body: [] });
    const { code, stdout, stderr } = await world.webdata('collect', '--resume', 'j_1');
    expect([code, stdout]).toEqual([0, '[]\n']);
    expect(stderr).toContain('kept for 16 days after they are ready (7 days for a real-time job)');
  });

  it.each([
    ['--poll', '0', 'It must be a whole number'],
    ['--poll', '3601', 'It must be at most 3600 seconds.'],
    ['--max-wait', 'forever', 'It must be a whole number of s, m, h or d'],
    ['--max-wait', '31d', 'at most 30d'],
    ['--max-wait', '0s', 'It must be a whole number of s, m, h or d'],
  ])('with %s %s triggers nothing', async (option, value, says) => {
    await using world = await open(job, rows);
    const { code, stderr } = await world.webdata('collect', 'c_prices', ...input, option, value);
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(world.server.requests).toEqual([]);
  });
});

describe.concurrent('webdata snapshot', () => {
  it('says what the service says of a snapshot that is not ready', async () => {
    await using world = await open({ body: { status: 'collecting', progress: 40 } });
    const { code, stderr } = await world.webdata('snapshot', 's_1');
    expect([code, stderr]).toEqual([1, expect.stringContaining('s_1 is not ready: collecting, progress: 40')]);
  });

  it('ends with --wait after --max-wait, and says how to wait on', async () => {
    await using world = await open({ status: 503, body: 'maintenance' });
    const args = ['--wait', '--poll', '1', '--max-wait', '1s', '--retries', '0'];
    const { code, stdout, stderr } = await world.webdata('snapshot', 's_1', ...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('was answered 503: maintenance');
    expect(stderr).toContain('fix: to wait again, run `webdata snapshot s_1 --wait`; --max-wait sets the longest time');
  });
});

interface World extends AsyncDisposable, Pick<Harness, 'webdata' | 'folder'> {
  server: Loopback;
}

/** A folder, and a service that answers from a script. */
async function open(...script: Reply[] | [(request: Received) => Reply]): Promise<World> {
  const harness = await openHarness({ id: 'hl_example' });
  const server = await openLoopback(...script);
  const env = { WEBDATA_API_URL: server.url };
  return {
    folder: harness.folder,
    server,
    webdata: (...args) => harness.webdataWith({ env }, ...args),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
}

function triggersOf({ requests }: Loopback): Received[] {
  return requests.filter(({ method }) => method === 'POST');
}
