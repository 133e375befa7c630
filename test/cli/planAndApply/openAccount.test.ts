/** A service with the routes that the specification does not have: all zones, what they may hold and cost, the balance, the id of the account. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/triggers/store/open.ts';
import { receiver } from '../../emulator/receiver.ts';
import { moveClock } from '../../triggers/moveClock.ts';
import { accountWith, type Harness, openDeclared, openHarness, serviceYaml } from '../harness.ts';

const pinned = 'service: { profile: { accountRoutes: true, settleSeconds: 0 } }\n';
const moving = (zone: string, more = '') =>
  `zoneIpAllocations: { static: { zones: { ${zone}: { count: 9 } }, sources: [pricing], spare: parked } }\n${more}`;

async function openWith(declaration: string): Promise<Harness> {
  const harness = await openHarness('open');
  await harness.write('webdata.yaml', declaration);
  return harness;
}

const routesOf = ({ emulator }: Harness) => emulator.requests().map(({ route }) => route);

describe('all zones', () => {
  it('are pulled, without an option, and with their types', async () => {
    const account = await accountWith('open', ({ zones }) => {
      for (let number = Object.keys(zones).length; number < 40; number += 1) {
        zones[`zone-${number}`] = { ...zones.parked, ips: { us: [`198.18.0.${number}`] } } as never;
      }
    });
    await using harness = await openHarness(account);
    const { code, stderr } = await harness.webdata('pull', '--output', 'webdata.yaml');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('recently used') });
    const yaml = await harness.read('webdata.yaml');
    expect(yaml.match(/^ {6}[\w-]+:/gm)?.length).toBeGreaterThanOrEqual(40);
    expect(yaml).toContain('zone-39:');
    expect(await harness.webdata('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') });
  });

  it('are shown, and a mistyped one is an error with the nearest name', async () => {
    await using harness = await openHarness('open');
    expect((await harness.webdata('show')).stdout).toContain('archive');
    expect((await harness.webdata('show')).stdout).toContain('old-pricing');
  });

  it('a mistyped zone is an error of a plan where the service would list it as empty', async () => {
    const account = await accountWith('open', ({ dialect }) => {
      dialect.unknownZone = 'empty';
    });
    await using harness = await openHarness(account);
    await harness.write('webdata.yaml', pinned + moving('chekout'));
    const { code, stdout } = await harness.webdata('plan');
    expect(code).toBe(1);
    expect(stdout).toMatch(/zone `chekout` does not exist/);
    expect(stdout).toContain('did you mean `checkout`?');
  });
});

it('a zone is not filled above what its plan allows', async () => {
  const account = await accountWith('open', ({ zones }) => {
    if (zones.checkout) zones.checkout.plan = { ...zones.checkout.plan, ips: 8 };
  });
  await using harness = await openHarness(account);
  await harness.write('webdata.yaml', pinned + moving('checkout'));
  const { code, stdout, stderr } = await harness.webdata('plan', '--log-http');
  expect(code).toBe(1);
  expect(stdout).toContain('checkout is declared to have 9 IPs, and its plan allows 8');
  expect(stderr).toContain('/zone?zone=checkout');
  expect(stderr).toContain('(not shown)');
});

it('a plan with the key of another account is refused', async () => {
  await using harness = await openWith(
    pinned.replace('accountRoutes', 'accountId: hl_other, accountRoutes') + moving('checkout'),
  );
  const { code, stderr } = await harness.webdata('plan');
  expect(code).toBe(1);
  expect(stderr).toContain('the key belongs to hl_example');
  expect(stderr).toContain('hl_other');
  await harness.write(
    'webdata.yaml',
    pinned.replace('accountRoutes', 'accountId: hl_example, accountRoutes') + moving('checkout'),
  );
  expect(await harness.webdata('plan')).toMatchObject({ code: 0 });
});

describe('doctor', () => {
  it('shows the id and the balance, and a profile that pins what it detected', async () => {
    await using harness = await openHarness('open');
    const { code, stdout } = await harness.webdata('doctor');
    expect(code).toBe(0);
    expect(stdout).toMatch(/6 zones in all/);
    expect(stdout).toMatch(/the id of the account is hl_example/);
    expect(stdout).toMatch(/250\.50, 12\.00 pending/);
    expect(stdout).toMatch(/accountRoutes: true/);
    expect(stdout).toMatch(/accountId: hl_example/);
  });

  it('fails where the balance is below what the schedules of the next day cost', async () => {
    await using harness = await openWith(
      'name: acme\nprices: { currency: USD, trigger: 20 }\ncollectorSchedules: { often: { collector: c_prices, every: 1h, inputs: [{ url: "https://shop.example.com/a" }] } }\n',
    );
    const { code, stdout } = await harness.webdata('doctor', '--format', 'json');
    expect(code).toBe(1);
    const balance = JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'balance');
    expect(balance).toMatchObject({
      result: 'failed',
      text: expect.stringMatching(/the declared schedules cost 4[68]0\.00 USD/),
    });
  });
});

it('the endpoints of alerts are told before the balance ends: it does not cover the next 24 hours', async () => {
  const hook = await receiver();
  const schedule = (timing: string) =>
    `{ collector: c_prices, ${timing}, inputs: [{ url: a }], alerts: { endpoint: "${hook.url}", format: slack } }`;
  await using harness = await openWith(
    `name: acme
triggers: { store: ./triggers.db }
prices: { currency: USD, trigger: 20 }
collectorSchedules:
  often: ${schedule('every: 1h')}
  yearly: ${schedule('cron: "0 0 1 1 *"')}
`,
  );
  const store = ['--allow-private-endpoints'];
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  await harness.webdata('triggers', 'round', ...store);
  await harness.webdata('triggers', 'round', ...store);
  const sentence = 'the balance is 250.50 USD, and the schedules cost 480.00 USD in the next 24 hours';
  expect(hook.received.map(({ body }) => JSON.parse(String(body)))).toEqual([
    { text: `The balance is low: ${sentence}. Fix: add funds, or pause schedules` },
  ]);
});

it.each([
  ['open', 'cancelled', 'cancelled'],
  ['plain', 'running', 'building'],
] as const)('overlap: cancel for a data set, on the %s account: the earlier run is %s', async (name, state, job) => {
  const account = await accountWith(name, (its) => {
    its.datasets = { gd_people: { seconds: 3600 } } as never;
  });
  await using harness = await openHarness(account);
  await harness.write(
    'webdata.yaml',
    'name: acme\ntriggers: { store: ./triggers.db }\ncollectorSchedules: { nightly: { dataset: gd_people, every: 1d, overlap: cancel, inputs: [{ url: a }] } }\n',
  );
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  const order = async () => {
    const { stdout } = await harness.webdata('triggers', 'run-now', 'nightly', '--yes');
    return [stdout.split(' ')[0] ?? '', await harness.webdata('triggers', 'round')] as const;
  };
  const [first] = await order();
  const [, round] = await order();
  const runs = JSON.parse((await harness.webdata('triggers', 'runs', '--format', 'json')).stdout);
  expect(runs.map((run: { id: string; state: string }) => [run.id === first, run.state])).toEqual([
    [false, 'running'],
    [true, state],
  ]);
  expect(harness.emulator.runs()[0]).toMatchObject({ state: job });
  expect(round.stderr.includes('cannot cancel the earlier job')).toBe(state === 'running');
});

it('a service without these routes is asked for them once by a command that shows, and never by a plan', async () => {
  await using harness = await openDeclared('plain', moving('checkout'));
  await harness.webdata('plan');
  expect(routesOf(harness)).not.toContain(null);
  harness.emulator.clearRequests();
  await harness.webdata('show');
  expect(routesOf(harness).filter((route) => route === null)).toHaveLength(1);
  harness.emulator.clearRequests();
  await harness.webdata('doctor');
  expect(routesOf(harness).filter((route) => route === null)).toHaveLength(1);
  harness.emulator.clearRequests();
  await harness.write(
    'webdata.yaml',
    serviceYaml('plain').replace('profile:\n', 'profile:\n    accountRoutes: false\n'),
  );
  await harness.webdata('show');
  expect(routesOf(harness)).not.toContain(null);
});

it('show --cost has what each zone costs this month, or says that the service does not show it', async () => {
  const account = await accountWith('open', ({ zones }) => {
    if (zones.checkout) zones.checkout.spent = { bw: 1_500_000_000, cost: 12.5 };
  });
  await using harness = await openHarness(account);
  expect((await harness.webdata('show', '--cost')).stdout).toMatch(/^checkout .*12\.50 for 1\.5 GB\s+this month/m);
  const { zones } = JSON.parse((await harness.webdata('show', '--cost', '--format', 'json')).stdout);
  expect(zones).toContainEqual(
    expect.objectContaining({ zone: 'checkout', cost: { bandwidth: 1_500_000_000, cost: 12.5 } }),
  );
  await using without = await openHarness('plain');
  expect(await without.webdata('show', '--cost')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the service does not show costs'),
  });
});

it('a schedule of a data set finishes where the service has only the other route of snapshots', async () => {
  const account = await accountWith('open', (its) => {
    its.datasets = { gd_people: { seconds: 0, row: { name: '{url}' } } } as never;
  });
  await using harness = await openHarness(account);
  await harness.write(
    'webdata.yaml',
    'name: acme\ntriggers: { store: ./triggers.db }\ncollectorSchedules: { nightly: { dataset: gd_people, every: 1d, inputs: [{ url: "https://shop.example.com/a" }] } }\n',
  );
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
  const [run = ''] = (await harness.webdata('triggers', 'run-now', 'nightly', '--yes')).stdout.split(' ');
  expect((await harness.webdata('triggers', 'round')).stdout).toContain(`${run} is running`);
  const database = await openStore(join(harness.folder, 'triggers.db'));
  await moveClock(database, 10_000);
  await database.close();
  expect((await harness.webdata('triggers', 'round')).stdout).toContain(`${run} is finished (1 row)`);
  expect(harness.emulator.requests().filter(({ route }) => route === 'datasets/trigger')).toHaveLength(1);
});
