/** `webdata zones` and `webdata asns` on an emulator: lists as data, and a move by hand that is read back. */
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { migrationsOf, openDeclared, openHarness } from '../harness.ts';

const move = ['zones', 'migrate', '--from', 'pricing', '--to', 'checkout'];
const nothing = { moved: [], notMoved: [], elsewhere: [], notVisible: [] };

describe('webdata zones ips', () => {
  it('writes the IPs as JSON, one a line, and as CSV', async () => {
    await using harness = await openHarness('plain');
    const json = await harness.webdata('zones', 'ips', 'checkout', '--format', 'json');
    expect(json).toMatchObject({ code: 0, stderr: '' });
    const listed = JSON.parse(json.stdout);
    expect(listed.map(({ ip }: { ip: string }) => ip).sort()).toEqual(harness.emulator.ips('checkout').sort());
    const { stdout: lines } = await harness.webdata('zones', 'ips', 'checkout', '--format', 'ndjson');
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(listed);
    const { stdout: csv } = await harness.webdata('zones', 'ips', 'checkout', '--format', 'csv');
    const [header, ...rows] = csv.trimEnd().split('\r\n');
    expect(header).toBe('ip,country,geo_db_1,geo_db_2,geo_db_3,geo_db_4');
    expect(rows).toHaveLength(listed.length);
    expect(rows).toContain('192.0.2.40,us,us,us,us,us');
  });

  it('says how long the service asks it to wait, and ends where that is longer than --timeout', async () => {
    await using harness = await openHarness('plain');
    const limit = { kind: 'status', status: 429, retryAfter: 1 } as const;
    harness.emulator.addFault({ route: 'zone/ips', occurrence: 1, fault: limit });
    const { code, stderr } = await harness.webdata('zones', 'ips', 'checkout');
    expect([code, stderr]).toEqual([0, `waiting 1 s: ${harness.emulator.apiUrl} limits requests (Retry-After)\n`]);
    harness.emulator.addFault({ route: 'zone/ips', occurrence: 'all', fault: { ...limit, retryAfter: 3600 } });
    const sentBefore = harness.emulator.requests().length;
    for (const args of [[], ['--timeout', '5']]) {
      const ended = await harness.webdata('zones', 'ips', 'checkout', ...args);
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('The service asks to wait 3600 s.') });
    }
    expect(harness.emulator.requests().length - sentBefore).toBe(2);
  });

  it('says once that the service limits requests without saying for how long', async () => {
    await using harness = await openHarness('plain');
    for (const occurrence of [1, 2])
      harness.emulator.addFault({ route: 'zone/ips', occurrence, fault: { kind: 'status', status: 429 } });
    const { code, stderr } = await harness.webdata('zones', 'ips', 'checkout');
    expect([code, stderr]).toEqual([0, `sending fewer calls: ${harness.emulator.apiUrl} limits requests (429)\n`]);
  });

  it('writes a file whole, and none where the service refuses', async () => {
    await using harness = await openHarness('plain');
    const args = ['zones', 'ips', 'checkout', '--format', 'csv', '--output', 'ips.csv'];
    harness.emulator.addFault({ route: 'zone/ips', occurrence: 'all', fault: { kind: 'status', status: 403 } });
    expect(await harness.webdata(...args)).toMatchObject({ code: 1, stdout: '' });
    expect(await readdir(harness.folder)).toEqual([]);
    harness.emulator.clearFaults();
    expect(await harness.webdata(...args)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await harness.read('ips.csv')).split('\r\n')).toHaveLength(harness.emulator.ips('checkout').length + 2);
  });
});

describe('what zones hold and who uses them', () => {
  it('counts by country', async () => {
    await using harness = await openHarness('plain');
    const { stdout } = await harness.webdata('zones', 'countries', 'checkout', '--format', 'json');
    expect(JSON.parse(stdout)).toEqual({ us: 5, de: 3 });
    const { stdout: csv } = await harness.webdata('zones', 'countries', 'checkout', '--format', 'csv');
    expect(csv.split('\r\n').sort()).toEqual(['', 'country,count', 'de,3', 'us,5']);
  });

  it('asks for the recent IPs of all zones, or of those that are named', async () => {
    await using harness = await openHarness('plain');
    const all = await harness.webdata('zones', 'recent', '--format', 'json');
    expect(Object.keys(JSON.parse(all.stdout)).sort()).toEqual(['archive', 'checkout', 'pricing', 'shoppers']);
    const { stdout } = await harness.webdata('zones', 'recent', 'checkout', 'pricing', '--format', 'ndjson');
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { zone: 'checkout', ip: '203.0.113.205' },
      { zone: 'checkout', ip: '203.0.113.206' },
      { zone: 'pricing', ip: '203.0.113.207' },
    ]);
  });

  it('names the ASNs of a zone, quoted in CSV where they must be', async () => {
    await using harness = await openHarness({
      id: 'hl_example',
      zones: { checkout: { asns: [{ asn: '64500', title: 'Example, "the" Network' }] } },
    });
    const { stdout } = await harness.webdata('asns', 'checkout', '--format', 'json');
    expect(JSON.parse(stdout)).toEqual([{ asn: '64500', title: 'Example, "the" Network' }]);
    const { stdout: csv } = await harness.webdata('asns', 'checkout', '--format', 'csv');
    expect(csv).toBe('asn,title\r\n64500,"Example, ""the"" Network"\r\n');
  });
});

describe('webdata zones migrate', () => {
  it('shows what it would do, asks, and reports what was read back', async () => {
    await using harness = await openHarness('plain');
    const asked: string[] = [];
    const confirm = async (question: string) => asked.push(question) > 0;
    const args = [...move, '--format', 'json', '192.0.2.10', '192.0.2.11'];
    const { code, stdout, stderr } = await harness.webdataWith({ confirm }, ...args);
    expect([code, asked]).toEqual([0, ['Move them?']]);
    expect(stderr).toBe(
      '2 IPs to move from pricing to checkout; may incur charges:\n  192.0.2.10 (us)\n  192.0.2.11 (us)\n',
    );
    const moved = ['192.0.2.10', '192.0.2.11'];
    expect(JSON.parse(stdout)).toEqual({ from: 'pricing', to: 'checkout', count: 2, ...nothing, moved });
    expect(harness.emulator.ips('checkout')).toEqual(expect.arrayContaining(moved));
  });

  it('moves nothing after a no, and where nobody can be asked', async () => {
    await using harness = await openHarness('plain');
    const no = await harness.webdataWith({ confirm: async () => false }, ...move, '192.0.2.10');
    expect(no).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/Nothing was changed\.\n$/) });
    const nobody = await harness.webdata(...move, '192.0.2.10');
    expect(nobody).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('pass --yes') });
    expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  });

  it('sends no IP that is there already, and nothing at all for one that is elsewhere or mistyped', async () => {
    await using harness = await openHarness('plain');
    const there = await harness.webdata(...move, '192.0.2.12', '--yes', '--format', 'json');
    expect([there.code, there.stderr]).toEqual([0, 'Already in checkout: 1 IP.\n']);
    expect(JSON.parse(there.stdout)).toEqual({ from: 'pricing', to: 'checkout', count: 0, ...nothing });
    const elsewhere = await harness.webdata(...move, '192.0.2.10', '192.0.2.77', '--yes');
    expect(elsewhere).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^not in pricing: 192.0.2.77\n/),
    });
    const mistyped = await harness.webdata(...move, '192.0.2.0/24', '--yes');
    expect(mistyped).toMatchObject({ code: 1, stderr: expect.stringContaining('a network, not an address') });
    expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  });

  it('finds out by reading where the answer was lost, and sends it once', async () => {
    await using harness = await openHarness('plain');
    harness.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 'all', fault: { kind: 'drop-after' } });
    const { code, stdout } = await harness.webdata(...move, '192.0.2.10', '--yes', '--format', 'json');
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ count: null, moved: ['192.0.2.10'] })]);
    expect(migrationsOf(harness.emulator.requests())).toHaveLength(1);
  });

  it('says which IPs stayed where the service moved fewer', async () => {
    await using harness = await openHarness('plain');
    harness.emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'short-move', moves: 1 } });
    const { code, stdout, stderr } = await harness.webdata(
      ...move,
      '192.0.2.10',
      '192.0.2.11',
      '--yes',
      '--format',
      'json',
    );
    const report = JSON.parse(stdout);
    expect([code, report.count, report.moved.length, report.notMoved.length]).toEqual([1, 1, 1, 1]);
    expect(stderr).toContain(`${report.notMoved[0]} stayed in pricing`);
  });

  it('tells a key of a lesser role which one it takes', async () => {
    await using harness = await openHarness('plain');
    const env = { WEBDATA_API_KEY: harness.emulator.keys.user };
    const { code, stderr } = await harness.webdataWith({ env }, ...move, '192.0.2.10', '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Admin or Ops role')]);
  });

  it.each([
    ['protect: [192.0.2.10]', /^webdata\.yaml:\S+ 192\.0\.2\.10 is protected,/],
    ['maxMoves: 0', /^webdata\.yaml:\S+ 1 IP would move/],
  ])('sends nothing that %s of the declaration forbids, unless that is asked for', async (guard, refusal) => {
    await using harness = await openDeclared(
      'plain',
      `zoneIpAllocations: { static: { zones: { checkout: { keepAtLeast: 1 } }, sources: [pricing], ${guard} } }`,
    );
    const refused = await harness.webdata(...move, '192.0.2.10', '--yes');
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(refusal) });
    expect(refused.stderr).toContain('or pass --ignore-guards');
    expect(migrationsOf(harness.emulator.requests())).toEqual([]);
    expect(await harness.webdata(...move, '192.0.2.10', '--yes', '--ignore-guards')).toMatchObject({ code: 0 });
  });

  it('leaves at least keepAtLeast of any declaration that -f names in a zone', async () => {
    await using harness = await openHarness('plain');
    const floor = harness.emulator.ips('pricing').length;
    await harness.write(
      'guards.yaml',
      `zoneIpAllocations: { static: { zones: { pricing: { keepAtLeast: ${floor} } } } }\n`,
    );
    const args = [...move, '192.0.2.10', '--yes'];
    const refused = await harness.webdata(...args, '-f', 'guards.yaml');
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`allowed: at least ${floor} after every call`),
    });
    expect(await harness.webdata(...args)).toMatchObject({ code: 0 });
  });
});
