/** What one allocation means, through the commands: adoption, counts, spare and sources, what is unmanaged, what is ignored. */
import { describe, expect, it } from 'vitest';
import { type AccountName, migrationsOf, openDeclared, writesOf } from '../harness.ts';

const allocation = (spec: string) => `zoneIpAllocations:\n  static:\n${spec.replaceAll(/^/gm, '    ')}\n`;

interface Case {
  name: string;
  spec: string;
  /** The calls of the apply, in their order. */
  calls: string[];
}

const cases: readonly Case[] = [
  {
    name: 'adopts what is there by declaring it, by address, by count, by country, in any case',
    spec: `
zones:
  checkout: { ips: [192.0.2.12, 192.0.2.40], count: 8 }
  pricing: { count: { US: 7, de: 3 } }
  old-pricing: { ips: [198.51.100.20, 198.51.100.21, 198.51.100.22, 203.0.113.30, 203.0.113.31] }
  archive: { keepAtLeast: 10 }
spare: parked`,
    calls: [],
  },
  {
    name: 'empties a zone where nothing is declared to be in it',
    spec: `
zones: { old-pricing: { ips: [], count: 0 } }
spare: parked`,
    calls: ['old-pricing -> parked: 198.51.100.20 198.51.100.21 198.51.100.22 203.0.113.30 203.0.113.31'],
  },
  {
    name: 'gives a surplus to the spare, the highest addresses first, and never one that is listed',
    spec: `
zones: { checkout: { ips: [192.0.2.40], count: { us: 3 } } }
spare: parked`,
    calls: ['checkout -> parked: 192.0.2.14 192.0.2.15'],
  },
  {
    name: 'fills a count from the spare first, then from the sources',
    spec: `
zones: { checkout: { count: { de: 6 } } }
sources: [old-pricing]
spare: parked`,
    calls: ['parked -> checkout: 203.0.113.40 203.0.113.41', 'old-pricing -> checkout: 203.0.113.30'],
  },
  {
    name: 'fills a count from what another zone has too much of, before the spare',
    spec: `
zones: { checkout: { count: { us: 4 } }, old-pricing: { count: { us: 4 } } }
spare: parked`,
    calls: ['checkout -> old-pricing: 192.0.2.40'],
  },
  {
    name: 'moves what is declared by address, from wherever it is, and fills counts with the rest',
    spec: `
zones:
  checkout: { ips: [192.0.2.10, 203.0.113.50] }
  pricing: { count: 10 }
sources: [old-pricing]
spare: parked`,
    calls: ['pricing -> checkout: 192.0.2.10', 'parked -> checkout: 203.0.113.50', 'parked -> pricing: 198.51.100.30'],
  },
  {
    name: 'leaves unmanaged IPs where they are',
    spec: `
zones: { archive: { count: { us: 1 } } }
spare: parked`,
    calls: [],
  },
  {
    name: 'releases unmanaged IPs if the declaration asks for it',
    spec: `
zones: { archive: { ips: [192.0.2.80], count: { us: 1 } } }
unmanaged: release
spare: parked`,
    calls: [
      'archive -> parked: 192.0.2.81 192.0.2.82 192.0.2.83 192.0.2.84 192.0.2.85 203.0.113.60 203.0.113.61 203.0.113.62',
    ],
  },
  {
    name: 'fills counts with what it releases',
    spec: `
zones: { archive: { count: { gb: 6, fr: 3 } }, old-pricing: { count: { us: 4 } } }
unmanaged: release
spare: parked`,
    calls: ['archive -> old-pricing: 192.0.2.77', 'old-pricing -> parked: 203.0.113.30 203.0.113.31'],
  },
  {
    name: 'moves a protected IP into the zone that declares it, and fills no count with one',
    spec: `
zones: { checkout: { ips: [192.0.2.10], count: { jp: 1 } } }
sources: [pricing]
spare: parked
protect: [192.0.2.10, 203.0.113.50]`,
    calls: ['pricing -> checkout: 192.0.2.10', 'parked -> checkout: 203.0.113.51'],
  },
  {
    name: 'fills before it drains where a floor asks for it',
    spec: `
zones:
  archive: { ips: [192.0.2.40] }
  checkout: { ips: [192.0.2.10], keepAtLeast: 8 }
sources: [pricing]`,
    calls: ['pricing -> checkout: 192.0.2.10', 'checkout -> archive: 192.0.2.40'],
  },
  {
    name: 'leaves ignored zones alone, though they are not as declared',
    spec: `
zones:
  checkout: { ips: [192.0.2.10], count: 3 }
  old-pricing: { count: { de: 3 } }
ignoreChanges: [zones.checkout]
spare: parked`,
    calls: ['parked -> old-pricing: 203.0.113.40'],
  },
];

describe.each<AccountName>(['plain', 'odd'])('one allocation, on the %s account', (account) => {
  it.for(cases)('$name', async ({ spec, calls }) => {
    await using harness = await openDeclared(account, allocation(spec.trim()));
    const { webdata, emulator } = harness;
    const planned = await webdata('plan', '--detailed-exitcode');
    expect(planned).toMatchObject({ code: calls.length > 0 ? 2 : 0, stderr: '' });
    expect(writesOf(emulator.requests())).toEqual([]);
    expect(await webdata('drift')).toMatchObject({ code: calls.length > 0 ? 2 : 0 });

    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(migrationsOf(emulator.requests())).toEqual(calls);
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await webdata('drift')).toMatchObject({ code: 0 });
    expect(migrationsOf(emulator.requests())).toEqual(calls);
  });

  it('sends no more IPs in one call than the profile allows', async () => {
    await using harness = await openDeclared(
      account,
      `    migrateBatchLimit: 2\n${allocation('zones: { old-pricing: { count: 0 } }\nspare: parked')}`,
    );
    const { webdata, emulator } = harness;
    const { stdout } = await webdata('plan');
    expect(stdout).toContain('5 IPs in 3 calls  from old-pricing  to parked');
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(migrationsOf(emulator.requests())).toEqual([
      'old-pricing -> parked: 198.51.100.20 198.51.100.21',
      'old-pricing -> parked: 198.51.100.22 203.0.113.30',
      'old-pricing -> parked: 203.0.113.31',
    ]);
  });
});

it('keeps the floor of an ignored zone', async () => {
  const zones = 'zones: { checkout: { keepAtLeast: 8 }, archive: { ips: [192.0.2.40] } }';
  await using harness = await openDeclared('plain', allocation(`${zones}\nignoreChanges: [zones.checkout]`));
  const { code, stdout } = await harness.webdata('apply', '--yes');
  expect(code).toBe(1);
  expect(stdout).toContain(' checkout would be left with 7 IPs\n');
  expect(writesOf(harness.emulator.requests())).toEqual([]);
});

it('counts unmanaged IPs as drift only where it is strict', async () => {
  await using harness = await openDeclared('plain', allocation('zones: { archive: { count: { gb: 6, fr: 3 } } }'));
  const expected = 'zoneIpAllocations.static\n  note: archive holds 1 unmanaged IP: 192.0.2.77\n\n';
  expect(await harness.webdata('drift')).toEqual({
    code: 0,
    stdout: `${expected}No drift. 1 IP is unmanaged.\n`,
    stderr: '',
  });
  expect(await harness.webdata('drift', '--strict')).toEqual({
    code: 2,
    stdout: `${expected}Drift: 1 IP is unmanaged.\n`,
    stderr: '',
  });
  expect(writesOf(harness.emulator.requests())).toEqual([]);
});

it('heals in one apply what was moved behind its back, and says so before', async () => {
  await using harness = await openDeclared(
    'plain',
    allocation('zones: { checkout: { ips: [192.0.2.12], count: { us: 5 } } }\nspare: parked'),
  );
  const { webdata, emulator } = harness;
  expect(await webdata('drift')).toMatchObject({ code: 0 });
  emulator.move(['192.0.2.12', '192.0.2.13'], 'parked');
  const drift = await webdata('drift');
  expect(drift.code).toBe(2);
  expect(drift.stdout).toContain('Drift: 1 IP is not where it is declared · 1 count differs');
  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
  expect(emulator.ips('checkout')).toContain('192.0.2.12');
  expect(await webdata('drift')).toMatchObject({ code: 0 });
});

describe('the missing IPs of one declared item are one problem', () => {
  const none = 'in none of the zones that were listed (checkout)';

  it.each([
    ['a network', '10.0.0.0/16', `10.0.0.0 and 65,535 IPs after it are ${none}`],
    ['a range with IPs that are there', '192.0.2.8-192.0.2.20', `192.0.2.8 and 8 IPs after it are ${none}`],
  ])('%s', async (_, item, found) => {
    await using harness = await openDeclared('plain', allocation(`zones: { checkout: { ips: ["${item}"] } }`));
    const { code, stdout } = await harness.webdata('plan', '--format', 'json');
    expect(code).toBe(1);
    const [{ problems }] = JSON.parse(stdout).resources;
    expect(problems).toMatchObject([{ code: 'ip-not-found', found }]);
    expect(Object.keys(problems[0])).not.toContain('value');
  });

  it('but separately written IPs keep their own, also in a file', async () => {
    const spec = 'zones: { checkout: { ips: [10.0.0.1, 10.0.0.2, { file: ips.txt }, 10.0.0.8-10.0.0.9] } }';
    await using harness = await openDeclared('plain', allocation(spec));
    await harness.write('ips.txt', '10.0.0.3\n10.0.0.4\n10.0.0.5-10.0.0.7\n');
    const { stdout } = await harness.webdata('plan');
    const found = [...stdout.matchAll(/^(\S+:\d+):\d+: (10\..*?) (?:is|are) in none/gm)];
    expect(found.map(([, line, ips]) => `${line} ${ips}`)).toEqual([
      'ips.txt:1 10.0.0.3',
      'ips.txt:2 10.0.0.4',
      'ips.txt:3 10.0.0.5 and 2 IPs after it',
      expect.stringMatching(/^webdata.yaml:\d+ 10\.0\.0\.1$/),
      expect.stringMatching(/^webdata.yaml:\d+ 10\.0\.0\.2$/),
      expect.stringMatching(/^webdata.yaml:\d+ 10\.0\.0\.8 and 1 IP after it$/),
    ]);
  });
});

it('points out databases that disagree, and a zone that lists empty and is to be filled', async () => {
  await using harness = await openDeclared(
    'odd',
    allocation('zones: { chekout: { count: { us: 1 } } }\nsources: [pricing]'),
  );
  const { stdout } = await harness.webdata('plan');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'note: chekout lists no IPs: check the name, because a mistyped one may also list as empty',
  );
  const disagreeing = allocation('zones: { archive: { ips: [198.51.100.7] } }\nsources: [pricing]');
  await using plain = await openDeclared('plain', disagreeing);
  expect((await plain.webdata('plan')).stdout).toContain(
    'note: 198.51.100.7 in pricing: geolocation databases disagree (us, us, ca, us)',
  );
});
