/** Settings of a proxy manager through the commands: compared by meaning, written where they differ, read back. */
import { describe, expect, it } from 'vitest';
import type { Account, LoggedRequest, ManagerSettings } from '../../../src/emulator/index.ts';
import { type AccountName, accountWith, type Harness, openHarness, serviceYaml, writesOf } from '../harness.ts';

const manager = (spec: string) => `managerSettings: { local: ${spec} }\n`;

/** A manager with these settings, and this declared of it. */
async function openManager(
  account: AccountName,
  spec: string,
  live: Partial<ManagerSettings> = {},
  change: (account: Account) => void = () => undefined,
): Promise<Harness> {
  const harness = await openHarness(await accountWith(account, change));
  harness.emulator.setSettings(live);
  await harness.write('webdata.yaml', serviceYaml(account) + manager(spec));
  return harness;
}

const bodies = (requests: readonly LoggedRequest[]) => writesOf(requests).map(({ body }) => body);

interface Case {
  name: string;
  live?: Partial<ManagerSettings>;
  spec: string;
  /** Of the one PUT, if there is to be one. */
  body?: object;
}

const cases: readonly Case[] = [
  {
    name: 'the order and the repetition of entries do not count',
    live: { whitelist_ips: ['10.0.0.1', '10.0.0.2', '10.0.0.2'] },
    spec: '{ whitelistIps: [10.0.0.2, 10.0.0.1, 10.0.0.1] }',
  },
  {
    name: 'entries of the manager that are no networks are compared as they stand',
    live: { whitelist_ips: ['gateway.example', '10.0.0.1'] },
    spec: '{ whitelistIps: [10.0.0.1] }',
    body: { whitelist_ips: ['10.0.0.1'] },
  },
  {
    name: 'an address is the network of its own, host bits are zeroed, and IPv6 has one spelling',
    live: { whitelist_ips: ['10.0.0.1/32', '10.1.2.3/8', '2001:0DB8:0:0::1', '2001:db8:1:2::3/32'] },
    spec: '{ whitelistIps: [10.0.0.1, 10.0.0.0/8, "2001:db8::1/128", "2001:db8::/32"] }',
  },
  {
    name: 'entries that the manager has fixed are there, and are not written',
    live: { whitelist_ips: ['10.0.0.1'], fixed_whitelist_ips: ['127.0.0.1', '10.9.0.0/16'] },
    spec: '{ whitelistIps: [127.0.0.1/32, 10.9.0.0/16, 10.0.0.1, 10.0.0.2] }',
    body: { whitelist_ips: ['10.0.0.1', '10.0.0.2'] },
  },
  {
    name: 'an empty list empties',
    live: { whitelist_ips: ['10.0.0.1'] },
    spec: '{ whitelistIps: [] }',
    body: { whitelist_ips: [] },
  },
  { name: 'what is left out is left alone', live: { whitelist_ips: ['10.0.0.1'], logs: 7 }, spec: '{ logs: 7 }' },
  {
    name: 'only the fields that differ are written',
    live: { zone: 'pricing', logs: 7, request_stats: true, www_whitelist_ips: [], whitelist_ips: [] },
    spec: '{ zone: checkout, logs: 7, requestStats: false, whitelistIps: [], wwwWhitelistIps: [10.0.0.5/8] }',
    body: { zone: 'checkout', request_stats: false, www_whitelist_ips: ['10.0.0.0/8'] },
  },
  { name: 'ignored fields are left alone', live: { logs: 7 }, spec: '{ logs: 8, ignoreChanges: [logs] }' },
  { name: 'no logs at all are a number too', live: { logs: 7 }, spec: '{ logs: 0 }', body: { logs: 0 } },
];

describe.each<AccountName>(['plain', 'odd'])('settings, on the %s account', (account) => {
  it.for(cases)('$name', async ({ spec, live, body }) => {
    await using harness = await openManager(account, spec, live);
    const { webdata, emulator } = harness;
    expect(await webdata('drift')).toMatchObject({ code: body ? 2 : 0, stderr: '' });
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(bodies(emulator.requests())).toEqual(body ? [body] : []);
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('what the manager drops without a word is an error that names field, wanted and got', async () => {
    const spec = '{ logs: 500, whitelistIps: [10.66.0.0/16, 10.0.0.7] }';
    await using harness = await openManager(account, spec, {}, ({ manager: its }) => {
      its.silentlyDrops = ['10.66.0.0/16'];
    });
    const { code, stdout } = await harness.webdata('apply', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain(
      'whitelistIps: wanted ["10.66.0.0/16","10.0.0.7"], got ["10.0.0.7"], although the manager accepted the change',
    );
    expect(harness.emulator.settings().logs).toBe(500);
    expect((await harness.webdata('drift')).code).toBe(2);
  });
});

it('reads a manager that refuses GET by a PUT of nothing, and says so once', async () => {
  await using harness = await openManager('odd', '{ logs: 1000 }');
  const { stdout } = await harness.webdata('plan');
  expect(stdout.match(/PUT\s+of\s+\{\}/g)).toHaveLength(1);
  expect(harness.emulator.requests().map(({ method, body }) => [method, body])).toEqual([
    ['GET', null],
    ['PUT', {}],
  ]);
});

describe('taking away the way in of this machine', () => {
  const live = { www_whitelist_ips: ['127.0.0.0/8'] };

  it.each(['{ wwwWhitelistIps: [10.0.0.5] }', '{ wwwWhitelistIps: [] }'])('is refused: %s', async (spec) => {
    await using harness = await openManager('plain', spec, live);
    const { code, stdout } = await harness.webdata('apply', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('the list would lose 127.0.0.1, the address that you call the manager from');
    expect(writesOf(harness.emulator.requests())).toEqual([]);
    expect(await harness.webdata('apply', '--yes', '--allow-self-lockout')).toMatchObject({ code: 0 });
    expect(bodies(harness.emulator.requests())).toHaveLength(1);
  });
});

describe('ports', () => {
  it.each<AccountName>([
    'plain',
    'odd',
  ])('that are seen are deleted, and only those, on the %s account', async (account) => {
    await using harness = await openManager(account, '{ absentPorts: [24999, 24010, 24000, 24010] }');
    const { webdata, emulator } = harness;
    expect((await webdata('drift')).stdout).toContain('Drift: 2 ports exist that must not.');
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(bodies(emulator.requests())).toEqual([{ ports: [24000, 24010] }]);
    expect(emulator.ports()).toEqual([24001]);
    emulator.setPorts([24000, 24001]);
    expect(await webdata('drift')).toMatchObject({ code: 2 });
  });

  /** The odd manager, without the route at which it lists its ports. */
  async function openBlind(spec: string): Promise<Harness> {
    const harness = await openManager('odd', spec, {}, ({ dialect }) => {
      dialect.portsRoute = undefined;
    });
    const profile = serviceYaml('odd').replace(/^ +manager:.*\n/m, '');
    await harness.write('webdata.yaml', profile + manager(spec));
    return harness;
  }

  it('that can not be seen are deleted once, again with --force-ports, and are never drift', async () => {
    await using harness = await openBlind('{ absentPorts: [24010] }');
    const { webdata, emulator } = harness;
    const drift = await webdata('drift', '--format', 'json');
    expect({ code: drift.code, changes: JSON.parse(drift.stdout).resources[0].changes }).toEqual({
      code: 0,
      changes: [],
    });
    const [planned] = JSON.parse((await webdata('plan', '--format', 'json')).stdout).resources;
    expect(planned.notes).toContainEqual({
      code: 'ports-not-observable',
      text: expect.stringContaining('this manager does not show its ports'),
    });
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(emulator.ports()).toEqual([24000, 24001]);
    emulator.setPorts([24010]);
    emulator.clearRequests();
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(bodies(emulator.requests())).toEqual([]);
    expect(await webdata('apply', '--yes', '--force-ports')).toMatchObject({ code: 0 });
    expect(emulator.ports()).toEqual([]);
  });

  it('that are declared later are deleted then, and the others are not asked for again', async () => {
    await using harness = await openBlind('{ absentPorts: [24010] }');
    const { webdata, emulator, read, write } = harness;
    await webdata('apply', '--yes');
    emulator.clearRequests();
    await write('webdata.yaml', (await read('webdata.yaml')).replace('[24010]', '[24000, 24010]'));
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(bodies(emulator.requests())).toEqual([{ ports: [24000] }]);
  });

  it('that the manager does not know never hide the others', async () => {
    await using harness = await openBlind('{ absentPorts: [23999, 24000, 24010] }');
    const { webdata, emulator } = harness;
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(emulator.ports()).toEqual([24001]);
    expect(bodies(emulator.requests()).slice(1)).toEqual([{ ports: [23999] }, { ports: [24000] }, { ports: [24010] }]);
    emulator.clearRequests();
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(bodies(emulator.requests())).toEqual([]);
  });
});

it('keeps two managers of one file apart', async () => {
  await using harness = await openManager('plain', '{}');
  await using other = await openHarness('odd');
  await harness.write(
    'webdata.yaml',
    `managerSettings:
  here: { logs: 500 }
  there: { url: "\${OTHER_MANAGER}", logs: 600, absentPorts: [24010] }
`,
  );
  const env = { OTHER_MANAGER: other.emulator.managerUrl, WEBDATA_ALLOW_ENV: 'OTHER_MANAGER' };
  other.emulator.addFault({ route: 'settings/put', fault: { kind: 'status', status: 500 } });
  expect(await harness.webdataWith({ env }, 'apply', '--yes', '--retries', '0')).toMatchObject({ code: 1 });
  expect([harness.emulator.settings().logs, other.emulator.settings().logs]).toEqual([500, 1000]);
  other.emulator.clearFaults();
  expect(await harness.webdataWith({ env }, 'apply', '--yes')).toMatchObject({ code: 0 });
  expect([harness.emulator.settings().logs, other.emulator.settings().logs]).toEqual([500, 600]);
  expect(harness.emulator.ports()).toContain(24010);
});

it('gives the token that the manager asks for, and shows it nowhere', async () => {
  await using harness = await openManager('plain', '{ logs: 500 }', {}, ({ manager: its }) => {
    its.token = 'hush-hush';
  });
  const { webdata, webdataWith, emulator } = harness;
  const refused = await webdata('plan');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('401');
  const env = { WEBDATA_MANAGER_TOKEN: 'hush-hush' };
  const results = [
    await webdataWith({ env }, 'plan', '--output', 'plan.json', '--log-http'),
    await webdataWith({ env }, 'apply', 'plan.json', '--yes', '--log-http'),
    await webdataWith({ env }, 'history', '--format', 'json'),
  ];
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(emulator.settings().logs).toBe(500);
  const written = [await harness.read('plan.json'), await harness.read('.webdata/journal.jsonl')];
  expect([...results.map(({ stdout, stderr }) => stdout + stderr), ...written].join()).not.toContain('hush-hush');
});
