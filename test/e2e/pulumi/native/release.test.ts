/** A release of the provider plugin: installed from its archive, and over a state that an earlier version has written. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { version } from '../../../../src/version.ts';
import { accounts, migrationsOf } from '../../../cli/harness.ts';
import { describeOnEngine, path } from '../harness.ts';
import { openNativeProject, pluginFolder } from './project.ts';

const resources = `
  static:
    type: webdata:ZoneIpAllocation
    properties:
      zones: { checkout: { ips: [192.0.2.10, 192.0.2.12] } }
      sources: [pricing]
  local:
    type: webdata:ManagerSettings
    properties: { zone: checkout, logs: 400 }
`;

describeOnEngine('the archive of a release', () => {
  it('is installed by Pulumi, and serves a program without a plugin on PATH', async () => {
    await using project = await openNativeProject(accounts.plain, { env: { PATH: path ?? '' } });
    const archive = join(pluginFolder, 'release', `pulumi-resource-webdata-v${version}-linux-amd64.tar.gz`);
    const installed = await project.pulumi('plugin', 'install', 'resource', 'webdata', version, '--file', archive);
    expect(installed.code, installed.output).toBe(0);
    await project.resources(resources);
    const { code, output } = await project.pulumi('up', '--yes', '--skip-preview');
    expect(code, output).toBe(0);
    expect(migrationsOf(project.emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
  });
});

/** Written by version 0.1.0 for the resources above, with the URL of the manager in place of its port. */
const recordedState = 'test/e2e/pulumi/native/state-0.1.0.json';

describeOnEngine('a state of version 0.1.0', () => {
  it('previews without changes', async () => {
    await using project = await openNativeProject(accounts.plain, { isAttached: true });
    project.emulator.move(['192.0.2.10'], 'checkout');
    project.emulator.setSettings({ zone: 'checkout', logs: 400 });
    const recorded = await readFile(recordedState, 'utf8');
    await project.write('state.json', recorded.replaceAll('http://manager.invalid', project.emulator.managerUrl));
    const imported = await project.pulumi('stack', 'import', '--file', 'state.json');
    expect(imported.code, imported.output).toBe(0);
    await project.resources(resources);
    const preview = await project.pulumi('preview', '--diff', '--expect-no-changes');
    expect(preview.code, preview.output).toBe(0);
    // A refresh uses the configuration of the last update.
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    const refreshed = await project.pulumi('preview', '--refresh', '--diff', '--expect-no-changes');
    expect(refreshed.code, refreshed.output).toBe(0);
    expect(migrationsOf(project.emulator.requests())).toEqual([]);
  });
});
