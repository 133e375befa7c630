/** A stack of native resources on the real engine: created, unchanged, previewed, changed, drifted, imported, deleted. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accounts, migrationsOf } from '../../../cli/harness.ts';
import { describeOnEngine } from '../harness.ts';
import { type NativeProject, openNativeProject } from './project.ts';

const held = ['192.0.2.12', '192.0.2.13', '192.0.2.14'];

function program(checkout: readonly string[], logs: number): string {
  return `
  static:
    type: webdata:ZoneIpAllocation
    properties:
      zones:
        checkout: { ips: [${checkout.join(', ')}] }
        pricing: { ips: [198.51.100.7, 198.51.100.10] }
      sources: [archive]
      spare: parked
  local:
    type: webdata:ManagerSettings
    properties: { zone: checkout, logs: ${logs}, whitelistIps: [10.0.0.0/8] }
  results:
    type: webdata:WebhookDelivery
    properties:
      endpoint: https://hooks.example.com/webdata
      authorization: { fn::secret: canary-authorization }
  nightly:
    type: webdata:CollectorSchedule
    properties:
      collector: c_prices
      every: 24h
      inputs: [{ url: https://shop.example.com/a }]
      delivery: \${results.name}
      paused: true
`;
}

describeOnEngine('a stack of native resources', () => {
  let project: NativeProject;
  beforeAll(async () => {
    project = await openNativeProject(accounts.plain, { isAttached: true });
  });
  afterAll(() => project[Symbol.asyncDispose]());

  it('adopts what is as declared', async () => {
    await project.resources(program(held, 500));
    const { code, output } = await project.pulumi('up', '--yes', '--skip-preview');
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(migrationsOf(project.emulator.requests())).toEqual([]);
    expect(project.emulator.settings()).toMatchObject({ zone: 'checkout', logs: 500 });
  });

  it('then has no changes, with and without a refresh', async () => {
    expect(await project.pulumi('preview', '--refresh', '--expect-no-changes')).toMatchObject({ code: 0 });
    expect(await project.pulumi('preview', '--expect-no-changes')).toMatchObject({ code: 0 });
  });

  it('previews each difference by its path, and each move as a child of the resource', async () => {
    await project.resources(program([...held, '192.0.2.77', '192.0.2.10', '192.0.2.11'], 300));
    const { code, output } = await project.pulumi('preview', '--diff');
    expect(code).toBe(0);
    expect(output).toMatch(
      /~ ips: \[\n +\+ \[0\]: "192\.0\.2\.10"\n +\+ \[1\]: "192\.0\.2\.11"\n +\+ \[5\]: "192\.0\.2\.77"\n/,
    );
    expect(output).toMatch(/~ logs: 500 => 300/);
    expect(output).toMatch(/\+ webdata:index:Move: \(create\)\n.*::pricing → checkout\]/);
    expect(output).toMatch(/\+ webdata:index:Move: \(create\)\n.*::archive → checkout\]/);
    expect(output).toContain('mayIncurCharges: true');
    expect(output).toMatch(/~ webdata:index:Zone: \(update\)\n.*::checkout\]\n +us: "5 → 8"/);
    expect(migrationsOf(project.emulator.requests())).toEqual([]);
    expect(project.emulator.settings()).toMatchObject({ logs: 500 });
  });

  it('makes exactly these calls, and leaves no view in the state', async () => {
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    expect(migrationsOf(project.emulator.requests()).sort()).toEqual([
      'archive -> checkout: 192.0.2.77',
      'pricing -> checkout: 192.0.2.10 192.0.2.11',
    ]);
    const state = await project.state();
    expect(state.map(({ type }) => type).sort()).toEqual([
      'webdata:index:CollectorSchedule',
      'webdata:index:ManagerSettings',
      'webdata:index:WebhookDelivery',
      'webdata:index:ZoneIpAllocation',
    ]);
    expect(await project.pulumi('preview', '--refresh', '--expect-no-changes')).toMatchObject({ code: 0 });
  });

  it('finds drift by its path, fails a check for it, and corrects it', async () => {
    project.emulator.move(['192.0.2.77'], 'pricing');
    project.emulator.setSettings({ logs: 9 });
    const check = await project.pulumi('preview', '--refresh', '--diff', '--expect-no-changes');
    expect(check.code).not.toBe(0);
    expect(check.output).toMatch(/missingIps +: \{\s+\+ 192\.0\.2\.77: "checkout"/);
    expect(check.output).toMatch(/placements +: \{[^}]*\+ 192\.0\.2\.77 +: "pricing"/);
    expect(check.output).toMatch(/~ logs: 9 => 300/);
    expect(check.output).toMatch(/\+ \[5\]: "192\.0\.2\.77"/);
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    expect(project.emulator.ips('checkout')).toContain('192.0.2.77');
    expect(project.emulator.settings()).toMatchObject({ logs: 300 });
  });

  it('registers again what was deleted by another tool, and unregisters what is declared no more', async () => {
    const all = program([...held, '192.0.2.77', '192.0.2.10', '192.0.2.11'], 300);
    await project.serving.registry.deleteSchedule('test/dev', 'nightly');
    await project.resources(all);
    const { output } = await project.pulumi('preview', '--refresh', '--diff');
    expect(output).toContain('+ webdata:index:CollectorSchedule: (create)');
    expect(await project.pulumi('up', '--yes', '--refresh', '--skip-preview')).toMatchObject({ code: 0 });
    await project.resources(all.slice(0, all.indexOf('  nightly:')));
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    expect((await project.state()).map(({ type }) => type)).not.toContain('webdata:index:CollectorSchedule');
  });

  it('leaves the live state as it is when it is destroyed', async () => {
    const moves = migrationsOf(project.emulator.requests()).length;
    const { code, output } = await project.pulumi('destroy', '--yes', '--skip-preview');
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(await project.state()).toEqual([]);
    expect(migrationsOf(project.emulator.requests())).toHaveLength(moves);
  });
});

describeOnEngine('an import', () => {
  it('gives code of each kind that previews without changes', async () => {
    await using project = await openNativeProject(accounts.plain, { isAttached: true });
    const { managerUrl } = project.emulator;
    const ids = { 'ZoneIpAllocation static': 'checkout,pricing', 'ManagerSettings local': managerUrl };
    const generated: string[] = [];
    for (const [resource, id] of Object.entries(ids)) {
      const [kind = '', name = ''] = resource.split(' ');
      const { code, output } = await project.pulumi('import', '--yes', `webdata:index:${kind}`, name, id);
      expect({ code, output }).toMatchObject({ code: 0 });
      generated.push(output.slice(output.lastIndexOf('resources:\n') + 'resources:\n'.length));
    }
    await project.resources(generated.join('\n'));
    const { code, output } = await project.pulumi('preview', '--refresh', '--expect-no-changes', '--diff');
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(migrationsOf(project.emulator.requests())).toEqual([]);
  });
});
