/** Listings that are only a part, or that name an IP twice. */
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
  const part = 'listing is not whole: `total` is 8, beside 3 entries';
  expect([code, stdout.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(part)]);
  expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  expect((await harness.webdata('doctor')).stdout.replaceAll(/\s+/g, ' ')).toContain(part);
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
