/** `webdata init`: a declaration to begin with, that is valid as it stands, and says all that can be said. */
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonSchema } from '../../../src/engine/declaration/declarationSchema.ts';
import { type AccountName, openDeclared, openHarness, writesOf } from '../harness.ts';

const firstLine = '# yaml-language-server: $schema=webdata.schema.json\n';

describe('from nothing', () => {
  it('offers what is live if an account is connected', async () => {
    await using harness = await openHarness('plain');
    const offer = 'Your account is connected. To declare it as it is:\n  webdata init prod.yaml --live --force\n';
    expect((await harness.webdata('init', 'prod.yaml')).stdout).toContain(offer);
    expect((await harness.webdata('init', 'prod.yaml', '--live', '--force')).stdout).not.toContain('--live');
    const env = { WEBDATA_API_KEY: undefined };
    expect((await harness.webdataWith({ env }, 'init', 'other.yaml')).stdout).not.toContain('--live');
  });

  it('is valid as it stands, whatever the environment has, and changes nothing', async () => {
    await using harness = await openHarness('plain');
    const { code, stderr } = await harness.webdata('init');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const env = { WEBDATA_API_URL: undefined, WEBDATA_API_KEY: undefined, WEBDATA_MANAGER_URL: undefined };
    const valid = { code: 0, stdout: 'webdata.yaml is valid: nothing is declared.\n', stderr: '' };
    expect(await harness.webdataWith({ env }, 'validate')).toEqual(valid);
    expect(await harness.webdata('validate')).toEqual(valid);
    expect((await harness.webdata('plan')).stdout).toBe('Nothing is declared.\n');
  });

  it('is short, begins with IPs, and is valid with all of its fields', async () => {
    await using harness = await openHarness('plain');
    await harness.webdata('init');
    const text = await harness.read('webdata.yaml');
    const lines = text.split('\n');
    expect(lines.length).toBeLessThan(80);
    expect(lines.findIndex((line) => line.includes('#checkout: { ips:'))).toBeLessThan(15);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
    await harness.write('whole.yaml', text.replaceAll(/^( *)#(?=\S)/gm, '$1'));
    expect(await harness.webdata('validate', '-f', 'whole.yaml')).toMatchObject({
      code: 0,
      stdout:
        'whole.yaml is valid: 1 zone IP allocation, 1 manager settings, 1 webhook delivery, 1 collector schedule.\n',
    });
    const schema: JsonSchema = JSON.parse(await harness.read('webdata.schema.json'));
    const ajv = new Ajv({ strict: false });
    ajvFormats.default(ajv);
    for (const file of ['webdata.yaml', 'whole.yaml']) {
      expect(ajv.validate(schema, parse(await harness.read(file)))).toBe(true);
    }
  });

  it('says what it wrote and what is next', async () => {
    await using harness = await openHarness('plain');
    expect((await harness.webdata('init', 'deploy/prod.yaml')).stdout).toBe(`Wrote deploy/prod.yaml.
Wrote deploy/webdata.schema.json for editors to check the declaration.

Your account is connected. To declare it as it is:
  webdata init deploy/prod.yaml --live --force

Next:
  webdata validate -f deploy/prod.yaml
  webdata plan -f deploy/prod.yaml

Keep .webdata/ (the journal) and keys out of git. Put the API key in WEBDATA_API_KEY.
`);
    expect(await harness.read('deploy/prod.yaml')).toMatch(firstLine);
    expect((await harness.webdata('schema')).stdout).toBe(await harness.read('deploy/webdata.schema.json'));
    expect((await harness.webdata('init', 'deploy/dev.yaml')).stdout).not.toContain('schema.json');
    await harness.write('deploy/webdata.schema.json', '{\n  "$id": "urn:webdata:declaration:0.0.1"\n}\n');
    expect((await harness.webdata('init', 'deploy/test.yaml')).stdout).toContain('Wrote deploy/webdata.schema.json');
  });

  it('leaves a schema alone that somebody else wrote', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.schema.json', '{ "title": "mine" }');
    const { code, stderr } = await harness.webdata('init');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('webdata.schema.json: the file exists'),
    });
    expect(await harness.read('webdata.schema.json')).toBe('{ "title": "mine" }');
    await expect(harness.read('webdata.yaml')).rejects.toThrow('ENOENT');
  });

  it('never writes over a file that is there, unless told to', async () => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', 'name: mine\n');
    expect(await harness.webdata('init')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'webdata.yaml: the file exists already, and would be overwritten\n  fix: name another file, or pass --force\n',
    });
    expect(await harness.read('webdata.yaml')).toBe('name: mine\n');
    expect(await harness.webdata('init', '--force')).toMatchObject({ code: 0 });
    expect(await harness.read('webdata.yaml')).toMatch(firstLine);
  });
});

describe.each<AccountName>(['plain', 'odd', 'stranger', 'open'])('from what is live, on the %s account', (account) => {
  it.each([
    ['the zones that are named', ['--zone', 'pricing', '--zone', 'archive']],
    ['the zones that were used lately', ['--live']],
    ['addresses', ['--live', '--by-ip']],
    ['addresses in named zones, and in those that were used lately', ['--live', '--zone', 'old-pricing', '--by-ip']],
  ])('declares %s: a plan of it has no changes', async (_, args) => {
    await using harness = await openDeclared(account, '');
    expect(await harness.webdata('init', 'live.yaml', ...args)).toMatchObject({ code: 0 });
    const plan = await harness.webdata('plan', '--detailed-exitcode', '-f', 'live.yaml');
    expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes.') });
    expect(writesOf(harness.emulator.requests())).toEqual([]);
    const text = await harness.read('live.yaml');
    for (const secret of Object.values(harness.emulator.keys)) expect(text).not.toContain(secret);
  });
});

it.each([[['--live']], [[]]])('invents no name for the account: %j', async (args) => {
  await using harness = await openHarness('plain');
  expect(await harness.webdata('init', 'accounts/acme-eu.yaml', ...args)).toMatchObject({ code: 0 });
  expect(parse(await harness.read('accounts/acme-eu.yaml')) ?? {}).not.toHaveProperty('account');
  expect(await harness.webdata('init', 'named.yaml', '--account', 'acme', ...args)).toMatchObject({ code: 0 });
  const text = await harness.read('named.yaml');
  expect(parse(text)).toMatchObject({ account: 'acme' });
  expect(text.match(/account:/g)).toHaveLength(1);
  expect(await harness.webdata('validate', '-f', 'named.yaml')).toMatchObject({ code: 0 });
});

it('writes what it detected, and no comment that the first edit makes untrue', async () => {
  await using harness = await openHarness('odd');
  const { stderr } = await harness.webdata('init', '--zone', 'checkout,shoppers');
  const text = await harness.read('webdata.yaml');
  expect(text).toMatch(firstLine);
  expect(text.slice(firstLine.length)).not.toContain('#');
  const { service, zoneIpAllocations } = parse(text);
  expect(service.profile).toMatchObject({ geolocation: { first: 'atlas' } });
  expect(Object.keys(zoneIpAllocations.live.zones.checkout)).toEqual(['count']);
  expect(stderr).toContain('no IPs are listed in shoppers');
});
