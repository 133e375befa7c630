import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Harness, migrationsOf, openDeclared } from '../cli/harness.ts';
import { eventually } from '../eventually.ts';
import { binary, start } from './process.ts';

/** Two calls: one IP each from pricing and from parked. */
const declared = `zoneIpAllocations:
  static: { zones: { checkout: { ips: [192.0.2.10, 198.51.100.30] } }, sources: [pricing, parked] }
`;

function apply({ emulator, folder }: Harness) {
  const env = { WEBDATA_API_URL: emulator.apiUrl, WEBDATA_API_KEY: emulator.keys.ops };
  return start(['apply', '--yes'], { cwd: folder, env });
}

it('has no colours where stdout is no terminal, in CI too', async () => {
  await using harness = await openDeclared('plain', declared);
  const { emulator, folder } = harness;
  const env = { WEBDATA_API_URL: emulator.apiUrl, WEBDATA_API_KEY: emulator.keys.ops, CI: 'true' };
  const { stdout, code } = await start(['plan'], { cwd: folder, env }).finished;
  expect(code).toBe(0);
  expect(stdout).toContain('Plan: 2 IPs move');
  expect(stdout).not.toContain('\u001b');
});

it('carries an apply through although whoever read its output has left', async () => {
  await using harness = await openDeclared('plain', declared);
  const { child, finished } = apply(harness);
  child.stdout?.destroy();
  expect(await finished).toMatchObject({ code: 0, stderr: '' });
  expect(harness.emulator.ips('checkout')).toEqual(expect.arrayContaining(['192.0.2.10', '198.51.100.30']));
});

it.runIf(existsSync('/dev/full'))('says that standard output cannot be written', async () => {
  await using harness = await openDeclared('plain', declared);
  const shell = `"${process.execPath}" "${binary}" validate > /dev/full`;
  const { status, stderr } = spawnSync(shell, { shell: true, cwd: harness.folder, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'standard output cannot be written: the disk is full\n',
  });
});

it('says what was done when it is interrupted, and the next apply goes on', async () => {
  await using harness = await openDeclared('plain', declared);
  const { emulator, webdata } = harness;
  emulator.addFault({ route: 'zone/ips/migrate', occurrence: 2, fault: { kind: 'delay', ms: 700 } });
  const { child, finished } = apply(harness);
  while (migrationsOf(emulator.requests()).length < 2) await sleep(5);
  child.kill('SIGINT');
  const { code, stdout, stderr } = await finished;
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout).toContain('webdata.yaml:5:11: interrupted\n');
  expect(stdout).toContain('fix: run the command again: it continues where this run ended\n');
  expect(stdout).toMatch(/Apply failed: 1 of 2 calls made, 1 unknown/);
  const both = expect.arrayContaining(['192.0.2.10', '198.51.100.30']);
  await eventually(() => expect(emulator.ips('checkout')).toEqual(both));

  expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
  expect(migrationsOf(emulator.requests())).toHaveLength(2);
});
