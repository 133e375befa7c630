/** `webdata triggers …` on a trigger service that `serve` has started, over SQLite and an emulator. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/triggers/store/open.ts';
import { eventually } from '../../eventually.ts';
import { moveClock } from '../../triggers/moveClock.ts';
import { type Harness, openHarness, type Result } from '../harness.ts';

const account = { id: 'hl_1', collectors: { c_prices: { seconds: 0 } } };

const token = 'canary-token-0123456789';

const declaration = `
name: acme
webhookDeliveries:
  results: { endpoint: https://hooks.example.com/webdata, authorization: { env: HOOK_AUTHORIZATION } }
collectorSchedules:
  yearly: { collector: c_prices, cron: "0 3 1 1 *", inputs: [{ url: "https://shop.example.com/a" }], overlap: allow }
  often: { collector: c_prices, every: 1s, inputs: [{ url: "https://shop.example.com/b" }], overlap: allow, paused: true }
  refused: { collector: c_none, cron: "0 4 1 1 *", inputs: [{ url: "https://shop.example.com/c" }], delivery: results }
`;

interface Served {
  harness: Harness;
  triggers(...args: string[]): Promise<Result>;
  /** What was written to stdout and stderr by the service, and how it ended. */
  stop(): Promise<Result>;
}

/** `serve`, as a person starts it: it ends when it is interrupted. */
async function serve(harness: Harness, env: Record<string, string>): Promise<{ url: string; stop: Served['stop'] }> {
  const interrupt = new AbortController();
  const args = ['triggers', 'serve', '--port', '0', '--ready-file', 'ready.json'];
  const served = harness.webdataWith({ env, signal: interrupt.signal }, ...args);
  const url = await eventually(async () => JSON.parse(await harness.read('ready.json')).url as string);
  return {
    url,
    async stop() {
      interrupt.abort();
      return served;
    },
  };
}

const secrets = {
  WEBDATA_TRIGGERS_TOKEN: token,
  WEBDATA_TRIGGERS_SECRET_FOR: 'HOOK_AUTHORIZATION=https://hooks.example.com',
  HOOK_AUTHORIZATION: 'Bearer canary-hook',
};

async function openServed(): Promise<Served> {
  const harness = await openHarness(account);
  const { url, stop } = await serve(harness, secrets);
  const env = { ...secrets, WEBDATA_TRIGGERS_URL: url };
  await harness.write('webdata.yaml', declaration);
  expect(await harness.webdataWith({ env }, 'apply', '--yes')).toMatchObject({ code: 0 });
  return { harness, triggers: (...args) => harness.webdataWith({ env }, 'triggers', ...args), stop };
}

describe('webdata triggers', () => {
  let served: Served;

  beforeAll(async () => {
    served = await openServed();
  });

  afterAll(async () => {
    await served.stop();
    await served.harness[Symbol.asyncDispose]();
  });

  const id = /^(r_\w+)/;

  /** Runs the yearly schedule, and waits until it has come to this. */
  async function ranTo(state: string): Promise<string> {
    const { stdout } = await served.triggers('run-now', 'yearly', '--yes');
    const [, run = ''] = id.exec(stdout) ?? [];
    await eventually(async () => expect((await details(run)).run.state).toBe(state));
    return run;
  }

  async function details(run: string) {
    return JSON.parse((await served.triggers('show', run, '--format', 'json')).stdout);
  }

  it('schedules: lists what is registered, and when it is due', async () => {
    const { code, stdout, stderr } = await served.triggers('schedules', '--owner', 'acme', '--format', 'csv');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [header, ...rows] = stdout.trimEnd().split('\r\n');
    expect(header).toBe('owner,name,target,paused,nextTickAt,lastState');
    expect(rows.sort()).toEqual([
      'acme,often,c_prices,true,,',
      expect.stringMatching(/^acme,refused,c_none,false,\d{4}-01-01T04:00:00\.000Z,$/),
      expect.stringMatching(/^acme,yearly,c_prices,false,\d{4}-01-01T03:00:00\.000Z,$/),
    ]);
    expect(JSON.parse((await served.triggers('schedules', '--owner', 'nobody', '--format', 'json')).stdout)).toEqual(
      [],
    );
  });

  it('run-now: asks first, then runs; runs and show tell what became of it', async () => {
    const before = served.harness.emulator.runs().length;
    const unasked = await served.triggers('run-now', 'yearly');
    expect(unasked).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('pass --yes') });
    expect(served.harness.emulator.runs()).toHaveLength(before);
    const run = await ranTo('finished');
    const [accepted] = served.harness.emulator.runs().slice(before);
    const listed = await served.triggers(
      'runs',
      '--schedule',
      'yearly',
      '--state',
      'finished',
      '--limit',
      '1',
      '--format',
      'json',
    );
    expect({ ...listed, stdout: JSON.parse(listed.stdout) }).toMatchObject({
      code: 0,
      stderr: '',
      stdout: [{ id: run, owner: 'acme', state: 'finished', collectionId: accepted?.id, rows: 1, late: false }],
    });
    const { stdout: table } = await served.triggers('runs');
    expect(table).toMatch(
      new RegExp(`^ID {2,}STATE .*\n(?:.*\n)*?${run} {2}finished {2}acme .*\n {4}.*rows: 1, late: no`),
    );
    for (const line of table.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const { events } = await details(run);
    const states = events.map(({ state }: { state: string }) => state);
    expect(states).toEqual(['waiting', 'triggering', 'running', 'finished']);
  });

  it('pause and resume: say since when and until when there are no ticks', async () => {
    expect(await served.triggers('pause', 'yearly')).toEqual({ code: 0, stdout: 'yearly is paused\n', stderr: '' });
    const { stdout } = await served.triggers('schedules', '--format', 'json');
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ name: 'yearly', paused: true, nextTickAt: null }),
    );
    const resumed = await served.triggers('resume', 'yearly', '--owner', 'acme');
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
    expect(resumed.stdout).toMatch(/^yearly runs next at \d{4}-01-01T03:00:00\.000Z\n$/);
  });

  it('resolve: what a person says of an unknown run is what it is', async () => {
    const { emulator } = served.harness;
    emulator.addFault({ route: 'dca/trigger', occurrence: [1, 2, 3], fault: { kind: 'drop-after' } });
    const [accepted, lost, again] = [await ranTo('unknown'), await ranTo('unknown'), await ranTo('unknown')];
    const count = emulator.runs().length;
    const real = emulator.runs().at(-3)?.id ?? '';
    expect(await served.triggers('resolve', accepted, '--id', real)).toEqual({
      code: 0,
      stdout: `${accepted} is running (${real})\n`,
      stderr: '',
    });
    expect((await served.triggers('resolve', lost, '--lost')).stdout).toBe(`${lost} is lost\n`);
    expect(emulator.runs()).toHaveLength(count);
    expect((await served.triggers('resolve', again, '--resend')).stdout).toBe(`${again} is waiting\n`);
    await eventually(async () => expect((await details(again)).run.state).toBe('running'));
    expect(emulator.runs()).toHaveLength(count + 1);
    expect(await served.triggers('resolve', lost, '--resend')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`run ${lost} is lost`),
    });
  });

  it.each<[string, string[], string]>([
    [
      'schedules: a format that there is not',
      ['schedules', '--format', 'xml'],
      'Allowed choices are table, json, ndjson, csv.',
    ],
    ['runs: a state that there is not', ['runs', '--state', 'done'], 'waiting, triggering, running, unknown'],
    ['show: a run that there is not', ['show', 'r_none'], 'run r_none does not exist'],
    ['resolve: nothing that is said', ['resolve', 'r_none'], '--id ID, --lost or --resend'],
    ['resolve: two things that are said', ['resolve', 'r_none', '--lost', '--resend'], 'cannot be used with'],
    ['pause: a schedule that there is not', ['pause', 'yearli'], 'yearli'],
    ['resume: an owner that there is not', ['resume', 'yearly', '--owner', 'other'], 'other'],
    ['run-now: an unknown schedule', ['run-now', 'yearli', '--yes'], 'yearli'],
    ['round: a store of another kind', ['round', '--store', 'mysql://x/y'], 'postgres://…'],
    ['serve: a port that is none', ['serve', '--port', 'x'], 'It must be a whole number'],
    ['serve: a port that is too high', ['serve', '--port', '70000'], 'It must be a port: 0 to 65535.'],
  ])('%s: is refused, with what is allowed', async (_, args, says) => {
    const { code, stdout, stderr } = await served.triggers(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
  });
});

describe('webdata triggers serve', () => {
  it('says where it is, logs no secret, and ends with 0 when it is interrupted', async () => {
    await using harness = await openHarness(account);
    const { url, stop } = await serve(harness, { WEBDATA_TRIGGERS_TOKEN: token });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/v1/totals?token=${token}`, { headers: { authorization: 'x' } })).status).toBe(401);
    const { code, stdout, stderr } = await stop();
    expect({ code, stdout }).toEqual({ code: 0, stdout: `Trigger service at ${url}\n` });
    expect(stderr).not.toContain(token);
    expect(await readdir(harness.folder)).toContain('.webdata');
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['without a token', {}, 'WEBDATA_TRIGGERS_TOKEN is not set'],
    ['without an API key', { WEBDATA_TRIGGERS_TOKEN: token, WEBDATA_API_KEY: undefined }, 'set WEBDATA_API_KEY'],
    [
      'with a key of another length',
      { WEBDATA_TRIGGERS_TOKEN: token, WEBDATA_TRIGGERS_KEY: 'canary' },
      'the encryption key is not 32 bytes',
    ],
    [
      'with a key file that is not there',
      { WEBDATA_TRIGGERS_TOKEN: token, WEBDATA_TRIGGERS_KEY_FILE: 'none.key' },
      'WEBDATA_TRIGGERS_KEY_FILE none.key cannot be read: it does not exist',
    ],
  ])('does not start %s', async (_, env, says) => {
    await using harness = await openHarness(account);
    const { code, stdout, stderr } = await harness.webdataWith({ env }, 'triggers', 'serve', '--port', '0');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr).not.toContain('canary');
  });
});

it('webdata triggers serve says what to do where something else listens at its port', async () => {
  await using harness = await openHarness(account);
  const port = new URL(harness.emulator.apiUrl).port;
  const env = { WEBDATA_TRIGGERS_TOKEN: token };
  const { code, stderr } = await harness.webdataWith({ env }, 'triggers', 'serve', '--port', port);
  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`in use 127.0.0.1:${port}[^]*pass another --port`));
});

describe('webdata triggers round', () => {
  it('needs no server: it fires and polls what is due, and ends with 1 and the reason while a person is needed', async () => {
    await using harness = await openHarness(account);
    const { url, stop } = await serve(harness, secrets);
    await harness.write(
      'webdata.yaml',
      declaration.replaceAll(/cron: "0 [34] 1 1 \*"/g, 'every: 1h').replace('every: 1s', 'every: 1d'),
    );
    await harness.webdataWith({ env: { ...secrets, WEBDATA_TRIGGERS_URL: url } }, 'apply', '--yes');
    await stop();
    const database = await openStore(join(harness.folder, '.webdata', 'triggers.db'));
    const hour = 3_600_000;
    const toNextHour = hour - (Date.now() % hour) + 1000;
    const roundAt = async (offset: number) => {
      await moveClock(database, toNextHour + offset);
      return harness.webdataWith({ env: secrets }, 'triggers', 'round');
    };
    const which = (name: string) => String.raw`^acme/${name} at \d{4}-\S+:00:00\.000Z: r_\w+ is`;
    const fired = await roundAt(0);
    expect(fired).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(`${which('yearly')} running \\(j_\\w+\\)\n$`),
    });
    expect(fired.stderr).toMatch(new RegExp(`${which('refused')} failed \\(.*404.*\\)\n1 run failed\\.\n$`));
    expect(fired.stdout + fired.stderr).not.toContain('canary');
    const polled = { code: 0, stdout: expect.stringMatching(`${which('yearly')} finished \\(1 row\\)\n$`), stderr: '' };
    expect(await roundAt(10_000)).toEqual(polled);
    expect(await roundAt(20_000)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(harness.emulator.runs()).toHaveLength(1);
    harness.emulator.addFault({ route: 'dca/trigger', fault: { kind: 'drop-after' } });
    const isUnknown = new RegExp(`${which('yearly')} unknown [^]*2 runs of unknown outcome: .*resolve`, 'm');
    for (const offset of [hour, hour + 10_000])
      expect(await roundAt(offset)).toMatchObject({ code: 1, stderr: expect.stringMatching(isUnknown) });
    expect(harness.emulator.runs()).toHaveLength(2);
    await database.close();
  });

  it('says what is wrong with the store, and fires nothing', async () => {
    await using harness = await openHarness(account);
    const env = { WEBDATA_TRIGGERS_STORE: 'postgres://webdata@127.0.0.1:9/none' };
    const { code, stdout, stderr } = await harness.webdataWith({ env }, 'triggers', 'round');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('ECONNREFUSED');
  });
});

describe('a delivery whose secret is bound to no origin', () => {
  it('is refused with the option to add, and its schedules do not say that it is not declared', async () => {
    await using harness = await openHarness(account);
    const { WEBDATA_TRIGGERS_SECRET_FOR: binding, ...env } = secrets;
    const { url, stop } = await serve(harness, env);
    await harness.write('webdata.yaml', declaration);
    const apply = (at: string) => harness.webdataWith({ env: { ...env, WEBDATA_TRIGGERS_URL: at } }, 'apply', '--yes');
    const { code, stdout, stderr } = await apply(url);
    expect(code).toBe(1);
    expect(stdout).toContain(`--secret-for '${binding}'`);
    expect(stdout + stderr).not.toMatch(/not declared|declare it/);
    expect(stdout).toMatch(/delivery `results` is not registered[\s\S]*if it could\s+not\s+be\s+registered/);
    await stop();
  });
});

describe('webdata triggers rotate-key', () => {
  it('seals secrets under the first key, so that the one before it is needed no more', async () => {
    await using harness = await openHarness(account);
    const [before, after] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    const env = { WEBDATA_TRIGGERS_TOKEN: token, WEBDATA_TRIGGERS_KEY: before ?? '' };
    const { url, stop } = await serve(harness, env);
    await harness.write('webdata.yaml', declaration.replace('{ env: HOOK_AUTHORIZATION }', 'Bearer canary-hook'));
    const applied = await harness.webdataWith({ env: { ...env, WEBDATA_TRIGGERS_URL: url } }, 'apply', '--yes');
    expect(applied).toMatchObject({ code: 0 });
    await stop();
    const rotate = (key: string | undefined) =>
      harness.webdataWith({ env: { WEBDATA_TRIGGERS_KEY: key } }, 'triggers', 'rotate-key');
    const sealed = 'Re-encrypted with the first key: deliveries 1, schedules 0.\n';
    expect(await rotate(`${after},${before}`)).toEqual({ code: 0, stdout: sealed, stderr: '' });
    expect(await rotate(after)).toEqual({ code: 0, stdout: sealed, stderr: '' });
    expect(await rotate(before)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('which is missing'),
    });
    expect(await rotate(undefined)).toMatchObject({ code: 1, stderr: expect.stringContaining('WEBDATA_TRIGGERS_KEY') });
  });
});
