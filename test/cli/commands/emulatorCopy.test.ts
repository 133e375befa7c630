/** `webdata emulator --copy`: rehearsals on a copy of the live account, with the ordinary commands. */
import { describe, expect, it } from 'vitest';
import { createTriggersClient } from '../../../src/triggers/client.ts';
import { openServing, owner, token, webhook, yearly } from '../../triggers/serving.ts';
import { type AccountName, accounts, type Harness, openDeclared, openHarness, writesOf } from '../harness.ts';

const declaration = `zoneIpAllocations:
  static: { zones: { checkout: { count: { us: 3, de: 4 } } }, sources: [pricing], spare: parked }
managerSettings: { local: { logs: 500, whitelistIps: [10.0.0.0/8], absentPorts: [24010] } }
`;

type Env = Record<string, string>;

/** Starts a copy, and calls `rehearse` with the variables of its ready file. Returns its output. */
async function onCopy(
  { webdataWith, read }: Harness,
  { args = [], env = {} }: { args?: readonly string[]; env?: Env },
  rehearse: (env: Env) => Promise<void>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const ended = new AbortController();
  const options = ['--manager-port', '0', '--ready-file', 'ready.json', ...args];
  const running = webdataWith({ signal: ended.signal, env }, 'emulator', '--copy', ...options);
  const refused = running.then(() => undefined);
  const variables = async (): Promise<Env> => JSON.parse(await read('ready.json')).variables;
  const ready = await Promise.race([refused, expect.poll(variables).toBeDefined().then(variables)]);
  try {
    if (ready !== undefined) await rehearse({ ...env, ...ready });
  } finally {
    ended.abort();
  }
  return running;
}

interface Report {
  resources: { calls?: object[]; made?: { call: object; outcome: string }[] }[];
}

const callsIn = (json: string) => (JSON.parse(json) as Report).resources.flatMap(({ calls = [] }) => calls);
const madeIn = (json: string) => (JSON.parse(json) as Report).resources.flatMap(({ made = [] }) => made);
const withoutManager = (calls: object[]) => calls.map((call) => ({ ...call, manager: undefined }));

describe.each(Object.keys(accounts) as AccountName[])('a copy of the %s account', (account) => {
  it('has the plan of the account and takes its calls, while the account is only read', async () => {
    await using harness = await openDeclared(account, declaration);
    const { webdata, webdataWith, emulator } = harness;
    const live = callsIn((await webdata('plan', '--format', 'json')).stdout);
    const { stdout, code } = await onCopy(harness, {}, async (env) => {
      const run = (...args: string[]) => webdataWith({ env }, ...args);
      const planned = callsIn((await run('plan', '--format', 'json')).stdout);
      expect(withoutManager(planned)).toEqual(withoutManager(live));
      expect(madeIn((await run('apply', '--yes', '--format', 'json')).stdout)).toHaveLength(live.length);
      expect((await run('plan')).stdout).toContain('No changes.');
      expect(await run('undo', '--yes')).toMatchObject({ code: 0 });
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^A copy of http\S+ is running: \d+ zones, 1 proxy manager\. The account was only read/);
    expect(writesOf(emulator.requests())).toEqual([]);
    expect((await webdata('history')).stdout).toBe('No runs.\n');
  });
});

it.each([
  ['refused', 1, ['done', 'refused'], 2],
  ['lost-answer', 0, ['done', 'done'], 0],
])('a call that fails (%s) leaves what it would leave of the account', async (failure, code, outcomes, left) => {
  await using harness = await openDeclared('plain', declaration);
  await onCopy(harness, { args: ['--fail-at', '2', '--failure', failure] }, async (env) => {
    const run = (...args: string[]) => harness.webdataWith({ env }, ...args);
    const applied = await run('apply', '--yes', '--parallelism', '1', '--format', 'json');
    expect(applied.code).toBe(code);
    expect(madeIn(applied.stdout).slice(0, 2)).toMatchObject(outcomes.map((outcome) => ({ outcome })));
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: left });
  });
});

it('holds registrations, and no secret of them', async () => {
  await using serving = await openServing();
  await using harness = await openDeclared('plain', `name: ${owner}\n`);
  const real = createTriggersClient({ url: serving.url, token });
  await real.putDelivery(owner, 'main', webhook({ authorization: 'Bearer literal-secret' }));
  await real.putSchedule(owner, 'nightly', yearly({ delivery: 'main' }));
  const before = await real.records(owner);
  const specs = ({ deliveries, schedules }: typeof before) => [...deliveries, ...schedules].map(({ spec }) => spec);
  const env = { WEBDATA_TRIGGERS_URL: serving.url, WEBDATA_TRIGGERS_TOKEN: token };
  const { stdout } = await onCopy(harness, { env }, async (copied) => {
    const { WEBDATA_TRIGGERS_URL: url = '', WEBDATA_TRIGGERS_TOKEN: own = '' } = copied;
    expect(own).not.toBe(token);
    const copy = createTriggersClient({ url, token: own });
    expect(specs(await copy.records(owner))).toEqual(specs(before));
    await copy.close();
    expect(await harness.webdataWith({ env: copied }, 'apply', '--yes', '--prune')).toMatchObject({ code: 0 });
  });
  expect(stdout).toContain('1 delivery, 1 schedule');
  expect(stdout).not.toContain('literal-secret');
  expect(await real.records(owner)).toEqual(before);
  await real.close();
});

it.each([
  ['service: { url: "API" }', 'service.url', 'WEBDATA_API_URL'],
  ['manager: { url: "MANAGER" }', 'manager.url', 'WEBDATA_MANAGER_URL'],
  ['managerSettings: { two: { url: "MANAGER", logs: 7 } }', 'url of managerSettings', 'WEBDATA_MANAGER_URL'],
])('refuses a declaration that would lead to the live account: %s', async (written, field, variable) => {
  await using harness = await openHarness('plain');
  const { apiUrl, managerUrl } = harness.emulator;
  await harness.write('webdata.yaml', written.replace('API', apiUrl).replace('MANAGER', managerUrl));
  const { code, stdout, stderr } = await onCopy(harness, {}, async () => expect.unreachable());
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`${field} of webdata.yaml is written out, so a rehearsal would reach the live account`);
  expect(stderr).toContain(`fix: write "\${${variable}}"`);
});

it('replaces other variables that have the addresses of the account, and copies several managers', async () => {
  await using harness = await openHarness('plain');
  await using second = await openHarness('plain');
  const { emulator } = harness;
  const env = { WEBDATA_ACME_URL: emulator.apiUrl, WEBDATA_SECOND_URL: second.emulator.managerUrl };
  const declared = ['service: { url: "$ACME" }', 'managerSettings: { two: { url: "$SECOND", logs: 7 } }'].join('\n');
  await harness.write(
    'webdata.yaml',
    declared.replaceAll(/\$(\w+)/g, (_, name: string) => `\${WEBDATA_${name}_URL}`),
  );
  const { stdout } = await onCopy(harness, { env }, async (copied) => {
    expect(await harness.webdataWith({ env: copied }, 'apply', '--yes')).toMatchObject({ code: 0 });
  });
  expect(stdout).toContain('export WEBDATA_SECOND_URL=http://127.0.0.1:');
  expect([emulator, second.emulator].flatMap((each) => writesOf(each.requests()))).toEqual([]);
});
