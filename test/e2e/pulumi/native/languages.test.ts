/** The built plugin, started by the engine, in programs of two languages. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { buildSdks } from '../../../../scripts/pulumi/sdks.ts';
import { accounts, migrationsOf } from '../../../cli/harness.ts';
import { describeOnEngine, path, stackTrace } from '../harness.ts';
import { sampled } from '../processes.ts';
import { type NativeProject, openNativeProject } from './project.ts';

/** Docs and `test/e2e/docs/pulumi.test.ts` have programs in Python and YAML. */
const typescript = {
  runtime: 'main: index.ts\nruntime: nodejs',
  files: {
    'package.json': '{ "name": "test", "private": true }',
    'tsconfig.json':
      '{ "compilerOptions": { "strict": true, "rootDir": ".", "target": "es2022", "module": "nodenext" } }',
  },
};

const program = `import * as webdata from "@pulumi-webdata/webdata";

const allocation = new webdata.ZoneIpAllocation("static", {
    zones: { checkout: { ips: ["192.0.2.10", "192.0.2.12"], keepAtLeast: 2 } },
    sources: ["pricing"],
});
new webdata.ManagerSettings("local", { zone: "checkout", logs: 400 });
export const placements = allocation.placements;
export const parked = webdata.getZoneIpsOutput({ zone: "parked" }).ips;
`;

async function openTypescript(text: string): Promise<NativeProject> {
  const project = await openNativeProject(accounts.plain, { runtime: typescript.runtime });
  await mkdir(join(project.folder, 'node_modules/@pulumi-webdata'), { recursive: true });
  await symlink(buildSdks(path ?? '').node, join(project.folder, 'node_modules/@pulumi-webdata/webdata'));
  await symlink(resolve('node_modules/@pulumi'), join(project.folder, 'node_modules/@pulumi'));
  for (const [name, content] of Object.entries(typescript.files)) await project.write(name, content);
  await project.write('index.ts', text);
  return project;
}

describeOnEngine('a TypeScript program', () => {
  it('previews, moves, reads, and then has no changes', async () => {
    await using project = await openTypescript(program);
    const up = await project.pulumi('up', '--yes');
    expect(up.code, up.output).toBe(0);
    expect(up.output).toContain('webdata:index:Move pricing → checkout');
    expect(migrationsOf(project.emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
    expect(project.emulator.settings()).toMatchObject({ logs: 400 });
    const outputs = JSON.parse((await project.pulumi('stack', 'output', '--json')).output);
    expect(outputs.placements).toMatchObject({ '192.0.2.13': 'checkout' });
    expect(outputs.parked).toEqual(project.emulator.ips('parked'));
    expect(await project.pulumi('preview', '--refresh', '--expect-no-changes')).toMatchObject({ code: 0 });
  });

  it('that is refused names the property, and shows no secret', async () => {
    await using project = await openTypescript(refused);
    const { result, sampling } = await sampled(() => project.pulumi('up', '--yes', '--skip-preview', '--logtostderr'));
    expect(result.code).not.toBe(0);
    expect(result.output).toMatch(/zones\.checkout\.ips\[0\].*\n?.*192\.0\.2\.300/);
    expect(result.output).not.toMatch(stackTrace);
    const state = (await project.pulumi('stack', 'export')).output;
    for (const text of [result.output, state, ...sampling.commands]) {
      expect(text).not.toContain('canary-4711');
      expect(text).not.toContain(project.emulator.keys.ops);
    }
  });
});

/** An allocation with an IP that is not valid, and a delivery with a secret. */
const refused = `import * as webdata from "@pulumi-webdata/webdata";

new webdata.WebhookDelivery("results", { endpoint: "https://hooks.example.com/x", authorization: "Bearer canary-4711" });
new webdata.ZoneIpAllocation("static", { zones: { checkout: { ips: ["192.0.2.300"] } } });
`;

const everyField = `import pulumi_webdata as webdata

webdata.ZoneIpAllocation("static",
    zones={"checkout": {"count": {"us": 5}, "keep_at_least": 2}, "archive": {"count": 7}},
    sources=["pricing"], spare="parked", protect=["192.0.2.12"], max_moves="50%", unmanaged="report", on_delete="leave")
webdata.ManagerSettings("local", zone="checkout", logs=400, whitelist_ips=["10.0.0.0/8"], absent_ports=[24010])
delivery = webdata.WebhookDelivery("results", endpoint="https://hooks.example.com/x",
    authorization={"env": "HOOK_AUTHORIZATION"}, compression="gzip")
webdata.CollectorSchedule("nightly", collector="c_prices", cron="0 3 * * *", time_zone="Europe/Berlin",
    inputs=[{"url": "https://shop.example.com/a", "price": 0.1}],
    input_schema={"url": {"type": "url"}, "price": "number"}, catch_up={"within": "2h"}, delivery=delivery.name)
webdata.CollectorSchedule("hourly", collector="c_prices", every="1h",
    inputs=[{"url": "https://shop.example.com/a", "tags": ["x"], "deep": {"a": 1}}], delivery={"endpoint": "https://hooks.example.com/y"})
`;

describeOnEngine('a Python program with every field', () => {
  it('is applied, and then has no changes', async () => {
    const sdks = buildSdks(path ?? '');
    const env = { PYTHONPATH: sdks.python };
    await using project = await openNativeProject(accounts.plain, { runtime: 'runtime: python', env });
    await project.write('__main__.py', everyField);
    const up = await project.pulumi('up', '--yes', '--skip-preview');
    expect(up.code, up.output).toBe(0);
    const { schedules } = await project.serving.registry.records('test/dev');
    expect(schedules.map(({ spec }) => spec)).toMatchObject([
      { inputs: [{ tags: ['x'], deep: { a: 1 } }], delivery: { endpoint: 'https://hooks.example.com/y' } },
      {
        inputs: [{ price: 0.1 }],
        catchUp: { within: '2h' },
        inputSchema: { price: 'number' },
      },
    ]);
    expect(await project.pulumi('preview', '--expect-no-changes')).toMatchObject({ code: 0 });
  });
});

describeOnEngine('the generated SDKs', () => {
  it('have no key and no path of this machine', async () => {
    const { node, python } = buildSdks(path ?? '');
    const files = [node, python].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:js|py)$/.test(name))
        .map((name) => join(folder, name)),
    );
    const texts = files.map((file) => readFileSync(file, 'utf8'));
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.some((text) => text.includes('canary') || text.includes(process.cwd()))).toBe(false);
  });
});
