/** What a stack goes through: made, unchanged, changed, drifted, taken down. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accounts, migrationsOf } from '../../cli/harness.ts';
import { describeOnEngine, openProject, type Project, stackTrace } from './harness.ts';

const settings = `{ zone: 'checkout', logs: 500, whitelistIps: ['10.0.0.0/8', '10.0.0.1/32'] }`;

function program(checkout: readonly string[], manager = settings): string {
  return `export const allocation = new ZoneIpAllocation('static', {
    zones: {
      checkout: { ips: ${JSON.stringify(checkout)} },
      pricing: { ips: ['198.51.100.7', '198.51.100.10'] },
    },
    sources: ['archive'],
    spare: 'parked',
  });
  new ManagerSettings('local', ${manager});`;
}

const held = ['192.0.2.12', '192.0.2.13', '192.0.2.14'];
const noChanges = ['--refresh', '--expect-no-changes'];

describeOnEngine('the life of a stack', () => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(accounts.plain);
  });
  afterAll(() => project[Symbol.asyncDispose]());

  it('adopts what is as declared, and says so', async () => {
    await project.program(program(held));
    const up = await project.pulumi('up', '--yes', '--skip-preview');
    expect(up).toMatchObject({ code: 0 });
    expect(up.output).toContain('ZoneIpAllocation checkout, pricing: matches the live state; it is adopted');
    expect(up.output).toMatch(/ManagerSettings http:\/\/127.*: \d settings change/);
    expect(migrationsOf(project.emulator.requests())).toEqual([]);
    expect(project.emulator.settings()).toMatchObject({ zone: 'checkout', logs: 500 });
  });

  it('has nothing to do after that, also where unmanaged IPs are in its zones', async () => {
    expect(project.emulator.ips('checkout').length).toBeGreaterThan(held.length);
    expect(await project.pulumi('preview', '--expect-no-changes')).toMatchObject({ code: 0 });
    expect(await project.pulumi('refresh', '--yes', '--expect-no-changes')).toMatchObject({ code: 0 });
  });

  it('takes other orders and spellings of the same for no change', async () => {
    const same = `{ zone: 'checkout', logs: 500, whitelistIps: ['10.0.0.1', '10.0.0.0/8', '10.0.0.0/8'] }`;
    await project.program(program([...held].reverse(), same));
    project.emulator.setSettings({ har_limit: 77 });
    expect(await project.pulumi('preview', ...noChanges)).toMatchObject({ code: 0 });
  });

  it('shows each move and each setting once, and makes exactly these, one call a pair', async () => {
    await project.program(program([...held, '192.0.2.77', '192.0.2.10', '192.0.2.11'], settings.replace('500', '300')));
    const { code, output } = await project.pulumi('up', '--yes', '--diff');
    expect(code).toBe(0);
    const updating = output.indexOf('Updating (');
    const preview = output.slice(0, updating);
    expect(preview).toContain('ZoneIpAllocation checkout, pricing: 3 IPs move in 2 calls (may incur charges)');
    expect(preview).toMatch(/2 IPs {2}from pricing {2}to checkout {2}192\.0\.2\.10 us, 192\.0\.2\.11 us/);
    expect(preview).toMatch(/1 IP {3}from archive {2}to checkout {2}192\.0\.2\.77 us/);
    expect(preview).toMatch(/~ logs {2}500 → 300/);
    expect(preview).toMatch(/\+ +\[\d\]: "192\.0\.2\.77"/);
    expect(preview).toMatch(/~ logs +: 500 => 300/);
    // The update is a process of its own, and shows what it sends: a preview may have been skipped, or be old.
    expect(output.slice(updating).split('3 IPs move in 2 calls')).toHaveLength(2);
    expect(migrationsOf(project.emulator.requests()).sort()).toEqual([
      'archive -> checkout: 192.0.2.77',
      'pricing -> checkout: 192.0.2.10 192.0.2.11',
    ]);
    const [allocation] = await project.state('ZoneIpAllocation');
    expect(allocation?.outputs.moved).toHaveLength(3);
    expect(allocation?.outputs.placements).not.toHaveProperty(['192.0.2.77']);
    expect(await project.pulumi('preview', ...noChanges)).toMatchObject({ code: 0 });
  });

  it('shows drift when it is refreshed, fails a check for it, and heals it', async () => {
    project.emulator.move(['192.0.2.77'], 'pricing');
    project.emulator.setSettings({ logs: 9 });
    const refresh = await project.pulumi('refresh', '--preview-only', '--diff');
    expect(refresh.output).toMatch(/missingIps +: {\s+\+ 192\.0\.2\.77 *: "checkout"/);
    expect(refresh.output).toMatch(/~ logs +: 300 => 9/);
    const check = await project.pulumi('preview', ...noChanges);
    expect(check.code).not.toBe(0);
    expect(check.output).toContain('no changes were expected');
    const up = await project.pulumi('up', '--yes', '--skip-preview');
    expect(up.code).toBe(0);
    expect(project.emulator.ips('checkout')).toContain('192.0.2.77');
    expect(project.emulator.settings()).toMatchObject({ logs: 300 });
    expect(await project.pulumi('preview', ...noChanges)).toMatchObject({ code: 0 });
  });

  it('moves an IP once where one zone is exchanged for another', async () => {
    const before = migrationsOf(project.emulator.requests()).length;
    const exchanged = program([]).replace('checkout: { ips: [] }', `archive: { ips: ['192.0.2.77'] }`);
    await project.program(exchanged.replace(`sources: ['archive']`, `sources: ['old-pricing']`));
    const { code, output } = await project.pulumi('up', '--yes', '--skip-preview');
    expect(output).toMatch(/1 IP {2}from checkout {2}to archive {2}192\.0\.2\.77 us/);
    expect(code).toBe(0);
    expect(migrationsOf(project.emulator.requests()).slice(before)).toEqual(['checkout -> archive: 192.0.2.77']);
    expect(output).toMatch(/~ 2 updated/);
    expect(output).not.toContain('replace');
  });

  it('replaces settings whose manager is another one, and moves nothing for it', async () => {
    await using other = await openProject(accounts.plain);
    await project.program(`new ManagerSettings('local', { url: '${other.emulator.managerUrl}', logs: 300 });`);
    const { code, output } = await project.pulumi('up', '--yes', '--skip-preview');
    expect(code).toBe(0);
    expect(output).toMatch(/1 replaced/);
    expect(other.emulator.settings()).toMatchObject({ logs: 300 });
    const [manager] = await project.state('ManagerSettings');
    expect(manager?.id).toBe(other.emulator.managerUrl);
  });

  it('leaves the live state as it is when it is taken down', async () => {
    const before = migrationsOf(project.emulator.requests()).length;
    const { code, output } = await project.pulumi('destroy', '--yes', '--skip-preview');
    expect(output).not.toMatch(stackTrace);
    expect(code).toBe(0);
    expect(await project.state('ManagerSettings')).toEqual([]);
    expect(migrationsOf(project.emulator.requests()).length).toBe(before);
  });

  it('gives its IPs to the spare where it is told to', async () => {
    await project.program(
      `new ZoneIpAllocation('static', { zones: { archive: { ips: ['192.0.2.77'] } }, spare: 'parked', onDelete: 'release' });`,
    );
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    expect(await project.pulumi('destroy', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    expect(project.emulator.ips('parked')).toContain('192.0.2.77');
  });
});
