/** Native resources under Pulumi's own resource options, and after an engine that was killed. */
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { accounts, migrationsOf } from '../../../cli/harness.ts';
import { describeOnEngine, path, startPulumi } from '../harness.ts';
import { killSession } from '../processes.ts';
import { type NativeProject, openNativeProject, pluginFolder } from './project.ts';

const noChanges = ['preview', '--refresh', '--expect-no-changes'];

async function up(project: NativeProject, resources: string): Promise<string> {
  await project.resources(resources);
  const { code, output } = await project.pulumi('up', '--yes', '--skip-preview');
  expect(code, output).toBe(0);
  return output;
}

const settings = (name: string, logs: number, options: string) => `
  ${name}:
    type: webdata:ManagerSettings
    properties: { logs: ${logs} }
    options: ${options}
`;

describeOnEngine('native resources', () => {
  it('keep ignored inputs, are replaced on request, renamed by an alias, and protected', async () => {
    await using project = await openNativeProject(accounts.plain, { isAttached: true });
    await up(project, settings('local', 300, '{}'));

    await up(project, settings('local', 301, '{ ignoreChanges: [logs] }'));
    expect(project.emulator.settings()).toMatchObject({ logs: 300 });

    project.emulator.setSettings({ logs: 77 });
    await up(project, settings('local', 302, '{ ignoreChanges: [logs] }'));
    expect(project.emulator.settings()).toMatchObject({ logs: 77 });
    expect(await project.pulumi(...noChanges)).toMatchObject({ code: 0 });
    await project.pulumi('up', '--yes', '--skip-preview', '--refresh');
    expect(project.emulator.settings()).toMatchObject({ logs: 77 });

    const replaced = await up(project, settings('local', 302, '{ replaceOnChanges: [logs] }'));
    expect(replaced).toMatch(/local .*(replac|create-replacement|delet)/);
    expect(project.emulator.settings()).toMatchObject({ logs: 302 });

    const renamed = await up(
      project,
      settings(
        'manager',
        302,
        '{ aliases: ["urn:pulumi:dev::test::webdata:index:ManagerSettings::local"], deleteBeforeReplace: true }',
      ),
    );
    expect(renamed).not.toMatch(/creat|delet/);
    expect((await project.state()).map(({ urn }) => urn)).toEqual([expect.stringMatching(/::manager$/)]);

    await up(project, settings('manager', 302, '{ protect: true }'));
    const destroyed = await project.pulumi('destroy', '--yes', '--skip-preview');
    expect(destroyed.code).not.toBe(0);
    expect(destroyed.output).toContain('protect');
    expect(await project.pulumi(...noChanges)).toMatchObject({ code: 0 });
  });

  it('are deleted before they are replaced: a registration under another name', async () => {
    await using project = await openNativeProject(accounts.plain, { isAttached: true });
    const delivery = (name: string) => `
  results:
    type: webdata:WebhookDelivery
    properties: { name: ${name}, owner: team/prod, endpoint: https://hooks.example.com/webdata }
`;
    await up(project, delivery('one'));
    await up(project, delivery('other'));
    const { deliveries } = await project.serving.registry.records('team/prod');
    expect(Object.keys(deliveries)).toHaveLength(1);
    expect(await project.pulumi(...noChanges)).toMatchObject({ code: 0 });
  });
});

describeOnEngine('an engine that is killed in the middle of an update', () => {
  it('leaves a stack that converges, and nothing is moved twice', async () => {
    await using project = await openNativeProject(accounts.plain);
    await project.resources(`
  static:
    type: webdata:ZoneIpAllocation
    properties:
      zones: { checkout: { ips: [192.0.2.77, 192.0.2.10, 198.51.100.20] } }
      sources: [pricing, archive, old-pricing]
`);
    project.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 2, fault: { kind: 'delay', ms: 3_000 } });
    const env = { PATH: `${pluginFolder}:${path}` };
    const running = startPulumi(['up', '--yes', '--skip-preview'], project.folder, { env, alone: true });
    while (migrationsOf(project.emulator.requests()).length < 2) await setTimeout(20);
    killSession(running.child.pid ?? 0);
    await running.finished;
    await project.pulumi('cancel', '--yes', 'dev');
    const again = await project.pulumi('up', '--yes', '--skip-preview');
    expect(again.code, again.output).toBe(0);
    const calls = migrationsOf(project.emulator.requests());
    expect(new Set(calls).size, calls.join('\n')).toBe(calls.length);
    expect(calls).toHaveLength(3);
    expect(project.emulator.ips('checkout')).toEqual(
      expect.arrayContaining(['192.0.2.77', '192.0.2.10', '198.51.100.20']),
    );
    expect(await project.pulumi(...noChanges, '--run-program')).toMatchObject({ code: 0 });
  });
});
