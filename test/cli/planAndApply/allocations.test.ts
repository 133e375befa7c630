/** Several allocations of one account: what one gives up feeds another, and none takes what another declares. */
import { describe, expect, it } from 'vitest';
import { type AccountName, migrationsOf, openDeclared, writesOf } from '../harness.ts';

interface Case {
  name: string;
  /** By name; both orders in the file are tried, and must end in the same. */
  specs: Record<string, string>;
  /** The calls of the apply, in the order of the file. */
  calls: string[];
}

const cases: readonly Case[] = [
  {
    name: 'the surplus of one fills the other by way of the spare that they share',
    specs: {
      giving: '{ zones: { checkout: { count: { us: 3 } } }, spare: parked }',
      taking: '{ zones: { archive: { count: { us: 5 } } }, spare: parked }',
    },
    calls: [
      'checkout -> parked: 192.0.2.15 192.0.2.40',
      'parked -> archive: 192.0.2.15 192.0.2.40 198.51.100.30 198.51.100.31',
    ],
  },
  {
    name: 'one takes what it declares out of a zone of the other, which is filled up again',
    specs: {
      taking: '{ zones: { checkout: { ips: [192.0.2.77] } } }',
      losing: '{ zones: { archive: { count: 10 } }, spare: parked }',
    },
    calls: ['archive -> checkout: 192.0.2.77', 'parked -> archive: 198.51.100.30'],
  },
  {
    name: 'the same where a floor makes the other go first',
    specs: {
      losing: '{ zones: { archive: { count: 10, keepAtLeast: 10 } }, spare: parked }',
      taking: '{ zones: { checkout: { ips: [192.0.2.77] } } }',
    },
    calls: ['parked -> archive: 198.51.100.30', 'archive -> checkout: 192.0.2.77'],
  },
  {
    name: 'two swap an IP',
    specs: {
      one: '{ zones: { checkout: { ips: [192.0.2.10], count: 8 } } }',
      other: '{ zones: { pricing: { ips: [192.0.2.40], count: 10 } } }',
    },
    calls: ['pricing -> checkout: 192.0.2.10', 'checkout -> pricing: 192.0.2.40'],
  },
];

const yamlOf = (specs: [string, string][]) =>
  `zoneIpAllocations:\n${specs.map(([name, spec]) => `  ${name}: ${spec}\n`).join('')}`;

describe.each<AccountName>(['plain', 'odd', 'stranger', 'open'])('two allocations, on the %s account', (account) => {
  it.concurrent.for(cases)('$name: one apply, and one undo of it', async ({ specs, calls }) => {
    // The order matters to the planner, not to the dialect; the odd account is the slower one.
    for (const isReversed of account === 'plain' ? [false, true] : [false]) {
      const inOrder = isReversed ? Object.entries(specs).reverse() : Object.entries(specs);
      await using harness = await openDeclared(account, yamlOf(inOrder));
      const { webdata, emulator } = harness;
      const before = emulator.state().zones;
      expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 2, stderr: '' });
      expect(await webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
      const made = migrationsOf(emulator.requests());
      expect(isReversed ? made.toSorted() : made).toEqual(isReversed ? calls.toSorted() : calls);
      expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });

      expect(await webdata('undo', '--yes')).toMatchObject({ code: 0, stderr: '' });
      expect(sorted(emulator.state().zones)).toEqual(sorted(before));
    }
  });
});

/** Zones with their IPs, in whatever order. */
function sorted(zones: object): string[] {
  return Object.entries(zones).flatMap(([zone, { ips }]) =>
    (ips as { ip: string }[]).map(({ ip }) => `${zone} ${ip}`).toSorted(),
  );
}

it('takes no IP that another allocation declares or protects', async () => {
  const declaration = yamlOf([
    ['keeping', '{ zones: { pricing: { ips: [203.0.113.20] } }, protect: [203.0.113.30] }'],
    ['filling', '{ zones: { checkout: { count: { de: 8 } } }, sources: [old-pricing], spare: parked }'],
  ]);
  await using harness = await openDeclared('plain', declaration);
  const { code, stdout } = await harness.webdata('apply', '--yes');
  expect(code).toBe(1);
  expect(stdout).toContain('checkout needs 5 more IPs in de; only 3 are available');
  expect(writesOf(harness.emulator.requests())).toEqual([]);
});

it('changes only what is selected', async () => {
  const declaration = yamlOf([
    ['one', '{ zones: { checkout: { ips: [192.0.2.10] } } }'],
    ['other', '{ zones: { pricing: { ips: [192.0.2.40] } } }'],
  ]);
  await using harness = await openDeclared('plain', declaration);
  const { webdata, emulator } = harness;
  expect(await webdata('apply', '--yes', '--select', 'zoneipallocation/other')).toMatchObject({ code: 0 });
  expect(migrationsOf(emulator.requests())).toEqual(['checkout -> pricing: 192.0.2.40']);
});

it('counts the moves of each allocation by itself', async () => {
  const declaration = yamlOf([
    ['one', '{ zones: { checkout: { ips: [192.0.2.10] } }, maxMoves: 1 }'],
    ['other', '{ zones: { pricing: { ips: [192.0.2.40] } }, maxMoves: 1 }'],
  ]);
  await using harness = await openDeclared('plain', declaration);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
});

it('sends nothing more once the key was refused, and nothing of a later allocation', async () => {
  const declaration = yamlOf([
    ['one', '{ zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }'],
    ['other', '{ zones: { archive: { ips: [192.0.2.11] } }, sources: [pricing] }'],
  ]);
  await using harness = await openDeclared('plain', declaration);
  const env = { WEBDATA_API_KEY: harness.emulator.keys.user };
  const { code, stdout } = await harness.webdataWith({ env }, 'apply', '--yes', '--format', 'json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout).resources).toMatchObject([
    { name: 'one', outcome: 'failed', made: [{ outcome: 'refused' }], notMade: [] },
    { name: 'other', outcome: 'skipped', made: [], notMade: [{ from: 'pricing', to: 'archive' }] },
  ]);
  expect(migrationsOf(harness.emulator.requests())).toHaveLength(1);
});
