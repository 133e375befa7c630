/** `pull` writes what is live as a declaration, of which a plan has no changes; overlays and variables on top of it. */

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { liveExport } from '../../../src/kinds/seam/liveExport.ts';
import { zoneIpAllocation } from '../../../src/kinds/zoneIpAllocation/kind.ts';
import { offered } from '../../kinds/offers.ts';
import { type AccountName, openDeclared, openHarness, serviceYaml, writesOf } from '../harness.ts';

describe.each<AccountName>(['plain', 'odd', 'stranger', 'open'])('pull, on the %s account', (account) => {
  it.each([
    ['the zones that are named', ['--by-ip', '--zone', 'pricing', '--zone', 'archive', '--name', 'taken']],
    ['the zones that were used lately', ['--by-ip']],
    ['counts of zones that are named, and of those that were used lately', ['--zone', 'old-pricing', '--live']],
  ])('of %s: a plan of it has no changes', async (_, args) => {
    await using harness = await openDeclared(account, '');
    const { webdata, emulator } = harness;
    expect(await webdata('pull', ...args, '--output', 'live.yaml')).toMatchObject({ code: 0, stdout: '' });
    expect(await webdata('validate', '-f', 'live.yaml')).toMatchObject({ code: 0 });
    expect(await webdata('plan', '--detailed-exitcode', '-f', 'live.yaml')).toMatchObject({ code: 0, stderr: '' });
    expect(await webdata('drift', '--strict', '-f', 'live.yaml')).toMatchObject({ code: 0 });
    expect(await webdata('apply', '--yes', '-f', 'live.yaml')).toMatchObject({ code: 0 });
    expect(writesOf(emulator.requests())).toEqual([]);

    emulator.move(['192.0.2.10'], 'archive');
    emulator.setSettings({ logs: 7 });
    expect(await webdata('drift', '-f', 'live.yaml')).toMatchObject({ code: 2 });
    expect(await webdata('apply', '--yes', '-f', 'live.yaml')).toMatchObject({ code: 0 });
    expect(emulator.ips('pricing')).toContain('192.0.2.10');
    expect(emulator.settings().logs).toBe(1000);
  });
});

it('writes to stdout, with what only recently used zones can tell on stderr', async () => {
  await using harness = await openHarness('plain');
  const named = await harness.webdata('pull', '--zone', 'old-pricing', '--by-ip', '--name', 'taken');
  expect(named).toMatchObject({ code: 0, stderr: '' });
  expect(parse(named.stdout)).toEqual({
    service: { url: harness.emulator.apiUrl, profile: { manager: { readSettings: 'get' } } },
    manager: { url: harness.emulator.managerUrl },
    zoneIpAllocations: {
      taken: {
        zones: {
          'old-pricing': { ips: ['198.51.100.20', '198.51.100.21', '198.51.100.22', '203.0.113.30', '203.0.113.31'] },
        },
      },
    },
    managerSettings: {
      taken: { zone: 'pricing', wwwWhitelistIps: [], whitelistIps: ['10.0.0.0/8'], logs: 1000, requestStats: true },
    },
  });
  const recent = await harness.webdata('pull');
  expect(Object.keys(parse(recent.stdout).zoneIpAllocations.live.zones)).toEqual([
    'archive',
    'checkout',
    'pricing',
    'shoppers',
  ]);
  expect(recent.stderr).toBe(
    'note: no IPs are listed in shoppers. Check the names: a mistyped zone may list as empty.\n' +
      '4 zones, 28 IPs; zones that were not used recently are missing: name them with --zone\n',
  );
  for (const secret of Object.values(harness.emulator.keys)) expect(named.stdout + recent.stdout).not.toContain(secret);
});

it('counts IPs by country', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', serviceYaml('plain'));
  const { stdout } = await harness.webdata('pull', '--zone', 'checkout,shoppers');
  expect(parse(stdout).zoneIpAllocations.live.zones).toEqual({
    checkout: { count: { de: 3, us: 5 } },
    shoppers: { count: 0 },
  });
  await harness.write('live.yaml', stdout);
  expect(await harness.webdata('drift', '--strict', '-f', 'live.yaml')).toMatchObject({ code: 0 });
});

it('lists IPs whose country is not known, which cannot be counted', async () => {
  const ips = { '192.0.2.40': '', '192.0.2.12': 'US', '192.0.2.9': '' };
  const listing = new Map(Object.entries(ips).map(([ip, country]) => [ip, { ip, country }]));
  const context = { view: () => ({ list: async () => new Map([['checkout', listing]]) }) };
  const target = { name: 'live', zones: ['checkout'], isByCount: true };
  expect(await offered(liveExport, zoneIpAllocation).exportLive(target, context as never)).toEqual({
    live: { zones: { checkout: { count: { us: 1 }, ips: ['192.0.2.9', '192.0.2.40'] } } },
  });
});

it('takes zones from lists and files, besides those that are found', async () => {
  await using harness = await openHarness('plain');
  await harness.write('zones.txt', '# of the team\nold-pricing\n\nparked # the spare\n');
  const zonesOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await harness.webdata('pull', ...args);
    return code === 0 ? Object.keys(parse(stdout).zoneIpAllocations.live.zones) : stderr;
  };
  expect(await zonesOf('--zone', 'checkout, @zones.txt', '--zone', 'parked')).toEqual([
    'checkout',
    'old-pricing',
    'parked',
  ]);
  expect(await zonesOf('--zone', '@zones.txt', '--live')).toEqual([
    ...['archive', 'checkout', 'pricing', 'shoppers', 'old-pricing', 'parked'],
  ]);
  expect(await zonesOf('--zone', 'checkout,')).toContain('has an empty name');
  expect(await zonesOf('--zone', '@none.txt')).toContain('none.txt');
});

it('keeps the account, the backend, the prices and the exceptions, also in a file of another folder', async () => {
  await using harness = await openHarness('plain');
  const muted = 'reason: moved by support, owner: network, until: 2099-01-31';
  await harness.write(
    'webdata.yaml',
    `account: acme
${serviceYaml('plain', 1)}prices: { currency: USD, move: 0.1 }
zoneIpAllocations: { main: { zones: { checkout: { count: 8 } } } }
exceptions:
  - { path: zoneIpAllocations.main.zones.checkout, ${muted} }
  - { path: zoneIpAllocations.main, ${muted} }
`,
  );
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  const pulled = async (file: string) => {
    expect(await harness.webdata('pull', '--output', file)).toMatchObject({ code: 0 });
    expect(await harness.webdata('plan', '-f', file, '--detailed-exitcode')).toMatchObject({ code: 0 });
    return parse(await harness.read(file));
  };
  expect(await pulled('live.yaml')).toMatchObject({
    account: 'acme',
    service: { profile: { settleSeconds: 1 } },
    prices: { currency: 'USD', move: 0.1 },
    exceptions: [
      { path: 'zoneIpAllocations.live.zones.checkout', reason: 'moved by support' },
      { path: 'zoneIpAllocations.live' },
    ],
  });
  expect(parse(await harness.read('live.yaml'))).not.toHaveProperty('backend');
  expect(await pulled('other/live.yaml')).toMatchObject({ account: 'acme', backend: '../.webdata' });
  harness.emulator.move(['192.0.2.10'], 'checkout');
  expect(await harness.webdata('apply', '--yes', '-f', 'other/live.yaml')).toMatchObject({ code: 0 });
  const { runs } = JSON.parse((await harness.webdata('history', '--format', 'json')).stdout);
  expect(runs.at(-1)).toMatchObject({ command: 'apply', account: 'acme' });
});

it('never writes over a file that is there, unless told to; nor does a plan over its declaration', async () => {
  await using harness = await openHarness('plain');
  const { webdata, write, read } = harness;
  await write('webdata.yaml', 'name: mine\n');
  const refused = await webdata('pull', '--zone', 'checkout', '--output', 'webdata.yaml');
  expect(refused).toEqual({
    code: 1,
    stdout: '',
    stderr:
      '--output webdata.yaml: the file exists already, and would be overwritten\n  fix: name another file, or pass --force\n',
  });
  expect((await webdata('plan', '--output', 'webdata.yaml')).stderr).toContain(
    '--output webdata.yaml: the file is the declaration',
  );
  expect(await read('webdata.yaml')).toBe('name: mine\n');
  expect(await webdata('pull', '--by-ip', '--zone', 'checkout', '--output', 'webdata.yaml', '--force')).toMatchObject({
    code: 0,
  });
  expect(await read('webdata.yaml')).toContain('192.0.2.12');
});
