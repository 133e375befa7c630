/** Native resources whose provider is a process of its own, and a provider that refreshes before updates. */
import { expect, it } from 'vitest';
import { accounts, migrationsOf } from '../../../cli/harness.ts';
import { describeOnEngine, path, startPulumi } from '../harness.ts';
import { sampled } from '../processes.ts';
import { openNativeProject, pluginFolder } from './project.ts';

const threeCalls = `
  static:
    type: webdata:ZoneIpAllocation
    properties:
      zones: { checkout: { ips: [192.0.2.77, 192.0.2.10, 198.51.100.20] } }
      sources: [pricing, archive, old-pricing]
`;

describeOnEngine('an update of native resources', () => {
  it('shows drift in a plain preview, if the provider refreshes before updates', async () => {
    await using project = await openNativeProject(accounts.plain, { isAttached: true });
    await project.pulumi('config', 'set', 'webdata:refreshBeforeUpdate', 'true');
    const settings = '\n  local:\n    type: webdata:ManagerSettings\n    properties: { logs: 300 }\n';
    await project.resources(settings);
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    expect(await project.pulumi('preview', '--expect-no-changes')).toMatchObject({ code: 0 });
    project.emulator.setSettings({ logs: 9 });
    const { code, output } = await project.pulumi('preview', '--diff', '--expect-no-changes');
    expect(code).not.toBe(0);
    expect(output).toMatch(/~ logs: 9 => 300/);
  });
});

describeOnEngine('the plugin as a process', () => {
  it('reads keys from the environment of each command, and keeps them out of states and process lists', async () => {
    const env: Record<string, string> = {};
    await using project = await openNativeProject(accounts.plain, { env });
    await project.pulumi('config', 'rm', 'webdata:apiKey');
    env.WEBDATA_API_KEY = project.emulator.keys.ops;
    await project.resources(threeCalls);
    const up = await sampled(() => project.pulumi('up', '--yes', '--skip-preview'));
    expect(up.result.code, up.result.output).toBe(0);
    env.WEBDATA_API_KEY = project.emulator.refreshKey('ops');
    expect(await project.pulumi('refresh', '--yes', '--expect-no-changes')).toMatchObject({ code: 0 });
    const { output } = await project.pulumi('stack', 'export', '--show-secrets');
    for (const key of [project.emulator.keys.ops, env.WEBDATA_API_KEY]) {
      expect(output).not.toContain(key);
      for (const command of up.sampling.commands) expect(command).not.toContain(key);
    }
    expect([...up.sampling.commands].join('\n')).toContain('pulumi-resource-webdata');
    expect(await project.pulumi('destroy', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
  });

  it('finishes and records the call in progress when the update is cancelled', async () => {
    await using project = await openNativeProject(accounts.plain);
    await project.resources(threeCalls);
    project.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'delay', ms: 2_000 } });
    const env = { PATH: `${pluginFolder}:${path}` };
    const running = startPulumi(['up', '--yes', '--skip-preview'], project.folder, { env });
    while (migrationsOf(project.emulator.requests()).length === 0) await new Promise((done) => setTimeout(done, 20));
    running.child.kill('SIGINT');
    const { code } = await running.finished;
    expect(code).not.toBe(0);
    const [done, ...others] = migrationsOf(project.emulator.requests());
    expect(others).toEqual([]);
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    const calls = migrationsOf(project.emulator.requests());
    expect(calls.filter((call) => call === done)).toHaveLength(1);
    expect(calls).toHaveLength(3);
  });
});
