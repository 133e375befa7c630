/** Native resources when something fails, or when a program uses the finer options of Pulumi. */
import { expect, it } from 'vitest';
import { accounts, migrationsOf } from '../../../cli/harness.ts';
import { describeOnEngine, path, stackTrace, startPulumi } from '../harness.ts';
import { sampled } from '../processes.ts';
import { openNativeProject, pluginFolder } from './project.ts';

const threeCalls = `
  static:
    type: webdata:ZoneIpAllocation
    properties:
      zones: { checkout: { ips: [192.0.2.77, 192.0.2.10, 198.51.100.20] } }
      sources: [pricing, archive, old-pricing]
`;

const noChanges = ['preview', '--refresh', '--expect-no-changes'];

describeOnEngine('an update of native resources', () => {
  it('keeps what was done in the state if it fails half-way, and continues without repeating a call', async () => {
    await using project = await openNativeProject(accounts.plain, { isAttached: true });
    const { emulator } = project;
    await project.resources(threeCalls);
    const fault = { kind: 'status', status: 409, body: 'busy' } as const;
    emulator.addFault({ route: 'zone/ips/migrate', occurrence: 2, fault });
    const failed = await project.pulumi('up', '--yes', '--skip-preview');
    expect(failed.code).not.toBe(0);
    expect(failed.output).toContain('busy');
    expect(failed.output).not.toMatch(stackTrace);
    const [done] = migrationsOf(emulator.requests());
    const [kept] = await project.state();
    const moved = kept?.outputs.moved as { ip: string; from: string; to: string }[];
    expect(moved.map(({ ip, from, to }) => `${from} -> ${to}: ${ip}`)).toEqual([done]);

    const again = await project.pulumi('up', '--yes', '--skip-preview');
    expect(again.code, again.output).toBe(0);
    const calls = migrationsOf(emulator.requests());
    expect(calls).toHaveLength(4);
    expect(calls.filter((call) => call === done)).toHaveLength(1);
    expect(await project.pulumi(...noChanges)).toMatchObject({ code: 0 });
  });

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

describeOnEngine('on the stranger account', () => {
  it('native resources are created, have no changes then, and heal what was changed behind their back', async () => {
    await using project = await openNativeProject(accounts.stranger, { isAttached: true, profile: {} });
    const { emulator } = project;
    await project.resources(`
  static:
    type: webdata:ZoneIpAllocation
    properties:
      zones: { checkout: { ips: [192.0.2.10, 192.0.2.11] }, pricing: { count: { de: 5 } } }
      sources: [old-pricing]
      spare: parked
  local:
    type: webdata:ManagerSettings
    properties: { zone: checkout, logs: 500, whitelistIps: [10.0.0.0/8] }
`);
    const { code, output } = await project.pulumi('up', '--yes', '--skip-preview');
    expect(code, output).toBe(0);
    expect(migrationsOf(emulator.requests())).toHaveLength(2);
    expect(emulator.ips('checkout')).toEqual(expect.arrayContaining(['192.0.2.10', '192.0.2.11']));
    expect(emulator.settings()).toMatchObject({ zone: 'checkout', logs: 500 });
    expect(await project.pulumi(...noChanges)).toMatchObject({ code: 0 });

    emulator.move(['192.0.2.10'], 'parked');
    emulator.setSettings({ logs: 7 });
    expect(await project.pulumi('up', '--yes', '--skip-preview', '--refresh')).toMatchObject({ code: 0 });
    expect(migrationsOf(emulator.requests()).slice(2)).toEqual(['parked -> checkout: 192.0.2.10']);
    expect(emulator.settings()).toMatchObject({ logs: 500 });
  });
});
