import { describe, expect, it } from 'vitest';
import { type Harness, migrationsOf, openDeclared, openHarness } from '../harness.ts';

const move = ['zones', 'migrate', '--from', 'pricing', '--to', 'checkout', '--yes'];

interface Told {
  command: string;
  result: string;
  calls: { resource: { collection: string }; outcome: string; movedIps: string[] }[];
}

async function runsOf({ webdata }: Harness): Promise<Told[]> {
  return JSON.parse((await webdata('history', '--format', 'json')).stdout).runs;
}

describe('webdata zones migrate', () => {
  it('stands in the history, and is taken back by undo, once', async () => {
    await using harness = await openDeclared('plain', '');
    const { emulator, webdata } = harness;
    const moved = await webdata(...move, '192.0.2.10', '192.0.2.11');
    expect([moved.code, moved.stderr]).toEqual([0, expect.not.stringContaining('journal')]);
    const [run] = await runsOf(harness);
    expect(run).toMatchObject({
      command: 'zones migrate',
      result: 'done',
      calls: [
        { resource: { collection: 'zoneIpAllocations' }, outcome: 'done', movedIps: ['192.0.2.10', '192.0.2.11'] },
      ],
    });
    expect((await webdata('history')).stdout).toMatch(
      /zones migrate {2}done .*\n {2}\S+@\S+.*\n {2}zoneIpAllocations\.by-hand\n.*2 IPs +from pricing +to checkout/,
    );

    const undone = await webdata('undo', '--yes');
    expect(undone).toMatchObject({ code: 0, stdout: expect.stringContaining('Undo: 2 IPs moved in 1 call.') });
    expect(emulator.ips('pricing')).toEqual(expect.arrayContaining(['192.0.2.10', '192.0.2.11']));
    expect((await runsOf(harness)).map(({ command }) => command)).toEqual(['undo', 'zones migrate']);
  });

  it('records what came of a part, and of a call whose answer is lost', async () => {
    await using harness = await openDeclared('plain', '');
    harness.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 1, fault: { kind: 'short-move', moves: 1 } });
    expect(await harness.webdata(...move, '192.0.2.10', '192.0.2.11')).toMatchObject({ code: 1 });
    harness.emulator.clearFaults();
    harness.emulator.addFault({ route: 'zone/ips/migrate', occurrence: 'all', fault: { kind: 'drop-after' } });
    expect(await harness.webdata(...move, '198.51.100.7')).toMatchObject({ code: 0 });
    expect(await runsOf(harness)).toMatchObject([
      { result: 'done', calls: [{ outcome: 'done', movedIps: ['198.51.100.7'] }] },
      { result: 'failed', calls: [{ outcome: 'partly' }] },
    ]);
  });

  it.each([
    [
      { kind: 'status', status: 502 },
      'fix: It is unknown whether the IPs moved: check with `webdata zones ips checkout` and `webdata zones ips pricing` before moving them again.',
    ],
    [
      { kind: 'lag', lag: { ms: 60_000 } },
      'fix: check with `webdata zones ips checkout` and `webdata zones ips pricing` in a while before anything else is moved',
    ],
  ] as const)('advises to look where the IPs are after %j', async (fault, fix) => {
    await using harness = await openHarness('plain');
    await harness.write('webdata.yaml', 'service: { profile: { settleSeconds: 1 } }\n');
    harness.emulator.addFault({ route: 'zone/ips/migrate', fault });
    const { code, stderr } = await harness.webdata(...move, '192.0.2.10');
    expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(fix)]);
  });

  it('sends nothing where the journal cannot be written', async () => {
    await using harness = await openDeclared('plain', '');
    await harness.write('taken', '');
    const { code, stderr } = await harness.webdata(...move, '--journal', 'taken/journal.jsonl', '192.0.2.10');
    expect([code, stderr]).toEqual([1, expect.stringContaining('taken')]);
    expect(migrationsOf(harness.emulator.requests())).toEqual([]);
  });
});
