/** From the dynamic resources to the native ones, as docs/pulumi/README.md describes it. */
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { buildSdks } from '../../../../scripts/pulumi/sdks.ts';
import { accounts, migrationsOf } from '../../../cli/harness.ts';
import { describeOnEngine, path } from '../harness.ts';
import { openNativeProject } from './project.ts';

const resources = (options: string) => `
new webdata.ZoneIpAllocation('static', {
  zones: { checkout: { ips: ['192.0.2.10', '192.0.2.12'] } },
  sources: ['pricing'],
  spare: 'parked',
  onDelete: 'release',
}${options});
new webdata.ManagerSettings('local', { logs: 400 }${options});
new webdata.WebhookDelivery('results', { endpoint: 'https://hooks.example.com/webdata' }${options});
`;

describeOnEngine('a stack of dynamic resources', () => {
  it('becomes one of native resources, and nothing is moved or registered again', async () => {
    const runtime = 'main: index.ts\nruntime: { name: nodejs, options: { typescript: false } }';
    await using project = await openNativeProject(accounts.plain, { runtime });
    await mkdir(join(project.folder, 'node_modules/@pulumi-webdata'), { recursive: true });
    await symlink(buildSdks(path ?? '').node, join(project.folder, 'node_modules/@pulumi-webdata/webdata'));
    await symlink(resolve('node_modules/@pulumi'), join(project.folder, 'node_modules/@pulumi'));
    await symlink(resolve('.'), join(project.folder, 'node_modules/pulumi-webdata'));
    await project.write('package.json', '{ "name": "test", "private": true, "type": "module" }');
    const up = async (imported: string, options: string) => {
      await project.write('index.ts', `import * as webdata from '${imported}';\n${resources(options)}`);
      const { code, output } = await project.pulumi('up', '--yes', '--skip-preview');
      expect(code, output).toBe(0);
    };
    await up('pulumi-webdata/pulumi', '');
    const [delivery] = await registered();
    const moved = migrationsOf(project.emulator.requests());
    expect(moved).toEqual(['pricing -> checkout: 192.0.2.10']);

    await up('pulumi-webdata/pulumi', ', { retainOnDelete: true }');
    await up('@pulumi-webdata/webdata', '');
    expect(migrationsOf(project.emulator.requests())).toEqual(moved);
    expect(project.emulator.ips('checkout')).toContain('192.0.2.10');
    expect(await registered()).toEqual([delivery]);
    expect((await project.state()).map(({ type }) => type)).toHaveLength(3);
    expect(await project.pulumi('preview', '--refresh', '--expect-no-changes')).toMatchObject({ code: 0 });

    async function registered() {
      return (await project.serving.registry.records('test/dev')).deliveries;
    }
  });
});
