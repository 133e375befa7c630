/** An undo whose answers are lost sends the rest all the same, and is only recorded as done when every effect is confirmed. */
import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../../src/emulator/index.ts';
import { movedClock } from '../../emulator/runs.ts';
import { type Harness, migrationsOf, openDeclared, openHarness, writesOf } from '../harness.ts';

const moves = {
  'checkout -> archive: 192.0.2.80 192.0.2.81': 'checkout: { ips: [192.0.2.80, 192.0.2.81] }',
  'pricing -> archive: 192.0.2.82 192.0.2.83': 'pricing: { ips: [192.0.2.82, 192.0.2.83] }',
  'parked -> archive: 192.0.2.84 192.0.2.85': 'parked: { ips: [192.0.2.84, 192.0.2.85] }',
};
const allIps = [80, 81, 82, 83, 84, 85].map((last) => `192.0.2.${last}`);
const declaration = `
zoneIpAllocations: { static: { zones: { ${Object.values(moves).join(', ')} }, sources: [archive] } }
managerSettings: { local: { logs: 500 } }
`;

async function openApplied(text = declaration, options?: Parameters<typeof openDeclared>[2]): Promise<Harness> {
  const harness = await openDeclared('plain', text, options);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  harness.emulator.clearRequests();
  return harness;
}

async function runsOf({ webdata }: Harness): Promise<{ id: string; command: string; result: string }[]> {
  return JSON.parse((await webdata('history', '--format', 'json')).stdout).runs;
}

type MigrateFault = Pick<FaultInput, 'occurrence' | 'fault'>;

const lost: [string, MigrateFault['fault']][] = [
  ['is lost with the connection', { kind: 'drop-after' }],
  ['is reset', { kind: 'reset-after' }],
  ['is 503 after the effect', { kind: 'status', status: 503, when: 'after' }],
  ['is 502 after the effect', { kind: 'status', status: 502, when: 'after' }],
  ['has no count', { kind: 'status', status: 200, body: {}, when: 'after' }],
  ['is an HTML page', { kind: 'html', when: 'after' }],
  ['is cut off', { kind: 'truncated' }],
  ['counts too few IPs', { kind: 'short-report', count: 1 }],
  ['counts too many IPs', { kind: 'short-report', count: 9 }],
];

describe.concurrent.each([1, 2, 3, 'all'] as const)('an undo whose migrate %s was carried out', (occurrence) => {
  it.each(lost)('sends the rest where its answer %s', async (_, fault) => {
    await using harness = await openApplied();
    const { webdata, emulator } = harness;
    emulator.addFault({ route: 'zone/ips/migrate', occurrence, fault });
    const { code, stdout } = await webdata('undo', '--yes');
    expect(stdout).toContain('Undo: 6 IPs moved in 3 calls, 1 setting changed.');
    expect(code).toBe(0);
    expect(migrationsOf(emulator.requests()).toSorted()).toEqual(Object.keys(moves).toSorted());
    expect(emulator.ips('archive')).toEqual(expect.arrayContaining(allIps));
    expect(emulator.settings()).toMatchObject({ logs: 1000 });
    expect(await runsOf(harness)).toMatchObject([{ command: 'undo', result: 'done' }, { command: 'apply' }]);
  });
});

describe.concurrent('an undo that ends incomplete', () => {
  it.each([
    ['a request that never arrives', { kind: 'drop-before' }],
    ['a refusal', { kind: 'status', status: 422 }],
    ['a move of no IP', { kind: 'short-move', moves: 0 }],
  ] satisfies [
    string,
    MigrateFault['fault'],
  ][])('because of %s fails, and the next undo completes it and takes nothing back', async (_, fault) => {
    await using harness = await openApplied();
    const { webdata, emulator } = harness;
    emulator.addFault({ route: 'zone/ips/migrate', occurrence: 2, fault });
    const failed = await webdata('undo', '--yes');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('Undo failed:');
    emulator.clearFaults();
    const { code, stdout } = await webdata('undo', '--yes');
    expect(stdout).not.toContain('failed');
    expect(code).toBe(0);
    expect(emulator.ips('archive')).toEqual(expect.arrayContaining(allIps));
    const effects = emulator.requests().flatMap(({ effect }) => (effect && 'moved' in effect ? effect.moved : []));
    expect(effects.toSorted()).toEqual(allIps);
    expect(await runsOf(harness)).toMatchObject([
      { command: 'undo', result: 'done' },
      { command: 'undo', result: 'failed' },
      { command: 'apply' },
    ]);
  });

  it('because of a move that shows late fails, and the next undo finds nothing left to do', async () => {
    const { clock, pass } = movedClock();
    await using harness = await openApplied(declaration, { clock });
    const { webdata, emulator } = harness;
    emulator.addFault({ route: 'zone/ips/migrate', occurrence: 2, fault: { kind: 'lag', lag: { ms: 60_000 } } });
    expect(await webdata('undo', '--yes')).toMatchObject({ code: 1 });
    pass(60);
    const sent = migrationsOf(emulator.requests());
    expect(await webdata('undo', '--yes')).toMatchObject({ code: 0, stdout: 'Nothing to undo.\n' });
    expect(migrationsOf(emulator.requests())).toEqual(sent);
    expect(emulator.ips('archive')).toEqual(expect.arrayContaining(allIps));
  });

  it('says the same of the calls and of the IPs', async () => {
    await using harness = await openApplied(
      'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10, 192.0.2.11] } }, sources: [pricing] } }',
    );
    const { webdata, emulator } = harness;
    emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'short-move', moves: 1 } });
    emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'drop-after' } });
    const { code, stdout } = await webdata('undo', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('Undo failed: 1 of 1 call made; 1 IP moved in 1 call; ');
  });
});

it('an undo of settings whose answer is lost reads them back, and sends them once', async () => {
  await using harness = await openApplied('managerSettings: { local: { logs: 500 } }');
  const { webdata, emulator } = harness;
  emulator.addFault({ route: 'settings/put', occurrence: 1, fault: { kind: 'drop-after' } });
  expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
  expect(writesOf(emulator.requests())).toHaveLength(1);
  expect(emulator.settings()).toMatchObject({ logs: 1000 });
});

it('an apply whose answers are all lost is completed, and sends each call once', async () => {
  const zones = Array.from({ length: 7 }, (_, index) => index);
  const ip = (index: number) => `192.0.2.${100 + index}`;
  const account = {
    id: 'hl_lost',
    zones: Object.fromEntries(
      zones.flatMap((index) => [
        [`source${index}`, { ips: { us: [ip(index)] } }],
        [`target${index}`, { ips: {} }],
      ]),
    ),
  };
  await using harness = await openHarness(account);
  const { webdata, emulator, write } = harness;
  const targets = zones.map((index) => `target${index}: { ips: [${ip(index)}] }`).join(', ');
  const sources = zones.map((index) => `source${index}`).join(', ');
  await write(
    'webdata.yaml',
    `service: { profile: { settleSeconds: 1 } }\nzoneIpAllocations: { static: { zones: { ${targets} }, sources: [${sources}] } }\n`,
  );
  emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'drop-after' } });
  const { code, stdout } = await webdata('apply', '--yes');
  expect(stdout).toContain('Apply: 7 IPs moved in 7 calls.');
  expect(code).toBe(0);
  expect(migrationsOf(emulator.requests())).toHaveLength(7);
});
