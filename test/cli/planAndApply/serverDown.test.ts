/** A server that is down, refuses or hangs costs only the resources that live on it. */
import { afterAll, describe, expect, it } from 'vitest';
import { type Loopback, openLoopback, type Reply } from '../../client/loopback.ts';
import { migrationsOf } from '../harness.ts';
import {
  cron,
  nightly,
  openApplied,
  openRegistering,
  type Registering,
  results,
} from '../registrations/registrations.ts';

const zones = 'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }\n';
const settings = 'managerSettings: { local: { logs: 1234 } }\n';
const patience = ['--retries', '0'];
/** A busy machine answers within it. */
const shortPatience = [...patience, '--timeout', '1'];

const loopbacks: AsyncDisposable[] = [];
afterAll(() => Promise.all(loopbacks.map((each) => each[Symbol.asyncDispose]())));

/** A server that gives the same answer to everything, until the last test has ended: they run side by side. */
async function serving(reply: Reply): Promise<Loopback> {
  const opened = await openLoopback(reply);
  loopbacks.push(opened);
  return opened;
}

type Env = Record<string, string>;

/** What a server may be instead of there, as the address and the token of the trigger service. */
const absences: [string, (registering: Registering) => Promise<Env> | Env, patience?: string[]][] = [
  ['refuses connections', () => ({ WEBDATA_TRIGGERS_URL: 'http://127.0.0.1:9' })],
  ['does not exist', () => ({ WEBDATA_TRIGGERS_URL: 'http://triggers.invalid' })],
  ['hangs', async () => ({ WEBDATA_TRIGGERS_URL: (await serving({ fault: 'silence' })).url }), shortPatience],
  [
    'answers with a page',
    async () => ({ WEBDATA_TRIGGERS_URL: (await serving({ body: '<html>sign in</html>' })).url }),
  ],
  ['answers 503', async () => ({ WEBDATA_TRIGGERS_URL: (await serving({ status: 503, body: {} })).url })],
  ['is at another path', ({ serving }) => ({ WEBDATA_TRIGGERS_URL: `${serving.url}/elsewhere` })],
  ['refuses the token', () => ({ WEBDATA_TRIGGERS_TOKEN: 'wrong-token-0123456789' })],
];

describe.concurrent.each(absences)('a trigger service that %s', (_, absence, args = patience) => {
  it('costs a declaration without registrations nothing but a note', async () => {
    await using registering = await openRegistering();
    await registering.declare(zones + settings);
    const env = await absence(registering);
    const run = (...command: string[]) => registering.webdataWith(env, ...command, ...args);
    const plan = await run('plan', '--format', 'json');
    expect(plan).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(plan.stdout)).toMatchObject({
      problems: [],
      summary: { problems: 0 },
      warnings: [{ code: 'undeclared-not-read' }],
    });
    const applied = await run('apply', '--yes');
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('were not looked for') });
    expect(migrationsOf(registering.emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
    expect(await run('drift')).toMatchObject({ code: 0, stdout: expect.stringContaining('No drift') });
    expect(await run('ci', 'drift', '--', ...args)).toMatchObject({ code: 0 });
    const shown = await run('show');
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^checkout /m) });
    expect(shown.stderr).toMatch(/^note: not declared, and not shown: /);
    expect((await run('audit')).stderr).toBe('');
    expect(await run('undo', '--yes')).toMatchObject({ code: 0 });
  });

  it('costs declared registrations their comparison, and zones and managers nothing', async () => {
    await using registering = await openRegistering();
    await registering.declare(zones + settings + results + nightly(cron));
    const env = await absence(registering);
    const run = (...command: string[]) => registering.webdataWith(env, ...command, ...args);
    const plan = JSON.parse((await run('plan', '--format', 'json')).stdout);
    const problemsOf = (kind: string) =>
      plan.resources
        .filter((each: { kind: string }) => each.kind === kind)
        .map((each: { problems: [] }) => each.problems.length);
    expect([problemsOf('ZoneIpAllocation'), problemsOf('ManagerSettings')]).toEqual([[0], [0]]);
    expect([problemsOf('WebhookDelivery'), problemsOf('CollectorSchedule')]).toEqual([[1], [1]]);
    expect(await run('apply', '--yes')).toMatchObject({ code: 1 });
    expect(migrationsOf(registering.emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
    const shown = await run('show');
    expect(shown).toMatchObject({ code: 1, stdout: expect.stringMatching(/^checkout /m) });
    expect(shown.stderr).not.toMatch(/^note: not declared/);
    expect(await run('drift')).toMatchObject({ code: 1 });
    expect(await run('destroy', '--select', 'ManagerSettings/local', '--yes')).toMatchObject({ code: 0 });
  });

  it('is needed to remove what is not declared', async () => {
    await using registering = await openRegistering();
    await registering.declare(zones);
    const { code } = await registering.webdataWith(await absence(registering), 'apply', '--prune', '--yes', ...args);
    expect({ code, moved: migrationsOf(registering.emulator.requests()) }).toEqual({ code: 1, moved: [] });
  });
});

describe.concurrent('a reviewed plan and an undo', () => {
  it('apply the moves of a plan file whose registrations cannot be read any more', async () => {
    await using registering = await openRegistering();
    await registering.declare(zones + results);
    expect(await registering.webdata('plan', '--output', 'plan.json')).toMatchObject({ code: 0 });
    const env = { WEBDATA_TRIGGERS_URL: 'http://127.0.0.1:9' };
    const { code, stdout } = await registering.webdataWith(env, 'apply', 'plan.json', '--yes', ...patience);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('connection refused') });
    expect(migrationsOf(registering.emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
  });

  it('undo the moves of a run, and its registrations when the trigger service is back', async () => {
    await using registering = await openRegistering();
    await registering.declare(zones + results);
    expect(await registering.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    const env = { WEBDATA_TRIGGERS_URL: registering.serving.url };
    await registering.serving.stop();
    const { code, stdout } = await registering.webdataWith(env, 'undo', '--yes', ...patience);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('connection refused') });
    expect(migrationsOf(registering.emulator.requests())).toEqual([
      'pricing -> checkout: 192.0.2.10',
      'checkout -> pricing: 192.0.2.10',
    ]);
    await registering.serving.start();
    expect(await registering.webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect(await registering.serving.registry.owners()).toEqual([]);
    expect(migrationsOf(registering.emulator.requests())).toHaveLength(2);
  });
});

describe.concurrent('a manager that is down', () => {
  const managers: [string, () => Promise<string> | string, patience?: string[]][] = [
    ['refuses connections', () => 'http://127.0.0.1:9'],
    ['hangs', async () => (await serving({ fault: 'silence' })).url, shortPatience],
    ['answers with a page', async () => (await serving({ body: '<html>sign in</html>' })).url],
    ['answers 401', async () => (await serving({ status: 401, body: {} })).url],
  ];

  it.each(managers)('%s: costs its own settings only', async (_, urlOf, args = patience) => {
    await using registering = await openApplied();
    await registering.declare(zones + settings + results + nightly(cron, 'timeZone: UTC'));
    const env = { WEBDATA_MANAGER_URL: await urlOf() };
    const run = (...command: string[]) => registering.webdataWith(env, ...command, ...args);
    expect(await run('plan')).toMatchObject({ code: 1, stdout: expect.stringContaining('checkout') });
    expect(await run('apply', '--yes')).toMatchObject({ code: 1 });
    expect(migrationsOf(registering.emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
    expect((await registering.serving.registry.records('acme')).schedules[0]?.spec.timeZone).toBe('UTC');
    const shown = await run('show');
    expect(shown).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/nightly {2}collector[\s\S]*^checkout|^checkout[\s\S]*nightly/m),
    });
    expect(await run('audit')).toMatchObject({ code: 1 });
    await registering.declare(zones + results + nightly(cron, 'timeZone: UTC'));
    expect(await run('plan')).toMatchObject({ code: 0 });
    expect(await run('show')).toMatchObject({ code: 0, stderr: expect.stringMatching(/^note: not declared/) });
  });
});

describe.concurrent('the parts of an account that can be read', () => {
  const everything = zones + settings + results + nightly(cron);
  const down = 'http://127.0.0.1:9';

  it('are shown and pulled if the service is down', async () => {
    await using registering = await openApplied();
    await registering.declare(everything);
    const run = (...args: string[]) => registering.webdataWith({ WEBDATA_API_URL: down }, ...args, ...patience);
    const shown = await run('show');
    expect(shown).toMatchObject({ code: 1, stderr: expect.stringContaining('connection refused') });
    expect(shown.stdout).toMatch(/^checkout {2}\? {2}could not be read$/m);
    expect(shown.stdout).toMatch(/^ {2}nightly {2}collector c_prices/m);
    expect(shown.stdout).toMatch(/^managerSettings\n {2}http:\S+ +zone /m);
    expect(JSON.parse((await run('show', '--format', 'json')).stdout)).toMatchObject({
      recentZones: 'failed',
      problems: expect.arrayContaining([expect.objectContaining({ code: 'unreachable' })]),
    });
    const pulled = await run('pull');
    expect(pulled).toMatchObject({ code: 1, stdout: expect.stringMatching(/^managerSettings:$/m) });
    expect(pulled.stdout).not.toContain('zoneIpAllocations');
    expect(pulled.stderr).toContain('note: parts of the account are missing in the file');
    expect(pulled.stderr).toContain('connection refused');
  });

  it('are pulled if a manager is down, into a file too', async () => {
    await using registering = await openApplied();
    const run = (...args: string[]) => registering.webdataWith({ WEBDATA_MANAGER_URL: down }, ...args, ...patience);
    expect(await run('pull', '--output', 'live.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/note: parts of the account are missing in the file[\s\S]*connection refused/),
    });
    const file = await registering.read('live.yaml');
    expect(file).toMatch(/^ {6}checkout:$/m);
    expect(file).not.toContain('managerSettings');
  });

  it('are pulled if one of the zones does not exist', async () => {
    await using registering = await openApplied();
    const { code, stdout, stderr } = await registering.webdata('pull', '--zone', 'checkout', '--zone', 'nowhere');
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^ {6}checkout:$/m) });
    expect(stdout).not.toContain('nowhere');
    expect(stderr).toContain('nowhere');
  });

  it('are no file if there are none', async () => {
    await using registering = await openApplied();
    const env = { WEBDATA_API_URL: down, WEBDATA_MANAGER_URL: down, WEBDATA_TRIGGERS_URL: down };
    const { code, stdout } = await registering.webdataWith(env, 'pull', '--output', 'live.yaml', ...patience);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    await expect(registering.read('live.yaml')).rejects.toThrow();
  });
});

it.concurrent('a manager and a trigger service that hang are asked twice, and the service as often as --retries says', async () => {
  await using registering = await openApplied();
  await registering.declare(zones + settings + results + nightly(cron));
  const [manager, triggers] = [await serving({ fault: 'silence' }), await serving({ fault: 'silence' })];
  const env = { WEBDATA_MANAGER_URL: manager.url, WEBDATA_TRIGGERS_URL: triggers.url };
  const run = (...args: string[]) => registering.webdataWith(env, ...args, '--timeout', '1');
  for (const command of ['plan', 'show', 'pull', 'drift', 'doctor']) {
    manager.requests.length = 0;
    triggers.requests.length = 0;
    expect(await run(command), command).toMatchObject({ code: 1 });
    const repeated = [...manager.requests, ...triggers.requests].map(({ method, path }) => `${method} ${path}`);
    expect(repeated.length, command).toBe(2 * new Set(repeated).size);
  }
  const service = await serving({ fault: 'silence' });
  await registering.webdataWith(
    { WEBDATA_API_URL: service.url },
    'zones',
    'ips',
    'checkout',
    '--timeout',
    '0.1',
    '--retries',
    '2',
  );
  expect(service.requests).toHaveLength(3);
});
