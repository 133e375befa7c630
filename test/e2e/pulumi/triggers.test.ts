/** What a stack registers in the trigger service: made, changed, changed by hand, taken down. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deliverySourceIps } from '../../../src/client/areas/jobs/delivery.ts';
import { accounts } from '../../cli/harness.ts';
import { openServing, type Serving, token } from '../../triggers/serving.ts';
import { describeOnEngine, openProject, type Project } from './harness.ts';

const canary = 'Bearer canary-hook-7f3a9c';
const owner = 'test/dev';

function program(schedule: string): string {
  return `const results = new WebhookDelivery('results', {
    endpoint: 'https://hooks.example.com/webdata',
    authorization: '${canary}',
  });
  ${schedule}
  new ManagerSettings('local', { whitelistIps: results.sourceIps });
  export const curl = results.curl;`;
}

function nightly(cron: string, options = '{}'): string {
  return `new CollectorSchedule('nightly', {
    collector: 'c_prices',
    cron: '${cron}',
    timeZone: 'Europe/Berlin',
    inputs: { file: 'prices.csv' },
    delivery: results.name,
  }, ${options});`;
}

const noChanges = ['--refresh', '--expect-no-changes'];

describeOnEngine('what a stack registers', () => {
  let project: Project;
  let serving: Serving;
  beforeAll(async () => {
    [project, serving] = await Promise.all([openProject(accounts.plain), openServing()]);
    await project.config({ triggersUrl: serving.url });
    await project.secret('triggersToken', token);
    await writeFile(join(project.folder, 'prices.csv'), 'url\nhttps://shop.example.com/a\n');
  });
  afterAll(async () => {
    await project[Symbol.asyncDispose]();
    await serving[Symbol.asyncDispose]();
  });

  it('is there after an up, under the name of the stack, and its addresses are an input of another resource', async () => {
    await project.program(program(nightly('0 3 * * *')));
    const up = await project.pulumi('up', '--yes');
    expect(up.output).toContain('CollectorSchedule nightly: is registered');
    expect(up.output).toContain('about 1 trigger a day, each is billed');
    expect(up.code).toBe(0);
    const { deliveries, schedules } = await serving.registry.records(owner);
    expect(deliveries.map(({ name }) => name)).toEqual(['results']);
    expect(schedules).toMatchObject([
      {
        name: 'nightly',
        spec: { cron: '0 3 * * *', delivery: 'results', inputs: [{ url: 'https://shop.example.com/a' }] },
      },
    ]);
    expect(project.emulator.settings().whitelist_ips).toEqual(expect.arrayContaining([...deliverySourceIps]));
    const { output: curl } = await project.pulumi('stack', 'output', 'curl');
    expect(curl).toContain('Authorization: $AUTHORIZATION');
    expect(curl).toContain("'https://hooks.example.com/webdata'");
  });

  it('has no secret in the state, the history or an output', async () => {
    const files = await textsBelow(join(project.folder, 'backend'));
    const { output } = await project.pulumi('stack', 'export');
    for (const text of [...files, output]) for (const form of formsOf(canary)) expect(text).not.toContain(form);
    expect(files.join()).toContain('WebhookDelivery');
  });

  it('has nothing to do after that', async () => {
    expect(await project.pulumi('preview', ...noChanges)).toMatchObject({ code: 0 });
  });

  it('shows a change before it is made', async () => {
    await project.program(program(nightly('0 4 * * *')));
    const preview = await project.pulumi('preview', '--diff');
    expect(preview.output).toMatch(/~ cron +0 3 \* \* \* → 0 4 \* \* \*/);
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    const { schedules } = await serving.registry.records(owner);
    expect(schedules).toMatchObject([{ spec: { cron: '0 4 * * *' } }]);
  });

  it('shows what was changed by hand when it is refreshed, and heals it', async () => {
    await serving.registry.setPaused(owner, 'nightly', true);
    const refresh = await project.pulumi('refresh', '--preview-only', '--diff');
    expect(refresh.output).toMatch(/~ drifted *: \[\n *\+ \[0\]: "paused"/);
    expect((await project.pulumi('preview', ...noChanges)).code).not.toBe(0);
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    expect((await serving.registry.records(owner)).schedules).toMatchObject([{ spec: { paused: false } }]);
  });

  it.each([
    'paused',
    '*',
  ])('stays paused by hand with `ignoreChanges: %s`, with and without a refresh', async (ignored) => {
    await project.program(program(nightly('0 4 * * *')));
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    await serving.registry.setPaused(owner, 'nightly', true);
    await project.program(program(nightly('0 5 * * *', `{ ignoreChanges: ['${ignored}'] }`)));
    for (const options of [[], ['--refresh']]) {
      expect(await project.pulumi('up', '--yes', '--skip-preview', ...options)).toMatchObject({ code: 0 });
      expect((await serving.registry.records(owner)).schedules).toMatchObject([{ spec: { paused: true } }]);
    }
    const { schedules } = await serving.registry.records(owner);
    expect(schedules).toMatchObject([{ spec: { cron: ignored === '*' ? '0 4 * * *' : '0 5 * * *' } }]);
    expect(await project.pulumi('preview', ...noChanges)).toMatchObject({ code: 0 });
  });

  it('names the input that is wrong', async () => {
    await project.program(program(nightly('0 0 31 2 *')));
    const { code, output } = await project.pulumi('preview');
    expect(code).not.toBe(0);
    expect(output).toContain('cron');
    expect(output).toContain('never fires');
  });

  it('goes with the resource, and with the stack', async () => {
    await project.program(program(''));
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    const left = await serving.registry.records(owner);
    expect([left.schedules.length, left.deliveries.length]).toEqual([0, 1]);
    expect(await project.pulumi('destroy', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    expect(await serving.registry.records(owner)).toEqual({ deliveries: [], schedules: [] });
  });
});

function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')];
}

async function textsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
}
