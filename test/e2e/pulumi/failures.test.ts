/**
 * What a person is told when something is wrong, and what is left when it goes wrong half-way: one case of each sort.
 * test/providers has the others, without the engine.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accounts, migrationsOf } from '../../cli/harness.ts';
import { describeOnEngine, openProject, type Project, stackTrace } from './harness.ts';

const threeCalls = `new ZoneIpAllocation('static', {
  zones: { checkout: { ips: ['192.0.2.77', '192.0.2.10', '198.51.100.20'] } },
  sources: ['pricing', 'archive', 'old-pricing'],
});`;

describeOnEngine('an update that fails half-way', () => {
  it('keeps what was done in the state, and the next one does the rest, and nothing twice', async () => {
    await using project = await openProject(accounts.plain);
    const { emulator } = project;
    await project.program(threeCalls.replace(/ips: \[.*\]/, 'count: 8'));
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    emulator.clearRequests();

    await project.program(threeCalls);
    emulator.addFault({
      route: 'zone/ips/migrate',
      occurrence: 2,
      fault: { kind: 'status', status: 409, body: 'busy' },
    });
    const failed = await project.pulumi('up', '--yes', '--skip-preview');
    expect(failed.code).not.toBe(0);
    expect(failed.output).toMatch(/ZoneIpAllocation \(static\)/);
    expect(failed.output).toContain('busy');
    expect(failed.output).toContain('the next `pulumi up` continues from there');
    expect(failed.output).not.toMatch(stackTrace);
    const [done, refused] = migrationsOf(emulator.requests());
    const [kept] = await project.state('ZoneIpAllocation');
    const moved = kept?.outputs.moved as { ip: string; from: string; to: string }[];
    expect(moved.map(({ ip, from, to }) => `${from} -> ${to}: ${ip}`)).toEqual([done]);

    const again = await project.pulumi('up', '--yes', '--skip-preview');
    expect(again).toMatchObject({ code: 0 });
    const asked = migrationsOf(emulator.requests());
    expect(asked).toHaveLength(4);
    expect(asked.filter((call) => call === done)).toHaveLength(1);
    expect(asked.filter((call) => call === refused)).toHaveLength(2);
    expect(await project.pulumi('preview', '--refresh', '--expect-no-changes')).toMatchObject({ code: 0 });
  });

  it('keeps a new resource too, of which a part was made', async () => {
    await using project = await openProject(accounts.plain);
    await project.program(threeCalls);
    project.emulator.addFault({ route: 'zone/ips/migrate', occurrence: [2], fault: { kind: 'drop-before' } });
    const failed = await project.pulumi('up', '--yes', '--skip-preview');
    expect(failed.code).not.toBe(0);
    expect(failed.output).not.toMatch(stackTrace);
    expect(await project.state('ZoneIpAllocation')).toHaveLength(1);
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    for (const ip of ['192.0.2.77', '192.0.2.10', '198.51.100.20'])
      expect(project.emulator.ips('checkout')).toContain(ip);
    expect(await project.pulumi('destroy', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
  });
});

describeOnEngine('a move that the service accepted and no listing shows', () => {
  it('is not sent again by the next update, and is no drift', async () => {
    await using project = await openProject(accounts.plain);
    const { emulator } = project;
    await project.program(
      `new ZoneIpAllocation('static', { zones: { checkout: { ips: ['192.0.2.10'] } }, sources: ['pricing'] });`,
    );
    emulator.addFault({ route: 'zone/ips', fault: { kind: 'stale', ms: 600_000 } });
    const up = () => project.pulumi('up', '--yes', '--skip-preview');
    expect((await up()).output).toContain('not visible in checkout yet: 192.0.2.10');
    const again = await up();
    expect(again.code).not.toBe(0);
    expect(again.output).toContain('an earlier update moved 1 IP from pricing to checkout');
    expect(await project.pulumi('refresh', '--yes')).toMatchObject({ code: 0 });
    const [kept] = await project.state('ZoneIpAllocation');
    expect(kept?.outputs.openCalls).toHaveLength(1);
    expect(kept?.inputs).toMatchObject({ zones: { checkout: { ips: ['192.0.2.10'] } } });
    emulator.clearFaults();
    expect(await up()).toMatchObject({ code: 0 });
    const [settled] = await project.state('ZoneIpAllocation');
    expect(settled?.outputs).not.toHaveProperty('openCalls');
    expect(await project.pulumi('preview', '--refresh', '--expect-no-changes')).toMatchObject({ code: 0 });
    expect(migrationsOf(emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
  });
});

describeOnEngine('what is wrong', () => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(accounts.plain);
  });
  afterAll(() => project[Symbol.asyncDispose]());

  async function preview(program: string): Promise<string> {
    await project.program(program);
    const { code, output } = await project.pulumi('preview');
    expect(code).not.toBe(0);
    expect(output).not.toMatch(stackTrace);
    expect(output).toMatch(/resource '(static|other)'/);
    return output;
  }

  const plain = `new ZoneIpAllocation('static', { zones: { checkout: { count: 8 } }, spare: 'parked' });`;

  it('is a key that the service refuses', async () => {
    const { keys } = project.emulator;
    await project.secret('apiKey', 'wrong');
    expect(await preview(plain)).toContain('pulumi config set --secret webdata:apiKey');
    await project.secret('apiKey', keys.finance);
    expect(await preview(plain)).toContain('Admin or Ops');
    await project.secret('apiKey', keys.ops);
  });

  it('is said when a stack is refreshed or taken down, and nothing is lost', async () => {
    await project.program(plain.replace('spare', `onDelete: 'release', spare`));
    expect(await project.pulumi('up', '--yes', '--skip-preview')).toMatchObject({ code: 0 });
    project.emulator.refreshKey('ops');
    for (const command of [
      ['refresh', '--yes'],
      ['destroy', '--yes', '--skip-preview'],
    ]) {
      const { code, output } = await project.pulumi(...command);
      expect(output).toContain('ZoneIpAllocation (static)');
      expect(output).toContain('pulumi config set --secret webdata:apiKey');
      expect(code).not.toBe(0);
      expect(output).not.toMatch(stackTrace);
      expect(await project.state('ZoneIpAllocation')).toHaveLength(1);
    }
    await project.secret('apiKey', project.emulator.keys.ops);
    expect(await project.pulumi('preview', '--expect-no-changes')).toMatchObject({ code: 0 });
    expect(await project.pulumi('refresh', '--yes', '--run-program')).toMatchObject({ code: 0 });
  });
});
