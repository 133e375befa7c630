import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ProblemError } from '../../../src/base/diagnostics/problem.ts';
import { readYaml } from '../../../src/base/yaml/source.ts';
import { bareConfig, type Config, configOf } from '../../../src/engine/declaration/config.ts';
import { knownService, reachableOwner, type Settings } from '../../../src/engine/declaration/connection.ts';
import { loadConfig } from '../../../src/engine/declaration/loadConfig.ts';

const folder = await mkdtemp(join(tmpdir(), 'webdata-config-'));
afterAll(() => rm(folder, { recursive: true }));

const env = {
  WEBDATA_API_URL: 'https://env.example.com',
  WEBDATA_API_KEY: 'env-key',
  WEBDATA_MANAGER_URL: 'http://127.0.0.1:1',
  WEBDATA_MANAGER_TOKEN: 'env-manager',
  WEBDATA_TRIGGERS_URL: 'http://127.0.0.1:2',
  WEBDATA_TRIGGERS_TOKEN: 'env-triggers',
};
const inFile = `
service: { url: https://file.example.com, apiKey: file-key }
manager: { url: "http://127.0.0.1:11", token: file-manager }
triggers: { url: "http://127.0.0.1:22", token: file-triggers }
`;

function read(yaml: string, settings: Settings = { env: {} }): Config {
  return configOf(readYaml(yaml, 'w.yaml', { env: settings.env }), settings);
}

/** Codes, locations and texts of the problems that reading throws. */
async function problemsOf(action: () => unknown): Promise<string[]> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problems.map(({ code, place, found }) => `${code} ${place?.line ?? '-'}: ${found}`);
  }
  return [];
}

describe('URLs, keys and tokens', () => {
  const connections = ({ service: { url, apiKey }, manager, triggers }: Config) => ({
    ...{ url, apiKey },
    ...{ manager, triggers },
  });

  it('are those of the environment if the file has none', () => {
    for (const config of [read('', { env }), bareConfig({ env })]) {
      expect(connections(config)).toEqual({
        ...{ url: 'https://env.example.com', apiKey: 'env-key' },
        manager: { url: 'http://127.0.0.1:1', token: 'env-manager' },
        triggers: { url: 'http://127.0.0.1:2', token: 'env-triggers' },
      });
    }
  });

  it('are those of the file before those of the environment', () => {
    expect(connections(read(inFile, { env }))).toEqual({
      ...{ url: 'https://file.example.com', apiKey: 'file-key' },
      manager: { url: 'http://127.0.0.1:11', token: 'file-manager' },
      triggers: { url: 'http://127.0.0.1:22', token: 'file-triggers' },
    });
  });

  it('are those of options before both', () => {
    const options = { apiUrl: 'https://option.example.com', managerUrl: 'http://127.0.0.1:111' };
    const config = read(inFile, { env, ...options });
    expect([config.service.url, config.manager.url]).toEqual([options.apiUrl, options.managerUrl]);
    expect([config.service.apiKey, config.manager.token]).toEqual(['file-key', 'file-manager']);
  });

  it('are refused when a call needs them and they are missing', async () => {
    expect(await problemsOf(() => knownService(read('')))).toEqual([expect.stringMatching(/^no-api-url -: /)]);
    const withUrl = read('', { env: { WEBDATA_API_URL: env.WEBDATA_API_URL } });
    expect(await problemsOf(() => knownService(withUrl))).toEqual(['no-api-key -: the API key is missing']);
    expect(knownService(read('', { env }))).toMatchObject({ url: env.WEBDATA_API_URL, apiKey: 'env-key' });
  });
});

describe('declared resources', () => {
  const allocation = 'zoneIpAllocations: { static: { zones: { checkout: { count: 2 } } } }';

  it('have their kind, their collection and their location', () => {
    const { declared, locate } = read(
      `${allocation}\nmanagerSettings: { local: { url: "http://127.0.0.1:1", logs: 5 } }`,
    );
    expect(declared.map(({ kind, collection, name }) => `${kind} ${collection}.${name}`)).toEqual([
      'ZoneIpAllocation zoneIpAllocations.static',
      'ManagerSettings managerSettings.local',
    ]);
    const problem = { code: 'x', found: 'x', path: ['zones', 'checkout'] };
    expect(locate(problem, ['zoneIpAllocations', 'static'])).toMatchObject({
      path: ['zoneIpAllocations', 'static', 'zones', 'checkout'],
      place: { file: 'w.yaml', line: 1 },
    });
  });

  it('have no location without a file', () => {
    const located = bareConfig({ env: {} }).locate({ code: 'x', found: 'x', path: ['b'] }, ['a']);
    expect(located).toEqual({ code: 'x', found: 'x', path: ['a', 'b'] });
  });

  it('are listed under an owner only if the trigger service is configured', () => {
    const { WEBDATA_TRIGGERS_TOKEN: _, ...withoutToken } = env;
    expect(reachableOwner(read('name: acme', { env }))).toBe('acme');
    expect(reachableOwner(read('name: acme', { env: withoutToken }))).toBeUndefined();
    expect(reachableOwner(read('', { env }))).toBeUndefined();
  });
});

describe('files', () => {
  it('are merged, and their folder is that of the first', async () => {
    await mkdir(join(folder, 'sub'));
    await writeFile(join(folder, 'sub/base.yaml'), 'name: acme\nmanager: { token: base }');
    await writeFile(join(folder, 'prod.yaml'), `manager: { token: "\${WEBDATA_MANAGER_TOKEN}" }`);
    const config = await loadConfig(['sub/base.yaml', 'prod.yaml'], { env, folder });
    expect(config).toMatchObject({ name: 'acme', manager: { token: 'env-manager' }, folder: join(folder, 'sub') });
  });
});

describe('variables in fields that are sent', () => {
  const backendVariables = {
    WEBDATA_BACKEND: 'postgres://u:secret@db/x',
    WEBDATA_BACKEND_URL: 'postgres://u:secret@db/x',
    WEBDATA_BACKEND_PASSWORD: 'secret',
    WEBDATA_BUCKET: 'bucket',
  };

  it('are the only place for the password of the backend', async () => {
    for (const address of ['postgres://u:hunter2@db.example.com/x', 'postgres://db.example.com/x?password=hunter2']) {
      expect(await problemsOf(() => read(`backend: ${address}`))).toEqual([
        'password-in-file 1: the address of the backend contains a password',
      ]);
    }
    for (const address of ['postgres://u@db.example.com/x', 's3://bucket/a:b@c', 'shared/state']) {
      expect(read(`backend: ${address}`).backend).toBe(address);
    }
    const settings = { env: backendVariables, allowEnv: ['WEBDATA_BACKEND_PASSWORD'] };
    expect(read(`backend: "postgres://u:\${WEBDATA_BACKEND_PASSWORD}@db/x"`, settings).backend).toContain(':secret@');
  });

  const cases: [string, string, string[]][] = [
    ['a URL may use an address of this tool', `service: { url: "\${WEBDATA_API_URL}" }`, []],
    ['a URL may not use another variable', `service: { url: "https://\${HOST}" }`, ['HOST']],
    [
      'a URL may not use a secret of this tool',
      `service: { url: "https://x/\${WEBDATA_API_KEY}" }`,
      ['WEBDATA_API_KEY'],
    ],
    [
      'a URL may not use an address of a store',
      `service: { url: "https://x/\${WEBDATA_STATE_STORE}" }`,
      ['WEBDATA_STATE_STORE'],
    ],
    ['the backend may not use a key', `backend: "a/\${WEBDATA_KEYRING}"`, ['WEBDATA_KEYRING']],
    ['a profile may not use a secret', `service: { profile: { token: "\${WEBDATA_API_KEY}" } }`, ['WEBDATA_API_KEY']],
    ['a key may use a secret of this tool', `service: { apiKey: "\${WEBDATA_API_KEY}" }`, []],
    ['a key may not use another variable', `service: { apiKey: "\${GITHUB_TOKEN}" }`, ['GITHUB_TOKEN']],
    [
      'the URL of a manager may not use another variable',
      `managerSettings: { a: { url: "http://\${HOST}" } }`,
      ['HOST'],
    ],
    ['the backend may be one variable of its own', `backend: "\${WEBDATA_BACKEND_URL}"`, []],
    ['the backend may use an address of this tool', `backend: "s3://\${WEBDATA_BUCKET}/x"`, []],
    [
      'the backend may not send its password to a host in the file',
      `backend: "postgres://u:\${WEBDATA_BACKEND_PASSWORD}@db.example.com/x"`,
      ['WEBDATA_BACKEND_PASSWORD'],
    ],
    [
      'a URL may not use the address of the backend',
      `service: { url: "https://x/\${WEBDATA_BACKEND}" }`,
      ['WEBDATA_BACKEND'],
    ],
    [
      'a value that is not sent elsewhere may use any',
      `zoneIpAllocations: { a: { zones: { "x": { ips: ["\${IP}"] } } } }`,
      [],
    ],
  ];
  const all = {
    ...env,
    WEBDATA_STATE_STORE: 'x',
    WEBDATA_KEYRING: 'x',
    HOST: 'evil.example.com',
    GITHUB_TOKEN: 'secret',
    IP: '192.0.2.1',
    ...backendVariables,
  };

  it.each(cases)('%s', async (_, yaml, refused) => {
    const problems = await problemsOf(() => read(yaml, { env: all }));
    expect(problems).toEqual(
      refused.map(
        (name) =>
          `variable-not-allowed 1: the variable \`${name}\` may not be used here: its value would be sent to another host`,
      ),
    );
  });

  it('are allowed by name, and by the start of a name', async () => {
    const yaml = `service: { url: "https://\${HOST}", apiKey: "\${GITHUB_TOKEN}" }`;
    const settings = (...allowEnv: string[]) => ({ env: all, allowEnv });
    expect(await problemsOf(() => read(yaml, settings('HOST', 'GITHUB_*')))).toEqual([]);
    expect(await problemsOf(() => read(yaml, settings('HO', 'GITHUB_')))).toHaveLength(2);
    expect(await problemsOf(() => read(yaml, settings('HO*')))).toHaveLength(1);
  });
});
