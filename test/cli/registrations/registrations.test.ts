/** Deliveries and schedules from YAML: planned, registered, kept in a plan file, pulled. */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sameSecret } from '../../../src/triggers/secrets/secrets.ts';
import { openFaultyPeer, passOn } from '../../faultyPeer.ts';
import { owner, webhook } from '../../triggers/serving.ts';
import { canary, cron, nightly, openApplied, openRegistering, results } from './registrations.ts';

describe('a plan and its apply', () => {
  it('show the delivery before the schedule, how often it fires, and register both', async () => {
    await using registering = await openRegistering();
    const { declare, webdata, serving } = registering;
    await declare(results + nightly('every: 1h'));
    const plan = await webdata('plan', '--detailed-exitcode');
    expect(plan.code).toBe(2);
    expect(plan.stdout.replaceAll(serving.url, '{triggers}')).toMatchInlineSnapshot(`
      "webhookDeliveries.results  {triggers} (acme)
        1.  + endpoint       https://hooks.example.com/webdata
            + authorization  (secret)
              1 default      compression

      collectorSchedules.nightly  {triggers} (acme)
        2.  + collector     c_prices
            + every         1h
            + delivery      results
            + inputs.row 1  {"url":"https://shop.example.com/a"}
              6 defaults    paused, overlap, catchUp, retryOn5xx, lateAfter,
                            giveUpAfter

        note: about 24 triggers a day, each is billed

      Plan: 2 registrations are made or changed.
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
    expect(rotated.stdout).toContain('~ authorization  (secret) → (another secret)');
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
    await using proxy = await openFaultyPeer(
      () => serving.url,
      async ({ method, outgoing, handOn }) => {
        const answer = await handOn();
        if (method !== 'PUT') passOn(answer, outgoing);
        else if (status === undefined) outgoing.destroy();
        else outgoing.writeHead(status).end();
      },
    );
    expect(await webdataWith({ WEBDATA_TRIGGERS_URL: proxy.url }, 'apply', '--yes')).toMatchObject({ code: 0 });
    expect((await serving.registry.records(owner)).deliveries).toHaveLength(1);
  });

  it('are not sent if somebody changes the registration while the question is asked', async () => {
    await using registering = await openApplied();
    const { declare, webdataConfirming, serving } = registering;
    await declare(results + nightly(cron, 'timeZone: Europe/Berlin', 'overlap: queue'));
    const { code, stdout } = await webdataConfirming(() => serving.registry.setPaused(owner, 'nightly', true), 'apply');
    expect(code).toBe(1);
    expect(stdout).toContain('changed since');
    const { schedules } = await serving.registry.records(owner);
    expect(schedules).toMatchObject([{ spec: { paused: true } }]);
    expect(schedules[0]?.spec.overlap).not.toBe('queue');
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

describe('a plan that is kept', () => {
  it('holds no secret, and is applied beside its declaration only', async () => {
    await using registering = await openRegistering();
    const { declare, webdata, webdataWith, read, folder, serving } = registering;
    await declare(results + nightly(cron));
    expect(await webdata('plan', '--output', 'plan.json')).toMatchObject({ code: 0 });
    expect(await read('plan.json')).not.toContain('canary');
    const other = await webdataWith({ HOOK: 'Bearer canary-second' }, 'apply', '--yes', 'plan.json');
    expect(other).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the declaration has changed since this plan was made'),
    });
    await rm(join(folder, 'webdata.yaml'));
    const alone = await webdata('apply', '--yes', 'plan.json');
    expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining('the declaration of this plan') });
    expect(await serving.registry.owners()).toEqual([]);
    await declare(results + nightly(cron));
    expect(await webdata('apply', '--yes', 'plan.json')).toMatchObject({ code: 0 });
    expect((await serving.registry.records(owner)).schedules).toHaveLength(1);
  });
});

it('pull writes what is registered, of which a plan has no changes once its secrets are set', async () => {
  await using registering = await openApplied();
  const { webdata, webdataWith, serving } = registering;
  await serving.registry.putDelivery(owner, 'bare', webhook({ compression: 'none' }));
  const pulled = await webdata('pull', '--zone', 'old-pricing', '--output', 'live.yaml');
  expect(pulled).toMatchObject({ code: 0 });
  const text = await registering.read('live.yaml');
  expect(parse(text).webhookDeliveries).toEqual({
    bare: { endpoint: 'https://hooks.example.com/webdata', compression: 'none' },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what it says
    results: { endpoint: 'https://hooks.example.com/webdata', authorization: '${RESULTS_AUTHORIZATION}' },
  });
  expect(await webdata('validate', '-f', 'live.yaml')).toMatchObject({ code: 1 });
  const plan = await webdataWith({ RESULTS_AUTHORIZATION: canary }, 'plan', '-f', 'live.yaml', '--detailed-exitcode');
  expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes. Live state is as declared.\n') });
  expect(plan.stdout).toContain('CollectorSchedule/nightly of acme is declared by webdata.yaml too');
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
