/** `webdata simulate`: calls on a copy, failures, the next plan and undo; the account itself is only read. */
import { describe, expect, it } from 'vitest';
import { openServing, owner, token } from '../../triggers/serving.ts';
import { type AccountName, accounts, accountWith, openHarness, serviceYaml, writesOf } from '../harness.ts';
import { declaration } from '../output/shown.ts';

interface Simulated {
  result: string;
  calls: { number: number; call: { type: string }; outcome: string; zones: { zone: string }[] }[];
  copied: Record<string, number>;
  next: { resources: { calls: unknown[] }[] };
  undo?: { resources: { calls: { type: string }[] }[]; problems: unknown[] };
  notModelled: string[];
}

describe.each(Object.keys(accounts) as AccountName[])('on the %s account', (account) => {
  it('makes the calls of the apply that follows, with the same zones after each, and only reads the account', async () => {
    await using harness = await openHarness(account);
    await harness.write('webdata.yaml', serviceYaml(account) + declaration);
    const { stdout, code } = await harness.webdata('simulate', '--format', 'json');
    expect(code).toBe(0);
    expect(writesOf(harness.emulator.requests())).toEqual([]);
    const { calls, next, result, copied, notModelled }: Simulated = JSON.parse(stdout);
    expect(result).toBe('done');
    expect(copied).toMatchObject({ zones: 3, ips: 26, managers: 1 });
    expect(next.resources.flatMap((resource) => resource.calls)).toEqual([]);
    expect(notModelled).toContain('the lag of listings');
    const applied = await harness.webdata('apply', '--yes', '--parallelism', '1', '--format', 'json');
    const { resources } = JSON.parse(applied.stdout);
    expect(calls.map(({ call, outcome }) => ({ call, outcome }))).toEqual(
      resources.flatMap(({ made }: { made: { call: unknown; outcome: string }[] }) =>
        made.map(({ call, outcome }) => ({ call, outcome })),
      ),
    );
  });
});

describe('a failure half-way', () => {
  async function simulated(...args: string[]): Promise<Simulated> {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', serviceYaml('plain') + declaration);
    const { stdout, code } = await harness.webdata('simulate', '--format', 'json', ...args);
    expect(code).toBe(0);
    expect(writesOf(harness.emulator.requests())).toEqual([]);
    return JSON.parse(stdout);
  }

  it('is a refused call: the rest of its resource is not sent, and the next plan has it', async () => {
    const { calls, result, next, undo } = await simulated('--fail-at', '2');
    expect(result).toBe('failed');
    expect(calls.map(({ outcome }) => outcome)).toEqual(['done', 'refused', 'done', 'done']);
    expect(next.resources.flatMap((resource) => resource.calls)).toHaveLength(2);
    expect(undo?.resources.flatMap((resource) => resource.calls.map(({ type }) => type))).toEqual([
      'updateSettings',
      'migrate',
    ]);
  });

  it('is a lost answer, which the read-back makes up for', async () => {
    const { calls, result, next } = await simulated('--fail-at', '1', '--failure', 'lost-answer');
    expect(result).toBe('done');
    expect(calls).toHaveLength(5);
    expect(next.resources.flatMap((resource) => resource.calls)).toEqual([]);
  });

  it('is a killed process, whose open call the next plan and undo look up', async () => {
    const { calls, result, next, undo } = await simulated('--fail-at', '1', '--failure', 'killed');
    expect(result).toBe('killed');
    expect(calls).toHaveLength(1);
    expect(next.resources.flatMap((resource) => resource.calls)).toHaveLength(4);
    expect(undo?.resources.flatMap((resource) => resource.calls)).toHaveLength(1);
  });

  it('cannot be at a call that the plan does not have', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', serviceYaml('plain') + declaration);
    expect(await harness.webdata('simulate', '--fail-at', '6')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/--fail-at 6: the plan has only 5\n {2}allowed: 1 to 5/),
    });
  });
});

it('shows a plan that apply would refuse, and simulates nothing', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', serviceYaml('plain') + declaration.replace('us: 3, de: 4', 'us: 3, de: 90'));
  const { stdout, code } = await harness.webdata('simulate');
  expect(code).toBe(1);
  expect(stdout).toContain('needs');
  expect(stdout).toContain('Nothing was simulated: an apply would refuse this plan.');
  expect(stdout).not.toContain('would then show');
});

it('fails where the service cannot be read, as an apply does, and still makes the calls to the manager', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', serviceYaml('plain') + declaration);
  const env = { WEBDATA_API_KEY: 'no-key-of-this-account' };
  const { stdout, code } = await harness.webdataWith({ env }, 'simulate', '--format', 'json');
  expect(code).toBe(1);
  const { result, calls }: Simulated = JSON.parse(stdout);
  expect(result).toBe('failed');
  expect(calls.map(({ call }) => call.type)).toEqual(['updateSettings', 'deletePorts']);
  expect(writesOf(harness.emulator.requests())).toEqual([]);
});

it('keeps IPs of unknown country, and settings and ports that the manager does not show', async () => {
  const account = await accountWith('plain', ({ zones, dialect, manager }) => {
    const { checkout } = zones;
    if (checkout) checkout.ips = [{ ip: '203.0.113.200', countries: ['', '', '', ''] }];
    dialect.recentStats = 'empty';
    dialect.settingsFields = { logs: 'missing' };
    manager.ports = [24010];
  });
  await using harness = await openHarness(account);
  await harness.write(
    'webdata.yaml',
    `${serviceYaml('plain')}zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }
managerSettings: { local: { zone: checkout, absentPorts: [24010] } }
`,
  );
  const { stdout, code } = await harness.webdata('simulate', '--format', 'json');
  expect(code).toBe(0);
  const { calls, next }: Simulated = JSON.parse(stdout);
  expect(calls.map(({ call }) => call.type)).toEqual(['migrate', 'updateSettings', 'deletePorts']);
  expect(calls[0]?.zones[0]).toEqual({
    zone: 'checkout',
    countries: [
      { country: '', before: 1, after: 1 },
      { country: 'us', before: 0, after: 1 },
    ],
  });
  expect(next.resources.flatMap((resource) => resource.calls)).toEqual([]);
});

it('registers deliveries and schedules in a copy of the trigger service, also where an answer is lost', async () => {
  await using serving = await openServing();
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', `name: ${owner}\ntriggers: { url: ${serving.url} }\n${schedules}`);
  const env = { WEBDATA_TRIGGERS_TOKEN: token };
  const { stdout, code } = await harness.webdataWith({ env }, 'simulate', '--fail-at', '2', '--failure', 'lost-answer');
  expect(stdout).toMatch(/2\. {2}schedule {2}done/);
  expect(stdout).toContain('Apply: 2 registrations changed.');
  expect(stdout).toContain('No changes. Live state is as declared.');
  expect(stdout).not.toContain('literal-secret');
  expect(code).toBe(0);
  expect((await serving.call('GET', `/v1/owners/${owner}`)).body).toEqual({ deliveries: [], schedules: [] });
  await harness.webdataWith({ env }, 'apply', '--yes');
  await harness.write('webdata.yaml', `name: ${owner}\ntriggers: { url: ${serving.url} }\n`);
  const pruned = await harness.webdataWith({ env }, 'simulate', '--prune', '--fail-at', '1');
  expect(pruned.stdout).toMatch(/1\. {2}schedule {2}refused \(refused by the simulation\)/);
  expect(pruned.stdout).toMatch(/2\. {2}delivery {2}refused .*main.* is used by nightly/s);
});

const schedules = `webhookDeliveries: { main: { endpoint: 'https://hooks.example.com/in', authorization: literal-secret } }
collectorSchedules:
  nightly: { collector: c_prices, cron: '0 3 * * *', inputs: [{ url: 'https://shop.example.com' }], delivery: main }
`;
