/** What others do to the account meanwhile, and listings that lie for a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { movedClock } from '../../emulator/runs.ts';
import { type AccountName, type Harness, migrationsOf, openDeclared, openHarness, writesOf } from '../harness.ts';

const allocation = (spec: string) => `zoneIpAllocations: { static: ${spec} }\n`;

/** Applies, and lets somebody else come between the first migration and its effect. */
async function applyWhile({ webdata, emulator }: Harness, meanwhile: () => void) {
  emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'delay', ms: 200 } });
  const applying = webdata('apply', '--yes');
  while (migrationsOf(emulator.requests()).length === 0) await sleep(5);
  meanwhile();
  return applying;
}

describe.each<AccountName>([
  'plain',
  'odd',
])('an IP that another user moves during the run, on the %s account', (account) => {
  it('is replaced by another where any would do, and never stolen back', async () => {
    await using harness = await openDeclared(
      account,
      allocation('{ zones: { checkout: { count: { us: 7 } } }, sources: [old-pricing], spare: parked, maxMoves: 2 }'),
    );
    const { webdata, emulator } = harness;
    const result = await applyWhile(harness, () => emulator.move(['198.51.100.30'], 'old-pricing'));
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(emulator.ips('old-pricing')).toContain('198.51.100.30');
    expect(emulator.ips('checkout')).toHaveLength(10);
    expect(emulator.ips('checkout')).not.toContain('198.51.100.30');
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('is an error where it was declared by its address, and stays where it was moved', async () => {
    await using harness = await openDeclared(
      account,
      allocation('{ zones: { checkout: { ips: [192.0.2.10, 192.0.2.11] } }, sources: [pricing], spare: parked }'),
    );
    const { emulator } = harness;
    const { code, stdout } = await applyWhile(harness, () => emulator.move(['192.0.2.10'], 'parked'));
    expect(code).toBe(1);
    expect(stdout).toContain('192.0.2.10 was moved to parked by another user during this run');
    expect(emulator.ips('parked')).toContain('192.0.2.10');
  });

  it('is not reported as moved by this run if the other user moved it to its target, and an undo leaves it there', async () => {
    await using harness = await openDeclared(
      account,
      allocation('{ zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing], spare: parked }'),
    );
    const { webdata, emulator } = harness;
    const { stdout } = await applyWhile(harness, () => emulator.move(['192.0.2.10'], 'checkout'));
    expect(stdout).not.toContain('IP moved in');
    const history = (await webdata('history')).stdout.replaceAll(/\s+/g, ' ');
    expect(history).toContain('nothing moved: 192.0.2.10 was moved to checkout by another user');
    await webdata('undo', '--yes');
    expect(emulator.ips('checkout')).toContain('192.0.2.10');
  });

  it('is an error where it was taken out of every zone that is named', async () => {
    await using harness = await openDeclared(
      account,
      allocation('{ zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }'),
    );
    const { emulator } = harness;
    const { code, stdout } = await applyWhile(harness, () => emulator.move(['192.0.2.10'], 'archive'));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^.*192\.0\.2\.10.*$/m);
    expect(emulator.ips('archive')).toContain('192.0.2.10');
  });
});

it('keeps to maxMoves with the moves that it makes after planning again', async () => {
  await using harness = await openDeclared(
    'plain',
    allocation('{ zones: { checkout: { count: { us: 7 } } }, sources: [old-pricing], spare: parked, maxMoves: 2 }'),
  );
  const { emulator } = harness;
  const { code, stdout } = await applyWhile(harness, () => emulator.move(['192.0.2.12'], 'parked'));
  expect(code).toBe(1);
  expect(stdout).toContain('3 IPs would move in this run, 2 of them have already');
  expect(migrationsOf(emulator.requests())).toHaveLength(1);
});

/** Somebody else moves an IP, and the listing of one of the two zones still shows the old state `times` times. */
async function migrateElsewhere(
  { emulator }: Harness,
  ip: string,
  from: string,
  to: string,
  stale: string,
  times: number,
) {
  emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'lag', lag: { listings: times } } });
  const headers = { authorization: `Bearer ${emulator.keys.ops}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ from, to, ips: [ip] });
  await fetch(`${emulator.apiUrl}/zone/ips/migrate`, { method: 'POST', headers, body });
  const fresh = stale === from ? to : from;
  for (let n = 0; n < times; n++) await fetch(`${emulator.apiUrl}/zone/ips?zone=${fresh}`, { headers });
  emulator.clearFaults();
  emulator.clearRequests();
}

const declared = allocation('{ zones: { checkout: { ips: [192.0.2.40] }, archive: { count: 10 } }, spare: parked }');
const impatient = (spec: string) => `service: { profile: { settleSeconds: 0 } }\n${spec}`;

describe('an IP that two zones list', () => {
  it('is looked at again until it is in one', async () => {
    await using harness = await openDeclared('plain', declared, { settleSeconds: 60 });
    await migrateElsewhere(harness, '192.0.2.40', 'checkout', 'parked', 'checkout', 2);
    const { code, stdout } = await harness.webdata('plan', '--detailed-exitcode');
    expect(code).toBe(2);
    expect(stdout).toContain('1 IP  from parked  to checkout  192.0.2.40 us');
  });

  it.each([
    ['an apply', ['apply', '--yes'], declared],
    [
      'a destroy',
      ['destroy', '--select', 'ZoneIpAllocation/static', '--yes'],
      declared.replace('spare: parked', 'spare: parked, onDelete: release'),
    ],
  ])('is an error for %s when patience is used up, and is not moved', async (_, args, yaml) => {
    await using harness = await openDeclared('plain', '');
    await harness.write('webdata.yaml', impatient(yaml));
    await migrateElsewhere(harness, '192.0.2.40', 'checkout', 'parked', 'checkout', 9);
    const { code, stdout } = await harness.webdata(...args);
    expect(stdout).toContain('192.0.2.40 is listed in checkout and parked at once');
    expect(code).toBe(1);
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });

  it('fills no count, and is no surplus', async () => {
    await using harness = await openDeclared('plain', '');
    const counts = '{ zones: { checkout: { count: { us: 4 } }, archive: { count: { us: 3 } } }, spare: parked }';
    await harness.write('webdata.yaml', impatient(allocation(counts)));
    await migrateElsewhere(harness, '192.0.2.40', 'checkout', 'parked', 'checkout', 9);
    expect(await harness.webdata('plan')).toMatchObject({ code: 0 });
    expect((await harness.webdata('plan')).stdout).not.toContain('192.0.2.40');
  });
});

describe('a declared IP that no zone lists', () => {
  it('is looked for again until one does', async () => {
    await using harness = await openDeclared('plain', declared, { settleSeconds: 60 });
    await migrateElsewhere(harness, '192.0.2.40', 'checkout', 'parked', 'parked', 2);
    const { code, stdout } = await harness.webdata('plan', '--detailed-exitcode');
    expect(code).toBe(2);
    expect(stdout).toContain('1 IP  from parked  to checkout  192.0.2.40 us');
  });

  it('is an error when patience is used up', async () => {
    await using harness = await openDeclared('plain', '');
    await harness.write('webdata.yaml', impatient(declared));
    await migrateElsewhere(harness, '192.0.2.40', 'checkout', 'parked', 'parked', 9);
    const { code, stdout } = await harness.webdata('apply', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('192.0.2.40 is in none of the zones that were listed (checkout, archive, parked)');
  });
});

describe('listings that lag behind a migration', () => {
  const spec = allocation('{ zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }');

  it('are read until they have caught up', async () => {
    await using harness = await openHarness('plain');
    const { webdata, emulator, write } = harness;
    await write('webdata.yaml', `service: { profile: { settleSeconds: 60 } }\n${spec}`);
    emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'lag', lag: { listings: 3 } } });
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(migrationsOf(emulator.requests())).toHaveLength(1);
  });

  it('are an error that names the IPs when patience is used up, and nothing is sent twice', async () => {
    const { clock, pass } = movedClock();
    await using harness = await openDeclared('plain', spec, { clock });
    const { webdata, emulator } = harness;
    emulator.addFault({ route: 'zone/ips/migrate', fault: { kind: 'lag', lag: { ms: 60_000 } } });
    const { code, stdout } = await webdata('apply', '--yes');
    expect(code).toBe(1);
    pass(60);
    expect(stdout).toContain('192.0.2.10');
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(migrationsOf(emulator.requests())).toHaveLength(1);
  });
});
