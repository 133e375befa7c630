/** A geolocation database that changes or loses the country of an IP moves nothing, and no IP is left unnamed. */
import { describe, expect, it } from 'vitest';
import { type Harness, migrationsOf, openDeclared } from '../harness.ts';

const declared = (more = '') =>
  `zoneIpAllocations: { static: { zones: { checkout: { count: { us: 5, de: 3 } } }, spare: parked${more} } }\n`;

/** An applied declaration, after which the databases say something else about three of the IPs. */
async function openChanged(more?: string): Promise<Harness> {
  const harness = await openDeclared('plain', declared(more));
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  const { emulator } = harness;
  const relocate = (ip: string, country: string) => {
    emulator.removeIps([ip]);
    emulator.addIps('checkout', [{ ip, countries: [country, country, country, country] }]);
  };
  relocate('192.0.2.12', 'ca');
  for (const ip of ['203.0.113.10', '203.0.113.11']) relocate(ip, '');
  emulator.clearRequests();
  return harness;
}

const named = ['192.0.2.12 in checkout: us before, ca now', '203.0.113.10 in checkout: de before, unknown now'];

describe.each(['', ', unmanaged: release'])('countries that a database has changed or lost%s', (more) => {
  it.each([
    [['plan', '--detailed-exitcode']],
    [['drift']],
    [['apply', '--yes']],
  ])('are named by %j, which moves nothing', async (args) => {
    await using harness = await openChanged(more);
    const { code, stdout } = await harness.webdata(...args);
    for (const text of named) expect(stdout).toContain(text);
    expect(code).toBe(0);
    expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  });

  it('are counted as they are listed, and then known, with consent', async () => {
    await using harness = await openChanged(more);
    expect(await harness.webdata('apply', '--yes', '--allow-unclear-listing')).toMatchObject({ code: 0 });
    expect(migrationsOf(harness.emulator.requests()).join('\n')).toMatch(/parked -> checkout: .*198.51.100.30/);
    const { code, stdout } = await harness.webdata('plan', '--detailed-exitcode');
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('before, ')]);
  });
});

it('a declaration is not edited because a database has changed', async () => {
  await using harness = await openChanged();
  harness.emulator.move(['192.0.2.13'], 'parked');
  const before = await harness.read('webdata.yaml');
  const refused = await harness.webdata('drift', '--accept', '--yes');
  expect(refused.code).toBe(2);
  for (const text of named) expect(refused.stdout + refused.stderr).toContain(text);
  expect(await harness.read('webdata.yaml')).toBe(before);
});

it('an IP whose country was never known is neither released nor replaced', async () => {
  await using harness = await openDeclared('plain', declared(', unmanaged: release').replace('us: 5', 'us: 6'));
  harness.emulator.addIps('checkout', [{ ip: '192.0.2.99', countries: ['', '', '', ''] }]);
  const { code, stdout } = await harness.webdata('apply', '--yes');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    '192.0.2.99 in checkout: unknown now; nothing moved it, so it stays',
  );
  expect(code).toBe(0);
  expect(migrationsOf(harness.emulator.requests())).toEqual([]);
});
