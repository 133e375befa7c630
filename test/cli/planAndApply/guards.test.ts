/** Guards and deletes of an allocation: refused as a whole before the first call, or held after every one. */
import { describe, expect, it } from 'vitest';
import { type AccountName, migrationsOf, openDeclared, writesOf } from '../harness.ts';

const allocation = (spec: string) => `zoneIpAllocations: { static: ${spec} }\n`;

interface Refusal {
  name: string;
  spec: string;
  args?: string[];
  says: string;
}

const refusals: readonly Refusal[] = [
  {
    name: 'a swap at two floors, with the zones that wait for each other',
    spec: '{ zones: { checkout: { ips: [192.0.2.10], keepAtLeast: 8 }, pricing: { ips: [192.0.2.40], keepAtLeast: 10 } } }',
    says: 'pricing would be left with 9 IPs, and the zones wait for each other: pricing -> checkout -> pricing',
  },
  {
    name: 'a floor that the declaration itself breaks',
    spec: '{ zones: { checkout: { keepAtLeast: 8 }, archive: { ips: [192.0.2.40] } } }',
    says: 'checkout would be left with 7 IPs',
  },
  {
    name: 'more moves than a number',
    spec: '{ zones: { old-pricing: { count: 0 } }, spare: parked, maxMoves: 4 }',
    says: '5 IPs would move in this run\n  at: zoneIpAllocations.static.maxMoves\n  allowed: 4\n  fix: review the moves, then pass --max-moves 5',
  },
  {
    name: 'more moves than a share, rounded down',
    spec: '{ zones: { old-pricing: { count: 0 } }, spare: parked, maxMoves: 38% }',
    says: '5 IPs would move in this run\n  at: zoneIpAllocations.static.maxMoves\n  allowed: 4 (38% of the live IPs)\n',
  },
  {
    name: 'more moves than are allowed for this run',
    spec: '{ zones: { old-pricing: { count: 0 } }, spare: parked, maxMoves: 1 }',
    args: ['--max-moves', '4'],
    says: '5 IPs would move in this run\n  at: zoneIpAllocations.static.maxMoves\n  allowed: 4\n',
  },
];

it.for(refusals)('refuses $name', async ({ spec, args = [], says }) => {
  await using harness = await openDeclared('plain', allocation(spec));
  for (const command of [
    ['plan', '--output', 'plan.json'],
    ['apply', '--yes'],
  ]) {
    const { code, stdout } = await harness.webdata(...command, ...args);
    expect(code).toBe(1);
    expect(stdout).toContain(says);
  }
  expect(writesOf(harness.emulator.requests())).toEqual([]);
});

it.each([
  ['a number', 'maxMoves: 5', []],
  ['a share of what is in its zones, sources and spare', 'maxMoves: 39%', []],
  ['a number, raised for this run', 'maxMoves: 4', ['--max-moves', '5']],
  ['a number, and a lower one for this run, which does not count', 'maxMoves: 5', ['--max-moves', '1']],
])('lets as many IPs move as %s allows', async (_, maxMoves, args) => {
  const spec = `{ zones: { old-pricing: { count: 0 } }, spare: parked, ${maxMoves} }`;
  await using harness = await openDeclared('plain', allocation(spec));
  expect(await harness.webdata('apply', '--yes', ...args)).toMatchObject({ code: 0 });
  expect(harness.emulator.ips('old-pricing')).toEqual([]);
});

describe.each<AccountName>(['plain', 'odd'])('destroy, on the %s account', (account) => {
  const zones = 'zones: { checkout: { ips: [192.0.2.40], count: { de: 3 } } }, spare: parked';

  it('leaves everything, and what is taken out of the file stays as well', async () => {
    await using harness = await openDeclared(account, allocation(`{ ${zones} }`));
    const { webdata, emulator, write } = harness;
    expect(await webdata('destroy', '--select', 'ZoneIpAllocation/static', '--yes')).toEqual({
      code: 0,
      stdout: 'Nothing to destroy. Live state is unchanged.\n',
      stderr: '',
    });
    await write('webdata.yaml', 'zoneIpAllocations:\n');
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(writesOf(emulator.requests())).toEqual([]);
  });

  it('releases what it asks for to the spare, nothing else, and only once', async () => {
    await using harness = await openDeclared(account, allocation(`{ ${zones}, onDelete: release }`));
    const { webdata, emulator } = harness;
    const select = ['--select', 'zoneIpAllocations/static', '--yes'];
    const { code, stdout } = await webdata('destroy', ...select);
    expect(code).toBe(0);
    expect(stdout).toContain('Destroy: 4 IPs are released in 1 call (may incur charges).');
    expect(migrationsOf(emulator.requests())).toEqual([
      'checkout -> parked: 192.0.2.40 203.0.113.10 203.0.113.11 203.0.113.12',
    ]);
    expect(await webdata('destroy', ...select)).toMatchObject({ code: 0 });
    expect(migrationsOf(emulator.requests())).toHaveLength(1);
    expect(await webdata('undo', '--yes')).toMatchObject({ code: 0 });
    expect(emulator.ips('checkout')).toHaveLength(8);
  });

  it.each([
    ['protected IPs', 'protect: [203.0.113.10]', '203.0.113.10 is protected, and would move from checkout to parked'],
    ['a floor', 'maxMoves: 3', '4 IPs would move in this run'],
  ])('releases nothing past %s', async (_, guard, says) => {
    await using harness = await openDeclared(account, allocation(`{ ${zones}, onDelete: release, ${guard} }`));
    const { code, stdout } = await harness.webdata('destroy', '--select', 'zoneIpAllocations/static', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain(says);
    expect(writesOf(harness.emulator.requests())).toEqual([]);
  });
});

it('asks before it changes anything, with what it is about to do, and takes no for an answer', async () => {
  await using harness = await openDeclared(
    'plain',
    allocation('{ zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] }'),
  );
  const asked: string[] = [];
  const confirm = (answer: boolean) => async (question: string) => {
    asked.push(question);
    return answer;
  };
  expect(await harness.webdataWith({ confirm: confirm(false) }, 'apply')).toMatchObject({
    code: 1,
    stderr: 'Nothing was changed.\n',
  });
  expect(writesOf(harness.emulator.requests())).toEqual([]);
  expect(await harness.webdata('history')).toMatchObject({ stdout: 'No runs.\n' });
  expect(await harness.webdataWith({ confirm: confirm(true) }, 'apply')).toMatchObject({ code: 0 });
  expect(await harness.webdataWith({ confirm: confirm(true) }, 'apply')).toMatchObject({ code: 0 });
  expect(asked).toEqual(['Make these changes?', 'Make these changes?']);
});
