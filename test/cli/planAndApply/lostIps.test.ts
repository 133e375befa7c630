/** IPs that a run has lost: to somebody else, who keeps them, or out of sight, behind an answer that broke off. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { movedClock } from '../../emulator/runs.ts';
import { type Harness, migrationsOf, openDeclared } from '../harness.ts';

const migrate = 'zone/ips/migrate';

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

const arrived = ({ emulator }: Harness, nth: number) => until(() => migrationsOf(emulator.requests()).length >= nth);

const answered = ({ emulator }: Harness, nth: number) =>
  until(() => emulator.requests().filter(({ route, status }) => route === migrate && status === 200).length >= nth);

describe('when another user takes IPs, again and again', () => {
  const [first, second] = ['198.51.100.30', '198.51.100.31'];

  /** Two IPs come from parked, and old-pricing has others that would do. Listings take long enough to come in between. */
  async function openFilling(more: string, settleSeconds?: number): Promise<Harness> {
    const harness = await openDeclared(
      'plain',
      `zoneIpAllocations: { static: { zones: { checkout: { count: { us: 7 } } }, sources: [old-pricing], spare: parked, ${more} } }`,
      { settleSeconds },
    );
    harness.emulator.addFault({ route: 'zone/ips', fault: { kind: 'delay', ms: 120 } });
    return harness;
  }

  /** The first IP is taken before it could be moved; the second after it was moved, and was seen where it belongs. */
  async function applyWhileTaking(harness: Harness) {
    const { webdata, emulator } = harness;
    emulator.addFault({ route: migrate, occurrence: 1, fault: { kind: 'delay', ms: 200 } });
    const applying = webdata('apply', '--yes');
    await arrived(harness, 1);
    emulator.move([first], 'old-pricing');
    await answered(harness, 2);
    emulator.move([second], 'parked');
    return applying;
  }

  const calls = [`parked -> checkout: ${first} ${second}`, 'old-pricing -> checkout: 198.51.100.20'];

  it('replaces them, and takes none of them back', async () => {
    await using harness = await openFilling('maxMoves: 3');
    const { webdata, emulator } = harness;
    expect(await applyWhileTaking(harness)).toMatchObject({ code: 0, stderr: '' });
    expect(migrationsOf(emulator.requests())).toEqual([...calls, 'old-pricing -> checkout: 198.51.100.21']);
    expect(emulator.ips('old-pricing')).toContain(first);
    expect(emulator.ips('parked')).toContain(second);
    expect(await webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('moves no more IPs than maxMoves in all of its rounds, those that were taken away again included', async () => {
    await using harness = await openFilling('maxMoves: 2');
    const { code, stdout } = await applyWhileTaking(harness);
    expect(code).toBe(1);
    expect(stdout).toContain('3 IPs would move in this run, 2 of them have already\n');
    expect(migrationsOf(harness.emulator.requests())).toEqual(calls);
  });

  it('waits for the rest of the call in listings that lag, and knows that it moved', async () => {
    await using harness = await openFilling('maxMoves: 3', 60);
    const { webdata, emulator } = harness;
    emulator.addFault({ route: migrate, occurrence: 1, fault: { kind: 'delay', ms: 200 } });
    emulator.addFault({ route: migrate, occurrence: 1, fault: { kind: 'lag', lag: { listings: 2 } } });
    const applying = webdata('apply', '--yes', '--format', 'json');
    await arrived(harness, 1);
    emulator.move([first], 'old-pricing');
    const { code, stdout } = await applying;
    const [{ made }] = JSON.parse(stdout).resources;
    expect(made[0]).toMatchObject({ outcome: 'partly', seen: { moved: [second], elsewhere: [first] } });
    expect(code).toBe(0);
    expect(migrationsOf(emulator.requests())).toEqual(calls);
  });

  it('counts an IP that was taken away before it was seen where it belongs', async () => {
    await using harness = await openFilling('maxMoves: 2');
    const { webdata, emulator } = harness;
    const applying = webdata('apply', '--yes');
    await answered(harness, 1);
    emulator.move([first], 'old-pricing');
    const { code, stdout } = await applying;
    expect(code).toBe(1);
    expect(stdout).toContain('3 IPs would move in this run, 2 of them have already\n');
    expect(migrationsOf(emulator.requests())).toEqual(calls.slice(0, 1));
  });
});

it('a destroy takes nothing back either', async () => {
  await using harness = await openDeclared(
    'plain',
    'zoneIpAllocations: { static: { zones: { checkout: { count: 8 }, archive: { count: 10 } }, spare: parked, onDelete: release } }',
  );
  const { webdata, emulator } = harness;
  emulator.addFault({ route: migrate, occurrence: 1, fault: { kind: 'delay', ms: 200 } });
  const destroying = webdata('destroy', '--select', 'ZoneIpAllocation/static', '--yes');
  await arrived(harness, 1);
  emulator.move(['192.0.2.12'], 'archive');
  expect(await destroying).toMatchObject({ code: 0 });
  expect(emulator.ips('archive')).toEqual(['192.0.2.12']);
});

describe.concurrent('an answer that breaks off while listings lag for longer than the profile says', () => {
  const breaks = [
    ['cut off in its middle', { kind: 'truncated' }, 'accepted'],
    ['a gateway’s 504', { kind: 'status', status: 504, when: 'after' }, 'unknown'],
  ] as const;

  /** An apply of one move that came into effect, which listings do not show for a minute. `pass` moves the clock of the service. */
  async function openBroken(fault: (typeof breaks)[number][1]) {
    const declaration =
      'zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }';
    const { clock, pass } = movedClock();
    const harness = await openDeclared('plain', declaration, { clock });
    harness.emulator.addFault({ route: migrate, occurrence: 1, fault });
    harness.emulator.addFault({ route: migrate, occurrence: 1, fault: { kind: 'lag', lag: { ms: 60_000 } } });
    expect(await harness.webdata('apply', '--yes')).toMatchObject({ code: 1 });
    return { ...harness, pass };
  }

  /** What history says of each call, the newest run first. */
  async function outcomes({ webdata }: Pick<Harness, 'webdata'>): Promise<string[][]> {
    const { stdout } = await webdata('history', '--format', 'json');
    const { runs } = JSON.parse(stdout) as { runs: { calls: { outcome: string }[] }[] };
    return runs.map(({ calls }) => calls.map(({ outcome }) => outcome));
  }

  it.each(breaks)('(%s) is open in history, and the next apply does not send it again', async (_, fault, outcome) => {
    await using harness = await openBroken(fault);
    const { webdata, emulator, pass } = harness;
    expect(await outcomes(harness)).toEqual([[outcome]]);
    expect((await webdata('history')).stdout).not.toMatch(/refused|nothing moved|stayed/);
    pass(60);
    expect(await webdata('apply', '--yes')).toMatchObject({ code: 0 });
    expect(migrationsOf(emulator.requests())).toEqual(['pricing -> checkout: 192.0.2.10']);
    expect(await outcomes(harness)).toEqual([['done']]);
  });

  it.each(breaks)('(%s) never becomes a refusal in history, however long listings lag', async (_, fault, outcome) => {
    await using harness = await openBroken(fault);
    await harness.webdata('apply', '--yes');
    expect((await outcomes(harness)).at(-1)).toEqual([outcome]);
  });
});
