/** Listings that are only a part, that name an IP twice, or have entries that are no IPv4 addresses. */
import { expect, it } from 'vitest';
import { accountWith, migrationsOf, openDeclared, openHarness, serviceYaml } from '../harness.ts';

const declaration = 'zoneIpAllocations: { static: { zones: { checkout: { count: 2 } }, spare: parked } }\n';

async function openPart() {
  const account = await accountWith('plain', ({ dialect }) => {
    dialect.listing.limit = 3;
  });
  const harness = await openHarness(account);
  await harness.write('webdata.yaml', serviceYaml('plain') + declaration);
  return harness;
}

it('a listing that is not whole is named by the plan and by doctor, and moves nothing without consent', async () => {
  await using harness = await openPart();
  const { code, stdout } = await harness.webdata('apply', '--yes');
  const part = 'listing of checkout is not whole: `total` is 8, beside 3 entries';
  expect([code, stdout.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(part)]);
  expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  expect((await harness.webdata('doctor')).stdout.replaceAll(/\s+/g, ' ')).toContain(part);
  const migrate = ['zones', 'migrate', '--yes', '--from', 'pricing', '--to', 'archive', '192.0.2.10'];
  expect(await harness.webdata(...migrate)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('pass --allow-unclear-listing'),
  });
  expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  await harness.webdata('apply', '--yes', '--allow-unclear-listing');
  expect(migrationsOf(harness.emulator.requests())).toEqual(['checkout -> parked: 192.0.2.14']);
});

it('an IP that is listed twice counts once', async () => {
  const entries = ['192.0.2.12', '192.0.2.13', '192.0.2.12'].map((ip) => ({ ip, geo_db_1: 'us' }));
  await using harness = await openDeclared('plain', declaration.replace(', spare: parked', ''));
  harness.emulator.addFault({ route: 'zone/ips', fault: { kind: 'status', status: 200, body: { ips: entries } } });
  expect((await harness.webdata('plan')).stdout).toContain('No changes.');
  const { stdout } = await harness.webdata('zones', 'ips', 'checkout', '--format', 'csv');
  expect(stdout.trim().split('\n')).toHaveLength(3);
});

it('entries that are no IPv4 addresses neither count nor move, also in a spare, and every command names them', async () => {
  const account = await accountWith('plain', ({ dialect }) => {
    dialect.listing.others = [{ ip: '2001:db8::1' }, { ip: 'any' }];
  });
  await using harness = await openHarness(account);
  await harness.write('webdata.yaml', serviceYaml('plain') + declaration);
  const note = 'entries of ZONE that are no IPv4 addresses do not count and never move: 2001:db8::1, "any"';
  for (const command of [['plan'], ['drift'], ['show'], ['doctor'], ['pull'], ['apply', '--yes'], ['plan']]) {
    const { stdout, stderr } = await harness.webdata(...command);
    const said = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
    for (const zone of ['checkout', 'parked'])
      expect([command, said]).toEqual([command, expect.stringContaining(note.replace('ZONE', zone))]);
  }
  expect(migrationsOf(harness.emulator.requests())).toHaveLength(1);
  expect((await harness.webdata('plan')).stdout).toContain('No changes.');
});
