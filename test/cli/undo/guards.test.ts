/** An undo keeps to the guards of the declaration that stands, and one that ended half-way can be finished. */
import { describe, expect, it } from 'vitest';
import { type Harness, migrationsOf, openDeclared, serviceYaml, writesOf } from '../harness.ts';

const allocation = (spec: string) => `zoneIpAllocations: { static: ${spec} }\n`;

async function openApplied(declaration: string): Promise<Harness> {
  const harness = await openDeclared('plain', declaration);
  expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 0, stderr: '' });
  harness.emulator.clearRequests();
  return harness;
}

describe('an undo', () => {
  const applied = allocation('{ zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }');

  it.each([
    [
      'protect',
      '{ zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing], protect: [192.0.2.10] }',
      '192.0.2.10 is protected, and would move from checkout to pricing',
    ],
    [
      'keepAtLeast',
      '{ zones: { checkout: { ips: [192.0.2.10], keepAtLeast: 9 } }, sources: [pricing] }',
      'checkout would be left with 8 IPs',
    ],
  ])('is refused where %s of the declaration that stands forbids it', async (_, spec, says) => {
    await using harness = await openApplied(applied);
    const { webdata, emulator, write } = harness;
    await write('webdata.yaml', serviceYaml('plain') + allocation(spec));
    const { code, stdout, stderr } = await webdata('undo', '--yes');
    expect(stdout + stderr).toContain(says);
    expect(code).toBe(1);
    expect(writesOf(emulator.requests())).toEqual([]);
    expect(emulator.ips('checkout')).toContain('192.0.2.10');
  });

  it.each([
    [
      'whose guards allow it',
      allocation('{ zones: { checkout: { count: 9, keepAtLeast: 8 } }, protect: [192.0.2.40] }'),
    ],
    ['that says nothing of it any more', ''],
  ])('is made under a declaration %s', async (_, declaration) => {
    await using harness = await openApplied(applied);
    await harness.write('webdata.yaml', serviceYaml('plain') + declaration);
    expect(await harness.webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect(harness.emulator.ips('pricing')).toContain('192.0.2.10');
  });
});

it('an undo of what is declared no more moves no IP that another declaration protects', async () => {
  await using harness = await openApplied(
    allocation('{ zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }'),
  );
  const { webdata, emulator, write } = harness;
  const other = 'zoneIpAllocations: { other: { zones: { checkout: { ips: [192.0.2.10] } }, protect: [192.0.2.10] } }\n';
  await write('webdata.yaml', serviceYaml('plain') + other);
  const { code, stdout, stderr } = await webdata('undo', '--yes');
  expect(stdout + stderr).toContain('192.0.2.10 is protected, and would move from checkout to pricing');
  expect(code).toBe(1);
  expect(writesOf(emulator.requests())).toEqual([]);
});

describe('an undo of two moves', () => {
  const applied = allocation('{ zones: { checkout: { ips: [192.0.2.10, 192.0.2.11] } }, sources: [pricing] }');
  const guarded = (guard: string) => applied.replace('[pricing]', `[pricing], ${guard}`);

  it.each([
    ['more IPs would move than the resource allows', guarded('maxMoves: 1'), /^webdata\.yaml:\d+:\d+.*\n.*maxMoves/m],
    [
      'a guard of another resource cannot be checked',
      allocation('{ zones: { nowhere: { count: 1 } } }').replace('static', 'other'),
      /nowhere/,
    ],
  ])('is refused where %s', async (_, declaration, says) => {
    await using harness = await openApplied(applied);
    const { webdata, emulator, write } = harness;
    await write('webdata.yaml', serviceYaml('plain') + declaration);
    const { code, stdout, stderr } = await webdata('undo', '--yes');
    expect(stdout + stderr).toMatch(says);
    expect(code).toBe(1);
    expect(writesOf(emulator.requests())).toEqual([]);
  });

  it('is counted by no other declaration, whatever it limits', async () => {
    await using harness = await openApplied(applied);
    const other = allocation('{ zones: { checkout: { count: 4 } }, maxMoves: 1 }').replace('static', 'other');
    await harness.write('webdata.yaml', serviceYaml('plain') + other);
    expect(await harness.webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect(migrationsOf(harness.emulator.requests())).toEqual(['checkout -> pricing: 192.0.2.10 192.0.2.11']);
  });

  it.each([
    ['the same zones', '{ zones: { checkout: { count: 4 } }, sources: [pricing], maxMoves: 1 }'],
    ['a share of the IPs', '{ zones: { checkout: { count: 4 }, pricing: { count: 1 } }, maxMoves: "10%" }'],
    ['a zone as its spare', '{ zones: { checkout: { count: 4 } }, spare: pricing, maxMoves: 1 }'],
  ])('is counted by the new name of the resource, which has %s', async (_, spec) => {
    await using harness = await openApplied(applied);
    const { webdata, emulator, write } = harness;
    await write('webdata.yaml', serviceYaml('plain') + allocation(spec).replace('static', 'renamed'));
    const refused = await webdata('undo', '--yes');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stdout + refused.stderr).toMatch(/2 IPs would move in this run/);
    expect(writesOf(emulator.requests())).toEqual([]);
    expect(await webdata('undo', '--yes', '--max-moves', '2')).toMatchObject({ code: 0 });
    expect(migrationsOf(emulator.requests())).toEqual(['checkout -> pricing: 192.0.2.10 192.0.2.11']);
  });

  it('is refused for the one that is left, if that one is protected', async () => {
    await using harness = await openApplied(applied);
    const { webdata, emulator, write } = harness;
    const [run] = JSON.parse((await webdata('history', '--format', 'json')).stdout).runs;
    const back = allocation('{ zones: { pricing: { ips: [192.0.2.10] } }, sources: [checkout] }');
    await write('webdata.yaml', serviceYaml('plain') + back);
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    await write('webdata.yaml', serviceYaml('plain') + guarded('protect: [192.0.2.11]'));
    emulator.clearRequests();
    const { code, stdout, stderr } = await webdata('undo', run.id, '--yes');
    expect(stdout + stderr).toContain('192.0.2.11 is protected, and would move from checkout to pricing');
    expect(stdout + stderr).not.toContain('192.0.2.10 is protected');
    expect(code).toBe(1);
    expect(writesOf(emulator.requests())).toEqual([]);
  });
});

describe('an undo that ended half-way', () => {
  const twoZones = allocation(
    '{ zones: { checkout: { ips: [192.0.2.10] }, archive: { ips: [192.0.2.11] } }, sources: [pricing] }',
  );

  it('is finished by the next one, which makes only the calls that are left', async () => {
    await using harness = await openApplied(twoZones);
    const { webdata, emulator } = harness;
    emulator.addFault({ route: 'zone/ips/migrate', occurrence: 2, fault: { kind: 'status', status: 422 } });
    expect(await webdata('undo', '--yes')).toMatchObject({ code: 1 });
    const [first, second] = migrationsOf(emulator.requests());
    expect(new Set([first, second])).toEqual(
      new Set(['checkout -> pricing: 192.0.2.10', 'archive -> pricing: 192.0.2.11']),
    );
    emulator.clearFaults();
    emulator.clearRequests();
    expect(await webdata('undo', '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(migrationsOf(emulator.requests())).toEqual([second]);
    expect(emulator.ips('pricing')).toEqual(expect.arrayContaining(['192.0.2.10', '192.0.2.11']));
  });

  it('is finished where it was interrupted', async () => {
    await using harness = await openApplied(twoZones);
    const { webdata, webdataWith, emulator } = harness;
    emulator.addFault({ route: 'zone/ips/migrate', occurrence: 2, fault: { kind: 'delay', ms: 400 } });
    const interrupt = new AbortController();
    const undoing = webdataWith({ signal: interrupt.signal }, 'undo', '--yes');
    await expect.poll(() => migrationsOf(emulator.requests()).length, { interval: 5 }).toBe(2);
    interrupt.abort();
    expect(await undoing).toMatchObject({ code: 1 });
    expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect(emulator.ips('pricing')).toEqual(expect.arrayContaining(['192.0.2.10', '192.0.2.11']));
  });

  it('is finished in the settings too, after the IPs are back', async () => {
    await using harness = await openApplied(
      `${allocation('{ zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }')}managerSettings: { local: { logs: 500 } }\n`,
    );
    const { webdata, emulator } = harness;
    emulator.addFault({ route: 'settings/put', occurrence: 1, fault: { kind: 'status', status: 403 } });
    expect(await webdata('undo', '--yes')).toMatchObject({ code: 1 });
    expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect(emulator.settings()).toMatchObject({ logs: 1000 });
    expect(emulator.ips('pricing')).toContain('192.0.2.10');
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 2 });
  });

  it('can not be finished twice', async () => {
    await using harness = await openApplied(twoZones);
    const { webdata, emulator } = harness;
    const [run] = JSON.parse((await webdata('history', '--format', 'json')).stdout).runs;
    emulator.addFault({ route: 'zone/ips/migrate', occurrence: 2, fault: { kind: 'status', status: 422 } });
    await webdata('undo', '--yes');
    expect(await webdata('undo', run.id, '--yes')).toMatchObject({ code: 0 });
    const { code, stderr } = await webdata('undo', run.id, '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain('has already been undone');
  });
});
