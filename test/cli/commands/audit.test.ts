/** `webdata audit` on an emulator: callers against the allow lists of the declaration and of the manager. */
import { describe, expect, it } from 'vitest';
import { type AccountName, accounts, accountWith, openDeclared, openHarness, writesOf } from '../harness.ts';

// The `service` of the accounts has a profile only.
const declared = `
managerSettings:
  local: { whitelistIps: [203.0.113.208, 10.0.0.0/8, 192.0.2.0/24] }
`;
const zones = `
    checkout: { type: isp, allowedCallers: [203.0.113.205, 203.0.113.99] }
`;

async function openAudited(account: AccountName) {
  const harness = await openDeclared(account, '');
  const service = await harness.read('webdata.yaml');
  await harness.write('webdata.yaml', `${service || 'service:\n'}  zones:${zones}${declared}`);
  return harness;
}

interface Caller {
  ip: string;
  status: string;
}

describe.each(Object.keys(accounts) as AccountName[])('audit, on the %s account', (account) => {
  it('finds callers that no list allows, and entries that allowed nobody', async () => {
    await using harness = await openAudited(account);
    const { code, stdout, stderr } = await harness.webdata('audit', '--format', 'json');
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ format: 'webdata.audit/1', result: 'findings', problems: [] });
    const statuses = found.zones.flatMap(({ zone, callers }: { zone: string; callers: Caller[] }) =>
      callers.map(({ ip, status }) => `${zone} ${ip} ${status}`),
    );
    expect(statuses).toEqual([
      'checkout 203.0.113.205 allowed',
      'checkout 203.0.113.206 not-allowed',
      'pricing 203.0.113.207 not-allowed',
      'shoppers 203.0.113.208 allowed',
    ]);
    const [own, local] = found.lists;
    expect(own).toMatchObject({
      list: 'service.zones.checkout.allowedCallers',
      zone: 'checkout',
      entries: [
        { entry: '203.0.113.205', status: 'seen', declared: true, live: null },
        { entry: '203.0.113.99', status: 'not-seen', declared: true, live: null },
      ],
    });
    expect(local).toMatchObject({ list: 'managerSettings.local.whitelistIps', manager: harness.emulator.managerUrl });
    expect(local.entries).toEqual(
      expect.arrayContaining([
        { entry: '203.0.113.208', status: 'seen', declared: true, live: false },
        { entry: '10.0.0.0/8', status: 'not-visible', declared: true, live: expect.any(Boolean) },
        { entry: '192.0.2.0/24', status: 'not-seen', declared: true, live: false },
      ]),
    );
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });

  it('compares nothing where no list is known, and says so', async () => {
    await using harness = await openHarness(account);
    const { code, stdout } = await harness.webdataWith({ env: { WEBDATA_MANAGER_URL: undefined } }, 'audit');
    expect(code).toBe(0);
    expect(stdout).toContain('4 callers of 3 zones, 4 not compared');
    expect(stdout).toContain('203.0.113.205  not compared: no allow list for this zone is known');
    const strict = await harness.webdataWith({ env: { WEBDATA_MANAGER_URL: undefined } }, 'audit', '--strict');
    expect(strict.code).toBe(2);
  });
});

describe('audit of a service that lists all zones', () => {
  it('counts those without callers, and refuses a mistyped one with the nearest name', async () => {
    const account = await accountWith('open', ({ dialect }) => {
      dialect.unknownZone = 'empty';
    });
    await using harness = await openHarness(account);
    const { stdout } = await harness.webdata('audit');
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/4 callers of 3 zones, .*3 zones without callers/);
    const listed = JSON.parse((await harness.webdata('audit', '--format', 'json')).stdout).zones;
    expect(listed.map(({ zone }: { zone: string }) => zone)).toContain('old-pricing');
    await harness.write('webdata.yaml', 'service: { profile: { accountRoutes: true } }\n');
    expect(await harness.webdata('audit', '--zone', 'chekout')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/`chekout` does not exist[\s\S]*`checkout`/),
    });
  });
});

describe('audit', () => {
  it('compares with the live list of a manager that is not declared, and of one that is not read with the declared list', async () => {
    await using harness = await openHarness('plain');
    harness.emulator.setSettings({ whitelist_ips: ['203.0.113.205'] });
    const entryFor = async (...args: string[]) => {
      const { stdout } = await harness.webdata('audit', '--format', 'json', ...args);
      const { zones: audited } = JSON.parse(stdout) as { zones: { callers: Caller[] }[] };
      return audited.flatMap(({ callers }) => callers).find(({ ip }) => ip === entry);
    };
    const entry = '203.0.113.205';
    const live = { list: `whitelistIps of ${harness.emulator.managerUrl}`, entry, declared: null, live: true };
    expect(await entryFor()).toEqual({ ip: entry, status: 'allowed', allowedBy: [live] });
    await harness.write('webdata.yaml', 'managerSettings: { local: { whitelistIps: [203.0.113.205/32] } }\n');
    harness.emulator.addFault({ route: 'settings/get', occurrence: 'all', fault: { kind: 'status', status: 403 } });
    expect(await entryFor()).toMatchObject({ status: 'allowed', allowedBy: [{ declared: true, live: null }] });
  });

  it('exits with 0 where every caller is allowed, and with 2 for unseen entries with --strict', async () => {
    await using harness = await openHarness('plain');
    await harness.write(
      'webdata.yaml',
      'service: { zones: { checkout: { allowedCallers: [203.0.113.0/24, 192.0.2.1] } } }\n',
    );
    const { code, stdout } = await harness.webdata('audit', '--zone', 'checkout');
    expect(code).toBe(0);
    expect(stdout).toContain('2 callers of 1 zone, 2 allowed');
    expect(stdout).toMatch(
      /Allowed, not seen recently\n {2}service\.zones\.checkout\.allowedCallers\n {4}192\.0\.2\.1\n/,
    );
    expect((await harness.webdata('audit', '--zone', 'checkout', '--strict')).code).toBe(2);
  });

  it('reports the rest where a manager cannot be read, compares nothing with its list, and exits with 1', async () => {
    await using harness = await openAudited('plain');
    await harness.write('other.yaml', 'managerSettings:\n  local: null\n  other: { url: "http://127.0.0.1:1" }\n');
    const { code, stdout, stderr } = await harness.webdata(
      'audit',
      '-f',
      'webdata.yaml',
      '-f',
      'other.yaml',
      '--retries',
      '0',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/203\.0\.113\.206 +not allowed: in no allow list/);
    expect(stdout).toMatch(/203\.0\.113\.207 +not compared/);
    expect(stderr).toContain('http://127.0.0.1:1/api/settings');
  });

  it('fails where the callers cannot be read', async () => {
    await using harness = await openHarness('plain');
    const env = { WEBDATA_API_KEY: harness.emulator.keys.finance };
    harness.emulator.addFault({ route: 'zone/recent_ips', fault: { kind: 'status', status: 403 } });
    const { code, stdout, stderr } = await harness.webdataWith({ env }, 'audit');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('403');
  });

  it('locates an entry that is no address', async () => {
    await using harness = await openHarness('plain');
    await harness.write(
      'webdata.yaml',
      'service:\n  zones:\n    checkout:\n      allowedCallers:\n        - office.example.com\n',
    );
    const { code, stderr } = await harness.webdata('audit');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^webdata\.yaml:5:11: .*office\.example\.com, neither an address nor a network/);
  });
});
