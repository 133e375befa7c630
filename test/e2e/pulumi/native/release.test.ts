/** A release of the provider plugin, installed from its archive. */
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
