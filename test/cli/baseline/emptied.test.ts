/** Resources that were applied and are no longer declared: a declaration that was emptied is not an account without drift. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Harness, openDeclared, serviceYaml } from '../harness.ts';
import { onTerminal } from '../onTerminal.ts';

const static_ = '  static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }\n';
const other = '  other: { zones: { archive: { keepAtLeast: 0 } } }\n';
const manager = 'managerSettings: { local: { logs: 500 } }\n';
const whole = `zoneIpAllocations:\n${static_}${other}${manager}`;

async function openApplied(yaml = whole): Promise<Harness> {
  const harness = await openDeclared('plain', yaml);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  expect(await harness.webdata('drift')).toMatchObject({ code: 0, stdout: expect.stringContaining('No drift') });
  return harness;
}

describe.each([
  ['an empty file', ''],
  ['a file of comments', '# nothing\n'],
  ['empty collections', `${serviceYaml('plain')}zoneIpAllocations: {}\nmanagerSettings:\n`],
  ['one collection', `${serviceYaml('plain')}${manager}`],
])('%s after an apply', (_, yaml) => {
  it('is an error of drift and of plan --detailed-exitcode, unless it is meant', async () => {
    await using harness = await openApplied();
    await harness.write('webdata.yaml', yaml);
    for (const args of [['drift'], ['plan', '--detailed-exitcode']]) {
      const { code, stdout } = await harness.webdata(...args);
      expect({ args, code, stdout }).toMatchObject({
        args,
        code: 1,
        stdout: expect.stringContaining('no longer declared'),
      });
      expect(stdout).toContain('ZoneIpAllocation/static');
      expect(stdout).toContain('--allow-removed');
      expect(stdout).not.toContain('No drift');
      expect(await harness.webdata(...args, '--allow-removed')).toMatchObject({ code: 0 });
    }
    const plan = await harness.webdata('plan');
    expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining('no longer declared') });
  });

  it('is agreed to by an apply with the flag only', async () => {
    await using harness = await openApplied();
    await harness.write('webdata.yaml', yaml);
    await harness.webdata('apply', '--yes');
    expect(await harness.webdata('drift')).toMatchObject({ code: 1 });
    expect(await harness.webdata('apply', '--yes', '--allow-removed')).toMatchObject({ code: 0 });
    expect(await harness.webdata('drift')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a resource that is removed beside others', () => {
  let harness: Harness;

  beforeEach(async () => {
    harness = await openApplied();
    await harness.write('webdata.yaml', `${serviceYaml('plain')}zoneIpAllocations:\n${static_}${manager}`);
    return () => harness[Symbol.asyncDispose]();
  });

  it('is an error of drift until the removal is applied', async () => {
    expect(await harness.webdata('plan', '--detailed-exitcode')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('ZoneIpAllocation/other'),
    });
    expect(await harness.webdata('drift')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /1 resource that was applied is no longer declared, and not compared: ZoneIpAllocation\/other /,
      ),
    });
    expect(await harness.webdata('apply', '--yes', '--select', 'ManagerSettings/local')).toMatchObject({ code: 0 });
    expect(await harness.webdata('drift')).toMatchObject({ code: 1 });
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await harness.webdata('drift')).toMatchObject({ code: 0 });
  });

  it('is agreed to by the command that a plan with --allow-removed suggests, if its options are repeated', async () => {
    const changed = manager.replace('500', '600');
    await harness.write('webdata.yaml', `${serviceYaml('plain')}zoneIpAllocations:\n${static_}${changed}`);
    const shown = await onTerminal(harness, 80, 'plan --allow-removed --output plan.json');
    expect(shown).toContain('Next: webdata apply plan.json (and the other options)');
  });

  it('is not considered with --select', async () => {
    expect(await harness.webdata('drift', '--select', 'ZoneIpAllocation/static')).toMatchObject({ code: 0 });
    expect(await harness.webdata('drift', '--select', 'ZoneIpAllocation/other')).toMatchObject({ code: 1 });
  });
});

it('a file that is left out is missed, and another declaration of the account is not', async () => {
  await using harness = await openDeclared('plain', `zoneIpAllocations:\n${static_}`);
  await harness.write('manager.yaml', manager);
  await harness.write('settings.yaml', `${serviceYaml('plain')}${manager}`);
  const both = ['-f', 'webdata.yaml', '-f', 'manager.yaml'];
  expect(await harness.webdata('apply', '--yes', ...both)).toMatchObject({ code: 0 });
  expect(await harness.webdata('drift', ...both)).toMatchObject({ code: 0 });
  expect(await harness.webdata('drift')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('ManagerSettings/local'),
  });
  expect(await harness.webdata('drift', '-f', 'settings.yaml')).toMatchObject({ code: 0 });
});

it('an emptied file is missed although it named the account', async () => {
  await using harness = await openApplied(`account: acme\n${whole}`);
  await harness.write('webdata.yaml', '');
  expect(await harness.webdata('drift')).toMatchObject({ code: 1 });
});

it('ci drift fails for an emptied declaration, and does not say that there is no drift', async () => {
  await using harness = await openApplied();
  await harness.write('webdata.yaml', '');
  const { code, stdout, stderr } = await harness.webdata('ci', 'drift');
  expect(code, stdout + stderr).toBe(1);
  expect(stdout + stderr).toContain('no longer declared');
});
