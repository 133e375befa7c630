/** Several resources of one account, which share what it holds. */
import { expect, it } from 'vitest';
import { accounts, migrationsOf } from '../../cli/harness.ts';
import { describeOnEngine, openProject } from './harness.ts';

const noChanges = ['--refresh', '--expect-no-changes'];

describeOnEngine('several resources of one account', () => {
  it('converge in one update where an IP of each goes to the other, and where they share a spare', async () => {
    await using project = await openProject(accounts.plain);
    const { emulator } = project;
    const [wanted = ''] = emulator.ips('parked');
    const two = (checkout: string, pricing: string) => `
      new ZoneIpAllocation('a', { zones: { checkout: { ips: ['${checkout}'] } } });
      new ZoneIpAllocation('b', { zones: { pricing: { ips: ['${pricing}'] } } });`;
    await project.program(two('192.0.2.12', '198.51.100.10'));
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });

    await project.program(`${two('198.51.100.10', '192.0.2.12')}
      new ZoneIpAllocation('c', { zones: { archive: { count: ${emulator.ips('archive').length + 2} } }, spare: 'parked' });
      new ZoneIpAllocation('d', { zones: { 'old-pricing': { ips: ['${wanted}'] } }, spare: 'parked' });`);
    const { code, output } = await project.pulumi('up', '--yes', '--skip-preview');
    expect(output).toMatch(/1 IP {2}from pricing {2}to checkout {2}198\.51\.100\.10/);
    expect(output).toMatch(/1 IP {2}from checkout {2}to pricing {2}192\.0\.2\.12/);
    expect(code).toBe(0);
    expect(emulator.ips('checkout')).toContain('198.51.100.10');
    expect(emulator.ips('pricing')).toContain('192.0.2.12');
    expect(emulator.ips('old-pricing')).toContain(wanted);
    const moved = emulator
      .requests()
      .flatMap(({ route, body }) => (route === 'zone/ips/migrate' ? (body as { ips: string[] }).ips : []));
    expect(moved).toHaveLength(new Set(moved).size);
    expect(await project.pulumi('preview', ...noChanges)).toMatchObject({ code: 0 });
  });

  it('take what others put out, before it is known', async () => {
    await using project = await openProject(accounts.plain);
    await project.program(`
      const allocation = new ZoneIpAllocation('a', { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] });
      new ManagerSettings('local', { whitelistIps: allocation.ipsOf('checkout') });`);
    const settings = project.emulator.settings();
    const preview = await project.pulumi('preview');
    expect(preview.code).toBe(0);
    expect(migrationsOf(project.emulator.requests())).toEqual([]);
    expect(project.emulator.settings()).toEqual(settings);
    expect(preview.output).toContain('ManagerSettings: its calls can be shown once whitelistIps is known');
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    expect(project.emulator.settings().whitelist_ips).toEqual(project.emulator.ips('checkout').sort());
    expect(await project.pulumi('preview', ...noChanges)).toMatchObject({ code: 0 });
  });
});
