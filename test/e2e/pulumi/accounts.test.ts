/**
 * The core of a stack's life on an account that differs from the specification, with a profile. life.test.ts has all of it on the plain one, and
 * native/failures.test.ts has the stranger.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accounts, migrationsOf } from '../../cli/harness.ts';
import { describeOnEngine, openProject, type Project } from './harness.ts';

const program = `new ZoneIpAllocation('static', {
  zones: { checkout: { ips: ['192.0.2.10', '192.0.2.11'] }, pricing: { count: { de: 5 } } },
  sources: ['old-pricing'],
  spare: 'parked',
});
new ManagerSettings('local', { zone: 'checkout', logs: 500, whitelistIps: ['10.0.0.0/8'] });
`;

const profile = {
  geolocation: { first: 'atlas', others: ['borealis', 'compass', 'daylight'] },
  settleSeconds: 2,
};

describeOnEngine('a stack on the odd account', () => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(accounts.odd, { profile });
    await project.program(program);
  });
  afterAll(() => project[Symbol.asyncDispose]());

  it('is made, has nothing to do after that, and heals what was changed behind its back', async () => {
    const { emulator, pulumi } = project;
    const up = await pulumi('up', '--yes', '--skip-preview');
    expect(up.output).toContain('4 IPs move in 2 calls');
    expect(up.code).toBe(0);
    expect(emulator.ips('checkout')).toEqual(expect.arrayContaining(['192.0.2.10', '192.0.2.11']));
    expect(emulator.settings()).toMatchObject({ zone: 'checkout', logs: 500 });
    const sent = migrationsOf(emulator.requests()).length;
    expect(await pulumi('preview', '--refresh', '--expect-no-changes')).toMatchObject({ code: 0 });

    emulator.move(['192.0.2.10'], 'parked');
    emulator.setSettings({ logs: 7 });
    expect(await pulumi('up', '--yes', '--skip-preview', '--refresh')).toMatchObject({ code: 0 });
    expect(migrationsOf(emulator.requests()).slice(sent)).toEqual(['parked -> checkout: 192.0.2.10']);
    expect(emulator.settings()).toMatchObject({ logs: 500 });
  });
});
