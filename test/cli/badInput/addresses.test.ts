/** An address that is not understood is refused: it never becomes a local file or folder, and its password is in no message and no name. */
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openHarness } from '../harness.ts';

const password = 'hunter2-canary';
const addresses = [
  `host=db dbname=ledger user=u password=${password}`,
  `"postgres://u:${password}@db/x"`,
  ` postgres://u:${password}@db/x`,
  `postgres:u:${password}@db/x`,
  `u:${password}@db/x`,
  `mysql://u:${password}@db/x`,
  '~/runs',
];

/** A command line for an address, and the variables and the file that it needs. */
const uses: [string, (address: string) => { args: string[]; env?: Record<string, string>; yaml?: string }][] = [
  ['--backend', (address) => ({ args: ['apply', '--yes', '--backend', address] })],
  ['WEBDATA_BACKEND', (address) => ({ args: ['apply', '--yes'], env: { WEBDATA_BACKEND: address } })],
  [
    'backend',
    (address) => ({ args: ['apply', '--yes'], yaml: `backend: \${WEBDATA_X}\n`, env: { WEBDATA_X: address } }),
  ],
  ['history', (address) => ({ args: ['history', '--backend', address] })],
  ['doctor', (address) => ({ args: ['doctor', '--backend', address] })],
  ['--journal', (address) => ({ args: ['plan', '--journal', address] })],
  ['--store', (address) => ({ args: ['triggers', 'round', '--store', address] })],
  ['serve', (address) => ({ args: ['triggers', 'serve'], env: { WEBDATA_TRIGGERS_STORE: address } })],
  ['--folder', (address) => ({ args: ['receive', '--folder', address] })],
  ['--bucket', (address) => ({ args: ['receive', '--bucket', address] })],
  ['--api-url', (address) => ({ args: ['plan', '--api-url', address] })],
  ['WEBDATA_API_URL', (address) => ({ args: ['show'], env: { WEBDATA_API_URL: address } })],
  [
    'service.url',
    (address) => ({ args: ['plan'], yaml: `service: { url: "\${WEBDATA_X}" }\n`, env: { WEBDATA_X: address } }),
  ],
  ['--manager-url', (address) => ({ args: ['manager', 'settings', '--manager-url', address] })],
  ['WEBDATA_TRIGGERS_URL', (address) => ({ args: ['triggers', 'schedules'], env: { WEBDATA_TRIGGERS_URL: address } })],
];

describe.each(uses)('%s', (_, useOf) => {
  it.each(addresses)('refuses address %#', async (address) => {
    await using harness = await openHarness('plain');
    const { args, env = {}, yaml } = useOf(address);
    if (yaml !== undefined) await harness.write('webdata.yaml', yaml);
    const token = { WEBDATA_TRIGGERS_TOKEN: 'token-of-the-tests-0123456789' };
    const { code, stdout, stderr } = await harness.webdataWith({ env: { ...token, ...env } }, ...args);
    expect(code, stdout).toBe(1);
    expect(stdout + stderr).not.toContain(password);
    expect(stdout + stderr).not.toMatch(/\n\s+at |TypeError/);
    expect((await readdir(harness.folder)).filter((name) => name !== 'webdata.yaml')).toEqual([]);
  });
});

/** Each field of a declaration that takes an address, and the values that only `validate` sees. */
describe('validate', () => {
  it.each([
    ['backend', `backend: "host=db password=${password}"`],
    ['backend', 'backend: "~/runs"'],
    ['backend', 'backend: "mysql://u@db/x"'],
    ['backend', 'backend: "s3://Not_A_Bucket"'],
    ['backend', 'backend: "postgres://a.example,b.example/x"'],
    ['backend', 'backend: "\\"s3://acme-webdata/x\\""'],
    ['service.url', `service: { url: "https://u:${password}@api.example.com" }`],
    ['service.url', `service: { url: "https://api.example.com?token=${password}" }`],
    ['manager.url', 'manager: { url: "http://127.0.0.1:22999#x" }'],
    ['managerSettings', `managerSettings: { a: { url: "http://u:${password}@127.0.0.1:22999", logs: 1 } }`],
  ])('refuses %s: %s', async (_, yaml) => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', yaml);
    const { code, stdout, stderr } = await harness.webdata('validate');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^webdata\.yaml:\d+:\d+: [\s\S]*fix: /);
    expect(stderr).not.toContain(password);
  });
});
