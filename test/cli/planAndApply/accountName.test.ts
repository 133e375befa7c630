/** The name of the account in the declaration: in reports, in plan files and in the journal. */
import { expect, it } from 'vitest';
import { type Harness, openHarness, serviceYaml } from '../harness.ts';

const declaration = (account: string, logs = 500) =>
  `account: ${account}\n${serviceYaml('plain')}managerSettings:\n  local: { logs: ${logs} }\n`;

async function openTwo(): Promise<Harness> {
  const harness = await openHarness('plain');
  await harness.write('eu.yaml', declaration('acme-eu'));
  await harness.write('us.yaml', declaration('acme-us'));
  return harness;
}

it('is in every report', async () => {
  await using harness = await openTwo();
  const text = await harness.webdata('plan', '-f', 'eu.yaml');
  expect(text.stdout).toMatch(/^Account: acme-eu\n\n/);
  for (const format of ['json', 'markdown', 'html', 'junit', 'github']) {
    const { stdout } = await harness.webdata('plan', '-f', 'eu.yaml', '--format', format);
    expect([format, stdout.includes('acme-eu')]).toEqual([format, true]);
  }
});

it('must be a name', async () => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', 'account: two words\n');
  expect(await harness.webdata('validate')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('allowed: a name of letters, digits'),
  });
});

it('belongs to a plan file, with or without its declaration', async () => {
  await using harness = await openTwo();
  await harness.webdata('plan', '-f', 'eu.yaml', '--output', 'plan.json');
  const other = await harness.webdata('apply', 'plan.json', '--yes', '-f', 'us.yaml');
  expect(other.stderr).toContain('the plan was made for account acme-eu\n  allowed: account acme-us');
  expect(await harness.webdata('apply', 'plan.json', '--yes', '--format', 'json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"account": "acme-eu"'),
  });
});

it('keeps the runs of two accounts in one journal apart', async () => {
  await using harness = await openTwo();
  await harness.webdata('apply', '-f', 'eu.yaml', '--yes');
  expect((await harness.webdata('history')).stdout).toContain('acme-eu');
  const other = await harness.webdata('undo', '-f', 'us.yaml', '--yes');
  expect(other).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no run in the journal made a change that can be undone'),
  });
  expect(await harness.webdata('undo', '-f', 'eu.yaml', '--yes')).toMatchObject({ code: 0 });
});
