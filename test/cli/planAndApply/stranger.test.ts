/** The commands on the stranger account, without a profile: what its answers leave open is found out, and said. */
import { describe, expect, test } from 'vitest';
import { readAccount } from '../../../src/emulator/index.ts';
import { accounts, openHarness } from '../harness.ts';

const stranger = () => readAccount(accounts.stranger);

const declaration = `zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10] }
      pricing: { count: { us: 5 } }
    sources: [old-pricing]
    spare: parked
`;

describe('the stranger account', () => {
  test('is planned, applied and has no drift, and the profile to pin is printed once', async () => {
    await using harness = await openHarness(await stranger());
    await harness.write('webdata.yaml', `service: { profile: { settleSeconds: 1 } }\n${declaration}`);
    const planned = await harness.webdata('plan');
    expect(planned.code, planned.stderr).toBe(0);
    const pinned = 'service: { profile: { geolocation: { first: atlas, others: [borealis, compass, daylight] } } }';
    expect(planned.stdout.replaceAll(/\s+/g, ' ').split(pinned)).toHaveLength(2);
    const [{ notes }] = JSON.parse((await harness.webdata('plan', '--format', 'json')).stdout).resources;
    expect(notes).toContainEqual({ code: 'profile-inferred', text: expect.stringContaining(pinned) });
    const applied = await harness.webdata('apply', '--yes');
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
    expect((await harness.webdata('drift')).code).toBe(0);
  });

  test('counts the IPs of a zone, whose countries the service does not count', async () => {
    await using harness = await openHarness(await stranger());
    const { code, stdout } = await harness.webdata('zones', 'countries', 'parked', '--format', 'json');
    expect([code, JSON.parse(stdout)]).toEqual([0, { us: 2, de: 2, jp: 4 }]);
  });

  test('does not fill a zone whose listing is no listing, unless it is allowed', async () => {
    await using harness = await openHarness(await stranger());
    await harness.write(
      'webdata.yaml',
      'service: { profile: { settleSeconds: 1 } }\nzoneIpAllocations: { static: { zones: { empty: { count: { us: 1 } } }, spare: parked } }\n',
    );
    const refused = await harness.webdata('plan');
    expect(refused.code).toBe(1);
    expect(refused.stdout + refused.stderr).toContain(
      'empty would be filled, but the service answered its listing with an empty answer instead of a list of IPs',
    );
    expect((await harness.webdata('plan', '--allow-unclear-listing')).code).toBe(0);
    const accepted = await harness.webdata('drift', '--accept', '--yes');
    expect(accepted.code).toBe(1);
    expect(accepted.stdout + accepted.stderr).toContain('if empty is empty, pass --allow-unclear-listing');
    const applied = await harness.webdata('apply', '--yes', '--allow-unclear-listing');
    expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  });

  test('shows with --log-http what did not fit', async () => {
    const account = await stranger();
    account.dialect.listing.form = 'object';
    await using harness = await openHarness(account);
    const { stderr } = await harness.webdata(
      'zones',
      'migrate',
      '--from',
      'pricing',
      '--to',
      'checkout',
      '--yes',
      '--log-http',
      '192.0.2.10',
    );
    expect(stderr).toContain('http: POST');
  });
});

test('a plan of one setting does not care about the others', async () => {
  const account = await stranger();
  account.dialect.settingsFields = { zone: 'missing', request_stats: 'text', whitelist_ips: 'null' };
  await using harness = await openHarness(account);
  await harness.write('webdata.yaml', 'managerSettings: { local: { logs: 500 } }\n');
  const planned = await harness.webdata('plan', '--detailed-exitcode');
  expect([planned.code, planned.stderr]).toEqual([2, '']);
  const applied = await harness.webdata('apply', '--yes');
  expect(applied.code, applied.stdout + applied.stderr).toBe(0);
  await harness.write('webdata.yaml', 'managerSettings: { local: { zone: checkout } }\n');
  const refused = await harness.webdata('plan');
  expect(refused.code).toBe(1);
  expect(refused.stdout + refused.stderr).toContain('shows no `zone`');
  expect(refused.stdout + refused.stderr).toMatch(/if the manager shows it otherwise: .*readSettings: get/);
});

test('a list that the manager does not show is planned as a whole, beside the problem', async () => {
  const account = await stranger();
  account.dialect.settingsFields = { whitelist_ips: 'missing' };
  await using harness = await openHarness(account);
  await harness.write('webdata.yaml', 'managerSettings: { local: { whitelistIps: [10.0.0.0/8, 10.1.2.3] } }\n');
  const { code, stdout } = await harness.webdata('plan');
  expect(code, stdout).toBe(1);
  expect(stdout).toContain('shows no `whitelist_ips`');
  expect(stdout).toMatch(/\+ whitelistIps +10\.0\.0\.0\/8, 10\.1\.2\.3$/m);
});

test('a page that is not there is written all the same, and the command fails', async () => {
  const account = await stranger();
  await using harness = await openHarness(account);
  const { code, stdout, stderr } = await harness.webdata('request', 'https://example.com/gone', '--zone', 'checkout');
  expect([code, stdout]).toEqual([1, '{"reason": "gone"}']);
  expect(stderr).toContain('was answered 404: gone');
});
