/** No secret is ever shown or kept: not by any command, not when it fails, not when the service itself says it back. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { declaration } from '../../reliability/faults/steps/cases.ts';
import { formsOf } from '../../reliability/secrets/canaries.ts';
import { type AccountInput, readAccount } from '../../src/emulator/index.ts';
import { type AccountName, accounts, type Harness, openHarness, type Result, serviceYaml } from '../cli/harness.ts';
import { start } from './process.ts';

const roles = ['Admin', 'Finance', 'Ops', 'Limit', 'User'] as const;

/** Of every secret one that is looked for. Keys and tokens hold what URLs, JSON and base64 write differently. */
const canaries = {
  ...(Object.fromEntries(roles.map((role) => [role.toLowerCase(), `canary+${role}/key="1&2%3D"==`])) as Record<
    Lowercase<(typeof roles)[number]>,
    string
  >),
  zonePassword: 'canary-zone-password-1',
  settingsPassword: 'canary-settings-password-1',
  managerToken: 'canary+manager/token=',
  userInfo: 'canary-user-info-1',
};

async function accountOfCanaries(name: AccountName): Promise<AccountInput> {
  const account = await readAccount(accounts[name]);
  for (const key of account.apiKeys)
    key.value = canaries[key.permission.toLowerCase() as Lowercase<typeof key.permission>];
  for (const zone of Object.values(account.zones)) zone.password = canaries.zonePassword;
  account.manager.settings.password = canaries.settingsPassword;
  account.manager.token = canaries.managerToken;
  return account;
}

function expectNoSecret(where: string, text: string): void {
  for (const [name, secret] of Object.entries(canaries)) {
    for (const form of formsOf(secret))
      if (text.includes(form)) expect.fail(`${where} shows ${name} as ${form}:\n${text}`);
  }
}

async function expectNoSecretIn(folder: string): Promise<void> {
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile()) expectNoSecret(path, await readFile(path, 'utf8'));
  }
}

const commands: readonly (readonly string[])[] = [
  ['validate'],
  ['plan'],
  ['plan', '--format', 'json', '--full'],
  ['plan', '--output', 'plan.json'],
  ['apply', '--yes'],
  ['apply', '--yes', '--format', 'json'],
  ['apply', 'plan.json', '--yes'],
  ['drift'],
  ['drift', '--format', 'json'],
  ['pull'],
  ['pull', '--zone', 'checkout', '--output', 'pulled.yaml'],
  ['history'],
  ['history', '--format', 'json'],
  ['undo', '--yes'],
  ['destroy', '--yes', '--select', 'ZoneIpAllocation/static'],
];

describe.each<AccountName>(['plain', 'odd'])('on the %s account', (account) => {
  let harness: Harness;

  beforeEach(async () => {
    harness = await openHarness(await accountOfCanaries(account));
    await harness.write('webdata.yaml', serviceYaml(account) + declaration);
  });

  afterEach(() => harness[Symbol.asyncDispose]());

  /** Runs all commands, and finds no secret in what they say and leave behind. */
  async function runAll(env: Record<string, string>): Promise<Result[]> {
    const results: Result[] = [];
    for (const args of commands) {
      const flags = ['validate', 'history'].includes(args[0] ?? '')
        ? []
        : ['--log-http', '--retries', '0', '--timeout', '5'];
      const result = await harness.webdataWith(
        { env: { WEBDATA_MANAGER_TOKEN: canaries.managerToken, ...env } },
        ...args,
        ...flags,
      );
      expectNoSecret(`stdout of ${args.join(' ')}`, result.stdout);
      expectNoSecret(`stderr of ${args.join(' ')}`, result.stderr);
      results.push(result);
    }
    await expectNoSecretIn(harness.folder);
    return results;
  }

  it.each(['admin', 'ops', 'finance', 'limit', 'user'] as const)('the key of %s is not shown', async (role) => {
    const results = await runAll({ WEBDATA_API_KEY: canaries[role] });
    expect(results.map(({ stderr }) => stderr).join('')).toContain('http: GET ');
    if (role === 'ops') expect(results.map(({ code }) => code)).not.toContain(2);
  });

  it('a key that does not work is not shown', async () => {
    harness.emulator.expireKey('ops');
    await runAll({ WEBDATA_API_KEY: canaries.ops });
  });

  it('a token that does not work is not shown', async () => {
    await runAll({ WEBDATA_API_KEY: canaries.user, WEBDATA_MANAGER_TOKEN: canaries.managerToken.slice(0, -1) });
  });

  it.each(['text', 'json'])('what the service says back is not shown (%s)', async (kind) => {
    const bearer = `authorization: Bearer ${canaries.ops} and ${Buffer.from(`x:${canaries.ops}`).toString('base64')}`;
    const url = `https://canary:${canaries.userInfo}@hooks.example.com/?token=${encodeURIComponent(canaries.ops)}`;
    const token = `Bearer ${canaries.managerToken}; "password":"${canaries.settingsPassword}"`;
    const body = (words: string) =>
      kind === 'text' ? words : { error: { message: words, password: canaries.zonePassword, nested: [{ url }] } };
    for (const route of ['zone/ips/migrate', 'zone/recent_ips']) {
      harness.emulator.addFault({ route, fault: { kind: 'status', status: 400, body: body(`${bearer} at ${url}`) } });
    }
    for (const route of ['proxies/delete', 'recent_stats']) {
      harness.emulator.addFault({ route, fault: { kind: 'status', status: 500, body: body(token) } });
    }
    await runAll({ WEBDATA_API_KEY: canaries.ops });
  });

  it.each([
    ['drop-after', { kind: 'drop-after' }],
    ['truncated', { kind: 'truncated' }],
    ['malformed', { kind: 'malformed' }],
  ] as const)('answers that break off show nothing (%s)', async (_name, fault) => {
    for (const route of ['zone/ips', 'settings/get', 'settings/put']) harness.emulator.addFault({ route, fault });
    await runAll({ WEBDATA_API_KEY: canaries.ops });
  });

  it('a URL with credentials is refused without showing them', async () => {
    const withUserInfo = (url: string) => url.replace('://', `://canary:${canaries.userInfo}@`);
    const results = await runAll({
      WEBDATA_API_KEY: canaries.ops,
      WEBDATA_API_URL: withUserInfo(harness.emulator.apiUrl),
      WEBDATA_MANAGER_URL: withUserInfo(harness.emulator.managerUrl),
    });
    expect(results.map(({ stdout, stderr }) => stdout + stderr).join('')).toContain(
      'contains credentials, a query or a fragment',
    );
  });

  it.each([
    ['a key where a URL belongs', `service: { url: "\${SECRET}" }`],
    ['a key as a wrong name', `service: { apiKey: "\${SECRET}", "\${SECRET}": 1 }`],
    ['a list of keys', `service: { apiKey: ["\${SECRET}"] }`],
    ['a map of keys', `manager: { token: { value: "\${SECRET}" } }`],
    ['a key in a number', `managerSettings: { local: { logs: "\${SECRET}" } }`],
    ['a key in a choice', `zoneIpAllocations: { a: { zones: { b: { count: 1 } }, unmanaged: "\${SECRET}" } }`],
    ['a key as an address', `zoneIpAllocations: { a: { zones: { b: { ips: ["\${SECRET}"] } } } }`],
    ['a URL with credentials', `manager: { url: "ftp://canary:\${USERINFO}@127.0.0.1:1" }`],
  ])('a declaration that is wrong shows no secret: %s', async (_what, yaml) => {
    await harness.write('webdata.yaml', `${yaml}\n`);
    const env = { SECRET: canaries.ops, USERINFO: canaries.userInfo };
    for (const args of [['validate'], ['plan'], ['apply', '--yes', '--format', 'json'], ['pull']]) {
      const result = await harness.webdataWith({ env }, ...args);
      expect(result.code).toBe(1);
      expectNoSecret(args.join(' '), result.stdout + result.stderr);
    }
  });

  it('a process has no secret among its arguments, and shows none', async () => {
    const { emulator, folder } = harness;
    emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'delay', ms: 300 } });
    const env = {
      WEBDATA_API_URL: emulator.apiUrl,
      WEBDATA_API_KEY: canaries.ops,
      WEBDATA_MANAGER_URL: emulator.managerUrl,
      WEBDATA_MANAGER_TOKEN: canaries.managerToken,
    };
    const { child, finished } = start(['apply', '--yes', '--log-http'], { cwd: folder, env });
    const isMoving = () => emulator.requests().some(({ route }) => route === 'zone/ips/migrate');
    while (child.exitCode === null && !isMoving()) await setTimeout(20);
    expectNoSecret('the argument list', await readFile(`/proc/${child.pid}/cmdline`, 'utf8'));
    const { code, stdout, stderr } = await finished;
    expect(code).toBe(0);
    expectNoSecret('the process', stdout + stderr);
    await expectNoSecretIn(folder);
  });
});
