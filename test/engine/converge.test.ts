/** Random accounts and declarations through the commands and the emulator: what a plan promises is what an apply does. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AccountInput, LoggedRequest } from '../../src/emulator/index.ts';
import type { Allocation, Live } from '../../src/kinds/zoneIpAllocation/solver/model.ts';
import { type Harness, migrationsOf, openHarness, writesOf } from '../cli/harness.ts';
import { type Case, cases } from '../kinds/zoneIpAllocation/solver/arbitraries.ts';

interface Scene extends Case {
  maxMoves: number | undefined;
  batchLimit: number | undefined;
  dialect: AccountInput['dialect'];
  parallelism: number;
}

const dialects: AccountInput['dialect'][] = [{}, { migrate: 'all-or-nothing', countryCase: 'upper' }];

const scenes: fc.Arbitrary<Scene> = fc
  .record({
    world: cases({ ips: 9, zones: 4, withFloors: true }),
    maxMoves: fc.option(fc.integer({ min: 2, max: 9 }), { nil: undefined, freq: 3 }),
    batchLimit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    dialect: fc.constantFrom(...dialects),
    parallelism: fc.constantFrom(1, 4, 10),
  })
  .map(({ world, ...more }) => ({ ...world, ...more }));

function accountOf({ live, dialect }: Scene): AccountInput {
  const zones = [...live].map(([zone, ips]) => [zone, { ips: [...ips].map(([ip, country]) => ({ ip, country })) }]);
  return { id: 'hl_random', zones: Object.fromEntries(zones), dialect };
}

/** JSON is YAML. A floor above the count is no declaration, so it is lowered to it. */
function declarationOf({ allocation, maxMoves, batchLimit }: Scene): string {
  const { zones, sources, spare, unmanaged, protect } = allocation;
  const specs = [...zones].map(([zone, { ips, count, keepAtLeast = 0 }]) => [
    zone,
    {
      ips,
      count: count instanceof Map ? Object.fromEntries(count) : count,
      keepAtLeast: typeof count === 'number' ? Math.min(count, keepAtLeast) : keepAtLeast,
    },
  ]);
  const spec = { zones: Object.fromEntries(specs), sources, spare, unmanaged, protect: [...protect], maxMoves };
  const profile = { settleSeconds: 0, migrateBatchLimit: batchLimit };
  return JSON.stringify({ service: { profile }, zoneIpAllocations: { random: spec } });
}

it('an apply makes the very calls of the plan, reaches the declaration, and keeps every guard after each call', async () => {
  const seen = { reached: 0, moved: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      await using harness = await openHarness(accountOf(scene));
      await harness.write('webdata.yaml', declarationOf(scene));
      const plan = await planTwice(harness);
      const { code, stderr } = await harness.webdata('apply', '--yes', '--parallelism', String(scene.parallelism));
      expect(stderr).toBe('');
      const requests = harness.emulator.requests();
      if (plan.summary.problems > 0) {
        seen.refused += 1;
        expect(code).toBe(1);
        expect(writesOf(requests)).toEqual([]);
        return;
      }
      seen.reached += 1;
      seen.moved += plan.calls.length > 0 ? 1 : 0;
      expect(code).toBe(0);
      expectSameOrder(scene, plan.calls, migrationsOf(requests));
      expectReached(scene, liveIn(harness, scene.live));
      expectGuarded(scene, requests);
      expect(await harness.webdata('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    }),
    { numRuns: 60, seed: 20_260_701 },
  );
  expect(Math.min(seen.moved, seen.refused)).toBeGreaterThan(5);
});

it('an undo brings back what was there, or is refused by a guard before the first call', async () => {
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      await using harness = await openHarness(accountOf(scene));
      const { webdata, emulator, write } = harness;
      await write('webdata.yaml', declarationOf(scene));
      const { code } = await webdata('apply', '--yes');
      fc.pre(code === 0 && migrationsOf(emulator.requests()).length > 0);
      emulator.clearRequests();
      const undo = await webdata('undo', '--yes');
      if (undo.code === 0) {
        expect(liveIn(harness, scene.live)).toEqual(sorted(scene.live));
        return;
      }
      expect(undo.stdout).toMatch(/would be left with|is protected/);
      expect(writesOf(emulator.requests())).toEqual([]);
    }),
    { numRuns: 12, seed: 20_260_702 },
  );
});

/** The calls of a plan, which must be the same text when it is made again. */
async function planTwice({ webdata }: Harness): Promise<{ summary: { problems: number }; calls: string[] }> {
  const [first, second] = [await webdata('plan', '--format', 'json'), await webdata('plan', '--format', 'json')];
  expect(second).toEqual(first);
  const { summary, resources } = JSON.parse(first.stdout);
  const calls = resources[0].calls.map(
    ({ from, to, ips }: { from: string; to: string; ips: { ip: string }[] }) =>
      `${from} -> ${to}: ${ips.map(({ ip }) => ip).join(' ')}`,
  );
  return { summary, calls };
}

type Places = Record<string, string[]>;

function liveIn({ emulator }: Harness, live: Live): Places {
  return Object.fromEntries([...live.keys()].map((zone) => [zone, emulator.ips(zone).toSorted()]));
}

function sorted(live: Live): Places {
  return Object.fromEntries([...live].map(([zone, ips]) => [zone, [...ips.keys()].toSorted()]));
}

/** One call at a time is sent in the planned order; otherwise the calls of each zone are. */
function expectSameOrder({ live, parallelism }: Scene, planned: readonly string[], sent: readonly string[]): void {
  if (parallelism === 1) expect(sent).toEqual(planned);
  expect(sent.toSorted()).toEqual(planned.toSorted());
  for (const zone of live.keys()) {
    const ofZone = (call: string) => call.startsWith(`${zone} -> `) || call.includes(` -> ${zone}: `);
    expect(sent.filter(ofZone)).toEqual(planned.filter(ofZone));
  }
}

function expectReached({ allocation, live }: Scene, places: Places): void {
  const countryOf = new Map([...live.values()].flatMap((ips) => [...ips]));
  const { zones, sources, unmanaged, protect } = allocation;
  for (const [zone, { ips, count }] of zones) {
    const there = places[zone] ?? [];
    expect(there).toEqual(expect.arrayContaining([...ips]));
    if (typeof count === 'number') expect(there).toHaveLength(count);
    const counted = typeof count === 'object' ? count : new Map<string, number>();
    for (const [country, target] of counted) {
      expect(there.filter((ip) => countryOf.get(ip) === country)).toHaveLength(target);
    }
    const asked = (ip: string) => typeof count === 'number' || ips.includes(ip) || counted.has(countryOf.get(ip) ?? '');
    const unasked = there.filter((ip) => !asked(ip));
    expect(unasked.filter((ip) => !live.get(zone)?.has(ip))).toEqual([]);
    if (unmanaged === 'release') expect(unasked.filter((ip) => !protect.has(ip))).toEqual([]);
  }
  for (const zone of sources)
    expect([...(live.get(zone)?.keys() ?? [])]).toEqual(expect.arrayContaining(places[zone] ?? []));
  expect(Object.values(places).flat().toSorted()).toEqual([...countryOf.keys()].toSorted());
}

/** From what the emulator logged: no call went below a floor, moved a protected IP elsewhere, or beyond a limit. */
function expectGuarded({ allocation, live, maxMoves, batchLimit }: Scene, requests: readonly LoggedRequest[]): void {
  const { zones, protect } = allocation;
  const sizes = new Map([...live].map(([zone, ips]) => [zone, ips.size]));
  const moved = new Set<string>();
  for (const { effect } of requests) {
    if (!effect || !('moved' in effect)) continue;
    const { from, to, moved: ips } = effect;
    const left = (sizes.get(from) ?? 0) - ips.length;
    sizes.set(from, left).set(to, (sizes.get(to) ?? 0) + ips.length);
    for (const ip of ips) moved.add(ip);
    expect(left).toBeGreaterThanOrEqual(floorOf(allocation, from));
    expect(ips.filter((ip) => protect.has(ip) && !zones.get(to)?.ips.includes(ip))).toEqual([]);
    expect(ips.length).toBeLessThanOrEqual(batchLimit ?? ips.length);
  }
  expect(moved.size).toBeLessThanOrEqual(maxMoves ?? moved.size);
}

function floorOf({ zones }: Allocation, zone: string): number {
  const { count, keepAtLeast = 0 } = zones.get(zone) ?? {};
  return typeof count === 'number' ? Math.min(count, keepAtLeast) : keepAtLeast;
}
