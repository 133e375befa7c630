/** `webdata init`: a declaration to begin with, that is valid as it stands, and says all that can be said. */
import { Ajv } from 'ajv';
import ajvFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonSchema } from '../../../src/engine/declaration/declarationSchema.ts';
import { openHarness, serviceYaml } from '../harness.ts';

const firstLine = '# yaml-language-server: $schema=webdata.schema.json\n';

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

Next:
  webdata validate -f deploy/prod.yaml
  webdata plan -f deploy/prod.yaml
Or, to declare what is live already:
  webdata pull --output deploy/prod.yaml --force

Keep .webdata/ (the journal) and keys out of git. Put the API key in WEBDATA_API_KEY.
`);
  expect(await harness.read('deploy/prod.yaml')).toMatch(firstLine);
  expect((await harness.webdata('schema')).stdout).toBe(await harness.read('deploy/webdata.schema.json'));
  expect((await harness.webdata('init', 'deploy/dev.yaml')).stdout).not.toContain('schema.json');
});

it('names pull for an account that is in use', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', serviceYaml('plain'));
  const { code, stderr } = await harness.webdata('init', '--live');
  expect([code, stderr]).toEqual([1, expect.stringContaining('`webdata pull --output webdata.yaml` writes what is')]);
  expect(await harness.webdata('init', 'new.yaml')).toMatchObject({ code: 0 });
  expect(await harness.webdata('pull', '--output', 'new.yaml', '--force')).toMatchObject({ code: 0 });
});

it('leaves a schema alone that is there', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.schema.json', '{ "title": "mine" }');
  expect(await harness.webdata('init')).toMatchObject({ code: 0 });
  expect(await harness.read('webdata.schema.json')).toBe('{ "title": "mine" }');
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
