/** What a person or the log of a CI job sees while calls are made. */
import { expect, it } from 'vitest';
import { openDeclared } from '../harness.ts';

const declaration =
  'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.12, 192.0.2.13, 192.0.2.10] } }, sources: [pricing], spare: parked } }\nmanagerSettings: { local: { logs: 7 } }\n';

it('is a line for each call as it ends, in CI, and none for programs', async () => {
  await using harness = await openDeclared('plain', declaration);
  const { code, stderr } = await harness.webdataWith({ env: { CI: 'true' } }, 'apply', '--yes');
  expect(code).toBe(0);
  const lines = stderr.split('\n').filter((line) => /^[✓✗~?…] /.test(line));
  expect(lines.map((line) => line.replace(/\d+\.\d s$/, 'N s')).toSorted()).toEqual([
    expect.stringMatching(/^✓ 1\/2 {2}.+ {2}N s$/),
    expect.stringMatching(/^✓ 2\/2 {2}.+ {2}N s$/),
  ]);
  expect(lines.join('\n')).toContain('1 IP  pricing → checkout');
  expect((await harness.webdata('undo', '--yes')).stderr).toBe('');
});

it('marks a call that was refused', async () => {
  await using harness = await openDeclared('plain', declaration);
  harness.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 'all', fault: { kind: 'status', status: 403 } });
  const { code, stderr } = await harness.webdataWith({ env: { CI: 'true' } }, 'apply', '--yes');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^✗ \d\/2 {2}1 IP {2}pricing → checkout {2}\d+\.\d s$/m);
});

it('says of a call whose answer was lost that its effect was read', async () => {
  await using harness = await openDeclared('plain', declaration);
  harness.emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'drop-after' } });
  const { code, stderr } = await harness.webdataWith({ env: { CI: 'true' } }, 'apply', '--yes');
  expect(code).toBe(0);
  expect(stderr).toMatch(/^✓ \d\/2 {2}1 IP {2}pricing → checkout {2}\d+\.\d s {2}answer lost, read back$/m);
  expect((await harness.webdata('history')).stdout).toContain('done (answer lost, read back)');
});
