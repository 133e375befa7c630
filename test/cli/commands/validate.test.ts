/** `webdata validate --format json`: the result for programs, by its schema. */
import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { openHarness } from '../harness.ts';

const valid = 'zoneIpAllocations: { static: { zones: { checkout: { count: 8 } }, spare: parked } }\n';

it('prints the resources of a valid declaration, and the problems of one that is not', async () => {
  await using harness = await openHarness('plain');
  await harness.write('good.yaml', valid);
  await harness.write('bad.yaml', valid.replace('count: 8', 'count: 8, coutn: 1'));
  const schema = JSON.parse((await harness.webdata('schema', 'validation')).stdout);
  const conforms = new Ajv({ strict: false }).compile(schema);
  const good = {
    files: ['good.yaml'],
    valid: true,
    resources: { zoneIpAllocations: 1 },
    problems: [],
  };
  const bad = {
    files: ['bad.yaml'],
    valid: false,
    problems: [{ code: 'unknown-key', place: { file: 'bad.yaml', line: 1 }, fix: 'remove it' }],
  };
  for (const [args, code, expected] of [
    [['-f', 'good.yaml'], 0, { valid: true, declarations: [good] }],
    [['-f', 'bad.yaml'], 1, { valid: false, declarations: [bad] }],
    [['--all', '*.yaml'], 1, { valid: false, declarations: [bad, good] }],
  ] as const) {
    const result = await harness.webdata('validate', '--format', 'json', ...args);
    expect([result.code, result.stderr]).toEqual([code, '']);
    const document = JSON.parse(result.stdout);
    expect(document).toMatchObject({ format: 'webdata.validation/1', ...expected });
    expect(conforms(document), JSON.stringify(conforms.errors)).toBe(true);
  }
});

it('does not take a folder with webdata.yml for one without a declaration', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yml', valid);
  for (const command of ['validate', 'plan', 'show', 'doctor', 'pull', 'undo', 'zones ips checkout', 'unlock', 'fmt']) {
    const { code, stdout, stderr } = await harness.webdata(...command.split(' '));
    const found = expect.stringMatching(
      /webdata\.yaml can't be read: the file does not exist[\s\S]*name the file with -f FILE/,
    );
    expect([command, code, `${stdout}${stderr}`.replaceAll(/\s+/g, ' ')]).toEqual([command, 1, found]);
  }
});
