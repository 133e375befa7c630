/** Deliveries and schedules from YAML: planned, registered, changed, drifted, pruned, pulled, taken back. */
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sameSecret } from '../../src/triggers/secrets.ts';
import { owner, webhook, yearly } from '../triggers/serving.ts';
import { canary, nightly, openRegistering, type Registering, results } from './registrations.ts';

const cron = 'cron: "0 3 * * *"';

/** Both are registered as they are declared. */
async function openApplied(): Promise<Registering> {
  const registering = await openRegistering();
  await registering.declare(results + nightly(cron, 'timeZone: Europe/Berlin'));
  expect(await registering.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  return registering;
}

describe('a plan and its apply', () => {
  it('show the delivery before the schedule, how often it fires, and register both', async () => {
    await using registering = await openRegistering();
    const { declare, webdata, serving } = registering;
    await declare(results + nightly('every: 1h'));
    const plan = await webdata('plan', '--detailed-exitcode');
    expect(plan.code).toBe(2);
    expect(plan.stdout.replaceAll(serving.url, '{triggers}')).toMatchInlineSnapshot(`
      "webhookDeliveries.results  {triggers} (acme)
        + endpoint       https://hooks.example.com/webdata
        + compression    gzip
        + authorization  (secret)
      collectorSchedules.nightly  {triggers} (acme)
        + collector     c_prices
        + every         1h
        + delivery      results
        + paused        false
        + overlap       skip
        + catchUp       skip
        + retryOn5xx    true
        + lateAfter     1m
        + inputs.row 1  {"url":"https://shop.example.com/a"}
        note: about 24 triggers a day, each is billed

      Plan: 2 registrations change.
      "
    `);
    expect(await serving.registry.owners()).toEqual([]);

    const apply = await webdata('apply', '--yes');
    expect(apply).toMatchObject({ code: 0, stdout: expect.stringContaining('Apply: 2 registrations changed.\n') });
    expect(await serving.registry.records(owner)).toMatchObject({
      deliveries: [{ name: 'results', spec: { endpoint: 'https://hooks.example.com/webdata' } }],
      schedules: [{ name: 'nightly', spec: { collector: 'c_prices', every: '1h', delivery: 'results' } }],
    });
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({
      code: 0,
      stdout: 'No changes. Live state is as declared.\n',
    });
  });

  it('take inputs from a file beside the declaration, with numbers where the schema has them', async () => {
    await using registering = await openRegistering();
    const { declare, webdata, write, serving } = registering;
    await write('prices.csv', 'url,max\nhttps://shop.example.com/a,3\nhttps://shop.example.com/b,\n');
    const schedule = nightly(cron, 'inputSchema: { url: url, max: { type: number, required: false } }');
    await declare(results + schedule.replace(/inputs: .*/, 'inputs: { file: prices.csv }'));
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    const { schedules } = await serving.registry.records(owner);
    expect(schedules[0]?.spec.inputs).toEqual([
      { url: 'https://shop.example.com/a', max: 3 },
      { url: 'https://shop.example.com/b' },
    ]);
    await write('prices.csv', 'url,max\nhttps://shop.example.com/a,3\n');
    const { stdout } = await webdata('plan');
    expect(stdout).toContain('- inputs.row 2');
  });

  it('never say a secret, but whether it is another one', async () => {
    await using registering = await openApplied();
    const { webdata, webdataWith, serving } = registering;
    const rotated = await webdataWith({ HOOK: 'Bearer canary-second' }, 'plan');
    expect(rotated.stdout).toContain('~ authorization  (secret) -> (another secret)');
    expect(await webdataWith({ HOOK: 'Bearer canary-second' }, 'apply', '--yes')).toMatchObject({ code: 0 });
    const { deliveries } = await serving.registry.records(owner);
    const sealed = deliveries[0]?.spec.authorization as { sealed: { salt: string; hash: string } };
    expect([sameSecret('Bearer canary-second', sealed), sameSecret(canary, sealed)]).toEqual([true, false]);
    expect((await webdata('plan')).stdout).toContain('(another secret)');
  });

  it.each([
    ['whose answer was lost', undefined],
    ['that took and was answered 500', 500],
    ['that took and was answered 503', 503],
  ])('know by what is registered whether a call took: one %s', async (_, status) => {
    await using registering = await openRegistering();
    const { declare, webdataWith, serving } = registering;
    await declare(results);
    await using proxy = await openDeafProxy(serving.url, status);
    expect(await webdataWith({ WEBDATA_TRIGGERS_URL: proxy.url }, 'apply', '--yes')).toMatchObject({ code: 0 });
    expect((await serving.registry.records(owner)).deliveries).toHaveLength(1);
  });

  it('stop at what the trigger service refuses, in its words', async () => {
    await using registering = await openApplied();
    const { declare, webdata, serving } = registering;
    await declare(results.replace('results', 'other') + nightly(cron).replace('delivery: results', ''));
    await serving.registry.deleteSchedule(owner, 'nightly');
    await serving.database.query('DROP TABLE schedules');
    const { code, stdout, stderr } = await webdata('apply', '--yes', '--retries', '0');
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('was answered 500');
  });
});

describe('what is wrong', () => {
  const cases: [string, string, RegExp][] = [
    [
      'a delivery that is not declared',
      results + nightly(cron).replace('results\n', 'result\n'),
      /no delivery `result` is declared[\s\S]*did you mean `results`/,
    ],
    [
      'a cron that never fires',
      results + nightly('cron: "0 0 31 2 *"'),
      /webdata\.yaml:\d+:\d+: `0 0 31 2 \*` never fires/,
    ],
    [
      'a time zone that there is not',
      results + nightly(cron, 'timeZone: Europe/Berlni'),
      /did you mean `Europe\/Berlin`/,
    ],
    ['neither cron nor every', results + nightly(), /does not say when/],
    [
      'an input that misses the schema',
      results + nightly(cron, 'inputSchema: { url: number }'),
      /row 1 of 1 input: the column `url` is a string/,
    ],
    ['a webhook without encryption', results.replace('https', 'http'), /without encryption/],
    ['a delivery that goes nowhere', 'webhookDeliveries: { results: {} }\n', /goes nowhere/],
    [
      'a dataset whose finish is to be told',
      nightly(cron)
        .replace('collector: c_prices', 'dataset: gd_x')
        .replace('delivery: results', 'delivery: { notify: { type: email } }'),
      /results of a dataset are to go by `notify`/,
    ],
    [
      'a file outside of the folder',
      results + nightly(cron).replace(/inputs: .*/, 'inputs: { file: ../prices.csv }'),
      /in the folder of the declaration/,
    ],
  ];

  it.each(cases)('%s: is told before anything is called', async (_, declaration, says) => {
    await using registering = await openRegistering();
    await registering.declare(declaration);
    const { code, stderr } = await registering.webdata('validate');
    expect(code).toBe(1);
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain(canary);
    expect(await registering.webdata('apply', '--yes')).toMatchObject({ code: 1 });
    expect(await registering.serving.registry.owners()).toEqual([]);
  });

  it('a row of a file is told with its line and column, and nothing is registered', async () => {
    await using registering = await openRegistering();
    const { declare, webdata, write, serving } = registering;
    await write('prices.csv', 'url\nhttps://shop.example.com/a\nnowhere\n');
    const schedule = nightly(cron, 'inputSchema: { url: url }').replace(/inputs: .*/, 'inputs: { file: prices.csv }');
    await declare(results + schedule);
    const { code, stdout } = await webdata('apply', '--yes');
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('prices.csv:3: the column `url`') });
    expect(await serving.registry.owners()).toEqual([]);
    await declare(results + schedule.replace('prices.csv', 'price.csv'));
    expect((await webdata('plan')).stdout).toContain("price.csv can't be read: there is no such file");
  });

  it('nobody owns what is declared', async () => {
    await using registering = await openRegistering();
    await registering.write('webdata.yaml', results.trimStart());
    const { code, stderr } = await registering.webdata('validate');
    expect(code).toBe(1);
    expect(stderr).toContain('the file has no `name`');
  });

  it('the trigger service is not known, does not answer, or knows another token', async () => {
    await using registering = await openRegistering();
    const { declare, webdataWith } = registering;
    await declare(results);
    const say = async (env: Record<string, string | undefined>) =>
      (await webdataWith(env, 'plan', '--retries', '0')).stdout;
    expect(await say({ WEBDATA_TRIGGERS_URL: undefined })).toContain('set triggers.url in the file');
    expect(await say({ WEBDATA_TRIGGERS_TOKEN: undefined })).toContain('set WEBDATA_TRIGGERS_TOKEN');
    expect(await say({ WEBDATA_TRIGGERS_URL: 'http://127.0.0.1:9' })).toContain('`webdata triggers serve` runs there');
    const refused = await say({ WEBDATA_TRIGGERS_TOKEN: 'canary-wrong-token' });
    expect(refused).toContain('Set WEBDATA_TRIGGERS_TOKEN to the token that the trigger service was started with');
    expect(refused).not.toContain('canary-wrong-token');
  });
});

describe('drift', () => {
  it('is what was changed by hand, and an apply puts it right', async () => {
    await using registering = await openApplied();
    const { webdata, serving } = registering;
    expect(await webdata('drift')).toMatchObject({ code: 0, stdout: 'No drift.\n' });
    await serving.registry.setPaused(owner, 'nightly', true);
    const drift = await webdata('drift');
    expect(drift.code).toBe(2);
    expect(drift.stdout).toMatch(/~ paused +true -> false/);
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await webdata('drift')).toMatchObject({ code: 0 });
  });

  it('is a run of which nobody knows whether it was triggered, and a tick that did not fire', async () => {
    await using registering = await openApplied();
    const { webdata, serving } = registering;
    const run = await serving.run('nightly', { to: 'unknown', text: 'its answer was lost' });
    const unknown = await webdata('drift');
    expect(unknown.code).toBe(2);
    expect(unknown.stdout).toContain(run.id);
    expect(unknown.stdout).toContain('Drift: 1 schedule did not run as it should.');
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    await serving.registry.resolve(run.id, { as: 'lost' });
    expect(await webdata('drift')).toMatchObject({ code: 0 });
    await serving.database.query('UPDATE schedules SET next_at = 1000');
    const overdue = await webdata('drift');
    expect(overdue.code).toBe(2);
    expect(overdue.stdout).toContain('did not fire at 1970-01-01 00:00:01 UTC');
  });
});

describe('what is declared no more', () => {
  it('is shown, stays, and goes with --prune; what others own stays in any case', async () => {
    await using registering = await openApplied();
    const { declare, webdata, serving } = registering;
    await serving.registry.putSchedule('other', 'nightly', yearly());
    await declare('');
    const plan = await webdata('plan', '--detailed-exitcode');
    expect(plan.code).toBe(0);
    expect(plan.stdout).toContain('collectorSchedules.nightly\n  note: the schedule is registered for acme');
    expect(plan.stdout).toContain('webhookDeliveries.results\n  note: the delivery is registered for acme');
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect((await serving.registry.records(owner)).schedules).toHaveLength(1);

    const pruned = await webdata('apply', '--yes', '--prune');
    expect(pruned).toMatchObject({ code: 0, stdout: expect.stringContaining('Apply: 2 registrations removed.\n') });
    expect(await serving.registry.owners()).toEqual(['other']);
  });

  it('goes by a plan that was kept, and by no plan that was edited', async () => {
    await using registering = await openApplied();
    const { declare, webdata, read, write, serving } = registering;
    await serving.registry.putSchedule('other', 'nightly', yearly());
    await declare(results);
    expect(await webdata('plan', '--prune', '--out', 'plan.json')).toMatchObject({ code: 0 });
    const kept = await read('plan.json');
    await write(
      'edited.json',
      kept.replaceAll('"owner": "acme",\n          "name"', '"owner": "other",\n          "name"'),
    );
    const edited = await webdata('apply', '--yes', 'edited.json');
    expect(edited).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('only in the file: unregister the schedule'),
    });
    expect(await webdata('apply', '--yes', 'plan.json')).toMatchObject({ code: 0 });
    expect(await serving.registry.owners()).toEqual(['acme', 'other']);
    expect((await serving.registry.records(owner)).schedules).toEqual([]);
    expect(await webdata('plan', '--prune', '--select', 'WebhookDelivery/results')).toMatchObject({ code: 1 });
  });

  it('can be destroyed while it is declared, a delivery only with the schedules that name it', async () => {
    await using registering = await openApplied();
    const { webdata, serving } = registering;
    const alone = await webdata('destroy', '--yes', '--select', 'WebhookDelivery/results');
    expect(alone).toMatchObject({ code: 1, stdout: expect.stringContaining('is named by nightly') });
    const selected = ['--select', 'WebhookDelivery/results', '--select', 'CollectorSchedule/nightly'];
    expect(await webdata('destroy', '--yes', ...selected)).toMatchObject({ code: 0 });
    expect(await serving.registry.owners()).toEqual([]);
    expect(await webdata('destroy', '--yes', ...selected)).toMatchObject({ code: 0 });
  });
});

describe('a plan that is kept', () => {
  it('holds no secret, and is applied beside its declaration only', async () => {
    await using registering = await openRegistering();
    const { declare, webdata, webdataWith, read, folder, serving } = registering;
    await declare(results + nightly(cron));
    expect(await webdata('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
    expect(await read('plan.json')).not.toContain('canary');
    const other = await webdataWith({ HOOK: 'Bearer canary-second' }, 'apply', '--yes', 'plan.json');
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('made from another declaration') });
    await rm(join(folder, 'webdata.yaml'));
    const alone = await webdata('apply', '--yes', 'plan.json');
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('plan files hold none') });
    expect(await serving.registry.owners()).toEqual([]);
    await declare(results + nightly(cron));
    expect(await webdata('apply', '--yes', 'plan.json')).toMatchObject({ code: 0 });
    expect((await serving.registry.records(owner)).schedules).toHaveLength(1);
  });

  it('is applied by itself where it only refers to secrets', async () => {
    await using registering = await openRegistering();
    const { declare, webdata, folder, serving } = registering;
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what stands in the file
    await declare(results.replace('"${HOOK}"', '{ env: HOOK }') + nightly(cron));
    expect(await webdata('plan', '--out', 'plan.json')).toMatchObject({ code: 0 });
    await rm(join(folder, 'webdata.yaml'));
    expect(await webdata('apply', '--yes', 'plan.json')).toMatchObject({ code: 0 });
    expect((await serving.registry.records(owner)).deliveries).toMatchObject([
      { spec: { authorization: { env: 'HOOK' } } },
    ]);
  });
});

describe('undo', () => {
  it('takes away what the run registered, unless it was changed since', async () => {
    await using registering = await openApplied();
    const { webdata, serving } = registering;
    await serving.registry.setPaused(owner, 'nightly', true);
    const refused = await webdata('undo', '--yes');
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('is no longer as the run registered it'),
    });
    await serving.registry.setPaused(owner, 'nightly', false);
    expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect(await serving.registry.owners()).toEqual([]);
  });

  it('does not make up what was registered before', async () => {
    await using registering = await openApplied();
    const { declare, webdata, webdataWith } = registering;
    await declare(results + nightly('every: 6h'));
    expect(await webdataWith({ HOOK: 'Bearer canary-second' }, 'apply', '--yes')).toMatchObject({ code: 0 });
    const { stdout, stderr } = await webdata('undo', '--yes');
    expect(stdout + stderr).toContain('is no longer as the run registered it');
  });
});

it('pull writes what is registered, of which a plan has no changes once its secrets are set', async () => {
  await using registering = await openApplied();
  const { webdata, webdataWith, serving } = registering;
  await serving.registry.putDelivery(owner, 'bare', webhook({ compression: 'none' }));
  const pulled = await webdata('pull', '--zone', 'old-pricing', '--out', 'live.yaml');
  expect(pulled).toMatchObject({ code: 0 });
  const text = await registering.read('live.yaml');
  expect(parse(text).webhookDeliveries).toEqual({
    bare: { endpoint: 'https://hooks.example.com/webdata', compression: 'none' },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what it says
    results: { endpoint: 'https://hooks.example.com/webdata', authorization: '${RESULTS_AUTHORIZATION}' },
  });
  expect(await webdata('validate', '-f', 'live.yaml')).toMatchObject({ code: 1 });
  const plan = await webdataWith({ RESULTS_AUTHORIZATION: canary }, 'plan', '-f', 'live.yaml', '--detailed-exitcode');
  expect(plan).toMatchObject({ code: 0, stdout: 'No changes. Live state is as declared.\n' });
});

it('the example is registered as it stands', async () => {
  await using registering = await openRegistering();
  const { webdata, serving, folder } = registering;
  await cp('examples/schedules', folder, { recursive: true });
  const declared = await registering.read('webdata.yaml');
  await registering.write('webdata.yaml', declared.replace('http://127.0.0.1:22997', serving.url));
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  const { schedules } = await serving.registry.records('schedules-example');
  expect(schedules).toMatchObject([{ name: 'nightly', spec: { delivery: 'results' } }]);
  expect(schedules[0]?.spec.inputs).toHaveLength(2);
});

it('no secret of a delivery is in an output, a report, a plan, the journal or a log of requests', async () => {
  await using registering = await openRegistering();
  const { declare, webdata, folder, serving } = registering;
  await declare(results + nightly(cron, 'alerts: { endpoint: "https://hooks.example.com/alerts?token=canary-alert" }'));
  const reports = ['json', 'html', 'markdown', 'sarif', 'junit', 'github'].flatMap((name) => [
    '--report',
    `${name}=out.${name}`,
  ]);
  const said = [
    await webdata('plan', '--log-http', '--out', 'plan.json', ...reports),
    await webdata('apply', '--yes', '--log-http', '--full', ...reports.map((each) => each.replace('out.', 'applied.'))),
    await webdata('drift', '--log-http', '--format', 'json'),
    await webdata('history', '--format', 'json'),
    await webdata('pull', '--zone', 'old-pricing'),
  ];
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => /\.\w+$/.test(name) && name !== 'webdata.yaml',
  );
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  const texts = [...said.map(({ stdout, stderr }) => stdout + stderr), ...files, ...serving.lines];
  expect(said.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  expect(names).toEqual(expect.arrayContaining(['plan.json', 'applied.html', '.webdata/journal.jsonl']));
  for (const text of texts) {
    for (const secret of [canary, 'canary-hook', encodeURIComponent(canary), 'canary-alert'])
      expect(text).not.toContain(secret);
  }
});

/** Passes requests on, and answers those that change something with this status, or not at all. */
async function openDeafProxy(target: string, status?: number): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const { method = 'GET', url = '/', headers } = request;
    const passed = { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' };
    const body = sent.length > 0 ? { body: new Uint8Array(sent) } : {};
    const answer = await fetch(target + url, { method, headers: passed, ...body });
    const text = await answer.text();
    if (method === 'PUT') status === undefined ? response.destroy() : response.writeHead(status).end();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
