/** What a plan remarks on names that the service does not have, and where a misplaced field belongs. */
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { ProblemError } from '../../../src/index.ts';
import { openDeclared, openHarness } from '../harness.ts';

it('a protected IP that no listed zone has is a note, and no drift', async () => {
  await using harness = await openDeclared(
    'plain',
    'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.11] } }, sources: [pricing], protect: [192.0.2.11, 203.0.113.99] } }',
  );
  const { stdout } = await harness.webdata('plan');
  expect(stdout).toContain('1 protected IP in none of the zones of this allocation');
  expect(stdout).toContain('203.0.113.99');
  expect(stdout).not.toContain('2 protected');
});

it.each([
  ['nowhere', true],
  ['checkout', false],
])('a manager with the zone %s: a note that it does not exist is %s', async (zone, hasNote) => {
  await using harness = await openDeclared('plain', `managerSettings: { local: { zone: ${zone}, logs: 500 } }`);
  const { code, stdout } = await harness.webdata('plan');
  expect(code).toBe(0);
  expect(stdout.includes(`zone ${zone} does not exist at the service`)).toBe(hasNote);
});

it('a manager is planned where the service is not configured or refuses', async () => {
  await using harness = await openDeclared('plain', 'managerSettings: { local: { zone: nowhere, logs: 500 } }');
  const apart = [{ WEBDATA_API_URL: undefined }, { WEBDATA_API_KEY: undefined }, { WEBDATA_API_KEY: 'wrong' }];
  for (const env of apart) {
    const { code, stdout } = await harness.webdataWith({ env }, 'plan');
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('does not exist')]);
  }
});

it.each([
  [
    'zoneIpAllocations: { static: { keepAtLeast: 2, zones: { checkout: { count: 2 } } } }',
    '`keepAtLeast` belongs under zones.NAME',
  ],
  [
    'zoneIpAllocations: { static: { zones: { checkout: { count: 2, maxMoves: 5 } } } }',
    '`maxMoves` belongs under zoneIpAllocations.static',
  ],
  ['managerSettings: { local: { settleSeconds: 5 } }', '`settleSeconds` belongs under service.profile'],
  ['service: { logs: 500 }', '`logs` belongs under managerSettings.NAME'],
])('%s: the fix says where the field belongs', async (declaration, says) => {
  await using harness = await openHarness('plain');
  await harness.write('webdata.yaml', declaration);
  const { code, stderr, stdout } = await harness.webdata('validate');
  expect(code).toBe(1);
  expect(stderr + stdout).toContain(says);
  expect(stderr + stdout).not.toContain('fix: remove it');
});

it('a key that the schema has nowhere is to be removed, and a misspelt one corrected', async () => {
  await using harness = await openHarness('plain');
  await harness.write(
    'webdata.yaml',
    'zoneIpAllocations: { static: { zonse: {}, frobnicate: 1, zones: { a: { count: 1 } } } }',
  );
  const { stderr, stdout } = await harness.webdata('validate');
  expect(stderr + stdout).toContain('zones');
  expect(stderr + stdout).toContain('fix: remove it');
});

it('the emulator names the option of the port that is taken', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  try {
    await using harness = await openHarness('plain');
    await harness.write('account.yaml', 'id: hl_example\n');
    for (const option of ['--port', '--manager-port', '--proxy-port']) {
      const others = option === '--manager-port' ? [] : ['--manager-port', '0'];
      const args = ['emulator', '--account', 'account.yaml', option, String(port), ...others];
      const { code, stderr } = await harness.webdata(...args);
      expect(code).toBe(1);
      expect(stderr).toContain(`fix: pass another ${option}, or end the process that listens there`);
    }
  } finally {
    server.close();
  }
});

it('programs can tell a ProblemError of the package', () => {
  const problem = { code: 'same-zone', found: 'from and to are the same zone' };
  expect(new ProblemError([problem]).problems).toEqual([problem]);
});
