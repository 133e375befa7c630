/** `webdata show` on an emulator: with and without a declaration, whole or filtered, as a table and as JSON. */
import { describe, expect, it } from 'vitest';
import { type AccountName, openDeclared, openHarness, writesOf } from '../harness.ts';
import { nightly, openRegistering, results } from '../registrations/registrations.ts';

const declaration = `
zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10, 192.0.2.40], count: { us: 7, jp: 2 }, keepAtLeast: 2 }
      archive: { count: 8 }
    sources: [old-pricing]
    spare: parked
    protect: [192.0.2.10, 192.0.2.40]
managerSettings:
  local: { logs: 1000 }
`;

const lines = (text: string) => text.split('\n');

describe.each<AccountName>(['plain', 'odd', 'stranger', 'open'])('show, on the %s account', (account) => {
  const isWhole = account === 'open';

  it('shows the zones that the service lists, without a declaration', async () => {
    await using harness = await openHarness(account);
    const { code, stdout, stderr } = await harness.webdata('show');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const total = isWhole ? '41 IPs in 6 zones' : '28 IPs in 4 zones';
    expect(lines(stdout)[0]).toBe(`${harness.emulator.apiUrl}  ${total}`);
    expect(stdout).toMatch(/^checkout +8 {2}not declared\n {2}us +5\n {2}de +3\n/m);
    expect(stdout).toMatch(/^pricing +10 {2}not declared$/m);
    expect(stdout).toMatch(/^shoppers +0 {2}not declared/m);
    expect(stdout.includes('parked')).toBe(isWhole);
    expect(stdout).toContain('\nmanagerSettings\n');
    expect(stdout).toContain(
      isWhole ? 'Zones: 0 declared' : 'Zones: 0 declared, 4 used recently. The service does not list other zones:',
    );
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });

  it('shows what is declared, unmanaged, spare and protected', async () => {
    await using harness = await openDeclared(account, declaration);
    const { code, stdout, stderr } = await harness.webdata('show');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(lines(stdout).slice(4, 25)).toEqual(
      expect.arrayContaining([
        'checkout      8  5 declared, 3 unmanaged, 4 missing, 1 protected,',
        '  us          5  5 declared, 2 missing, 1 protected',
        '  de          3  3 unmanaged',
        '  jp          0  2 missing',
        'archive      10  8 declared, 2 too many',
        'old-pricing   5  5 source',
        'parked        8  8 spare',
        'pricing      10  1 declared elsewhere, 1 protected, not declared',
      ]),
    );
    expect(stdout).toContain(`Zones: 4 declared, 2 more${isWhole ? '.' : ' used recently.'}`);
    expect(stdout).toMatch(/\nmanagerSettings\n {2}http:\S+ {2}zone pricing, /);
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });

  it('lists the same unmanaged IPs as a plan', async () => {
    const possible = declaration.replace('{ us: 7, jp: 2 }', '{ us: 6 }').replace('[old-pricing]', '[pricing]');
    await using harness = await openDeclared(account, possible);
    const plan = JSON.parse((await harness.webdata('plan', '--format', 'json', '--full')).stdout);
    const planned = plan.resources
      .flatMap(({ notes }: { notes: { code: string; ips: string[] }[] }) => notes)
      .filter(({ code }: { code: string }) => code === 'unmanaged')
      .flatMap(({ ips }: { ips: string[] }) => ips);
    const { stdout } = await harness.webdata('show', '--unmanaged', '--format', 'json');
    const { zones } = JSON.parse(stdout);
    expect(planned).toHaveLength(3);
    expect(zones).toMatchObject([{ zone: 'checkout', countries: [{ country: 'de', addresses: planned }] }]);
  });
});

describe('options of show', () => {
  it('finds the zone that holds an IP, and says which IPs are nowhere', async () => {
    await using harness = await openDeclared('plain', declaration);
    const { code, stdout, stderr } = await harness.webdata('show', '--ip', '192.0.2.80', '--ip', '192.0.2.250');
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'note: 192.0.2.250 is in none of these zones\n' });
    expect(stdout).toMatch(
      / {2}1 matching IP in 1 zone, 1 declared\n\narchive {2}1 {2}1 declared\n {2}gb {5}1 {2}192\.0\.2\.80\n/,
    );
    const json = JSON.parse((await harness.webdata('show', '--ip', '192.0.2.80', '--format', 'json')).stdout);
    expect(json.zones).toMatchObject([{ zone: 'archive', countries: [{ country: 'gb', addresses: ['192.0.2.80'] }] }]);
    expect((await harness.webdata('show', '--ip', '192.0.2.0/24')).stderr).toContain('It must be an IPv4 address.');
  });

  it('shows only named zones, and asks for nothing else', async () => {
    await using harness = await openHarness('plain');
    const { stdout } = await harness.webdata('show', '--zone', 'parked', '--full');
    expect(stdout).toBe(`${harness.emulator.apiUrl}  8 IPs in 1 zone

parked  8  not declared
  jp    4  203.0.113.50, 203.0.113.51, 203.0.113.52, 203.0.113.53
  de    2  203.0.113.40, 203.0.113.41
  us    2  198.51.100.30, 198.51.100.31
`);
    expect(harness.emulator.requests().map(({ route }) => route)).toEqual(['zone/ips']);
  });

  it('says that a zone is empty as declared, and suggests to check the name of another one', async () => {
    await using harness = await openDeclared(
      'plain',
      `zoneIpAllocations: { old: { zones: { shoppers: { count: 0 } } } }\n`,
    );
    expect((await harness.webdata('show', '--zone', 'shoppers')).stdout).toContain('shoppers  0  empty, as declared\n');
    await harness.write('webdata.yaml', '{}\n');
    expect((await harness.webdata('show', '--zone', 'shoppers')).stdout).toContain('no static IPs: check the name\n');
  });

  it('shows only IPs of some countries', async () => {
    await using harness = await openDeclared('plain', declaration);
    const { stdout } = await harness.webdata('show', '--country', 'JP', '--country', 'gb');
    expect(stdout).toMatch(/ {2}10 matching IPs in 3 zones,/);
    expect(stdout).not.toContain('managerSettings');
    expect(await harness.webdata('show', '--country', 'usa')).toMatchObject({ code: 1, stdout: '' });
    const none = await harness.webdata('show', '--country', 'unknown');
    expect(none.stdout).toContain('0 matching IPs in 0 zones');
  });

  it('gives the same as JSON', async () => {
    await using harness = await openDeclared('plain', declaration);
    const { stdout } = await harness.webdata('show', '--format', 'json');
    expect(stdout).not.toContain('192.0.2.10');
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'webdata.show/1',
      service: harness.emulator.apiUrl,
      recentZones: 'read',
      zones: [
        { zone: 'checkout', found: 'declared', role: 'declared', ips: 8, protected: 1 },
        { zone: 'archive', ips: 10, wanted: 8, states: { declared: 10 } },
        { zone: 'old-pricing', role: 'source', states: { source: 5 } },
        { zone: 'parked', role: 'spare', states: { spare: 8 } },
        { zone: 'pricing', found: 'recent', states: { elsewhere: 1 } },
        { zone: 'shoppers', found: 'recent', ips: 0 },
      ],
      objects: [
        { collection: 'managerSettings', isDeclared: true, facts: { logs: 1000, ports: [24000, 24001, 24010] } },
      ],
      problems: [],
    });
  });
});

describe('parts that cannot be read', () => {
  it('shows the other zones, and fails', async () => {
    await using harness = await openDeclared('plain', declaration);
    const { code, stdout, stderr } = await harness.webdata('show', '--zone', 'nowhere', '--zone', 'checkout');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^nowhere {3}\? {2}could not be read$/m);
    expect(stdout).toMatch(/^checkout {2}8 /m);
    expect(stderr).toContain('was answered 404: Zone not found: nowhere');
  });

  it('shows declared zones if recently used ones cannot be read, and zones without a manager', async () => {
    await using harness = await openDeclared('plain', declaration);
    const fault = { kind: 'status', status: 403 } as const;
    harness.emulator.addFault({ route: 'zone/recent_ips', occurrence: 'all', fault });
    harness.emulator.addFault({ route: 'settings/get', occurrence: 'all', fault });
    const { code, stdout, stderr } = await harness.webdata('show');
    expect(code).toBe(1);
    expect(stdout).toContain('Only declared zones are shown: the recently used ones could not be read.');
    expect(stdout).toMatch(/\nmanagerSettings\n {2}http:\S+ {2}could not be read\n/);
    expect(stderr).toMatch(/recent_ips\?zones=\* was answered 403[\s\S]*api\/settings was answered 403/);
  });

  it('shows the managers if no zone can be read', async () => {
    await using harness = await openDeclared('plain', declaration);
    const refused = await harness.webdataWith({ env: { WEBDATA_API_KEY: 'wrong-key-0123456789' } }, 'show');
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringMatching(/^managerSettings\n[\s\S]* logs 1000/m) });
    expect(refused.stderr).toContain('was answered 401');
    expect(refused.stderr).not.toContain('wrong-key-0123456789');
  });
});

describe('schedules', () => {
  it('shows those of the owner, declared or not', async () => {
    await using registering = await openRegistering();
    await registering.declare(results + nightly('cron: "0 3 * * *"'));
    const before = await registering.webdata('show');
    expect(before.stdout).toContain('collectorSchedules\n  nightly  registered false\n');
    expect(await registering.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    await registering.declare('');
    const { code, stdout } = await registering.webdata('show');
    expect(code).toBe(0);
    expect(stdout).toMatch(/collectorSchedules\n {2}nightly {2}not declared, collector c_prices, cron 0 3 \* \* \*,/);
    expect(stdout).toMatch(/nextTick \d{4}-\d\d-\d\dT03:00:00Z/);
  });
});
