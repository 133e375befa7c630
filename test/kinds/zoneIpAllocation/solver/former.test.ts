/** A way back: which IPs fill a count, among equal ones. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RecentMoves } from '../../../../src/kinds/seam/recentMoves.ts';
import {
  type Allocation,
  alone,
  type Live,
  type MigrateBatch,
} from '../../../../src/kinds/zoneIpAllocation/solver/model.ts';
import { planAllocation } from '../../../../src/kinds/zoneIpAllocation/solver/solve.ts';

const countries = ['us', 'de'] as const;
const zones = ['a', 'b', 'c'] as const;

/** The number of IPs of each zone and country before, the number that stays, and an earlier change of one of them. */
const drawn = fc.record({
  parked: fc.array(fc.nat(4), { minLength: 2, maxLength: 2 }),
  rows: fc.array(fc.record({ has: fc.nat(6), leaves: fc.nat(6), left: fc.nat(3) }), { minLength: 6, maxLength: 6 }),
});

type Counts = ReadonlyMap<string, number>;

function allocationOf(countsOf: (zone: number) => Counts): Allocation {
  const demands = zones.map((zone, index) => [zone, { ips: [], count: countsOf(index) }] as const);
  return { zones: new Map(demands), sources: [], spare: 'parked', unmanaged: 'report', protect: new Set() };
}

function carriedOut(live: Live, batches: readonly MigrateBatch[], history: RecentMoves): Live {
  const after = new Map([...live].map(([zone, ips]) => [zone, new Map(ips)]));
  for (const { from, to, moves } of batches) {
    for (const { ip, country } of moves) {
      after.get(from)?.delete(ip);
      after.get(to)?.set(ip, country);
    }
    history.add(
      { from, to },
      moves.map(({ ip }) => ip),
      0,
    );
  }
  return after;
}

const contents = (live: Live) => [...live].map(([zone, ips]) => [zone, [...ips.keys()].toSorted()]).toSorted();

it('reverting an evacuation is its undo: the same IPs come home, in as many moves', () => {
  fc.assert(
    fc.property(drawn, ({ parked, rows }) => {
      let next = 0;
      const filled = (amounts: readonly number[]) =>
        new Map(
          amounts.flatMap((amount, at) =>
            Array.from({ length: amount }, () => [`10.0.0.${next++}`, countries[at] ?? '']),
          ),
        );
      const row = (zone: number, country: number) => rows[2 * zone + country] ?? { has: 0, leaves: 0, left: 0 };
      const start: Live = new Map([
        ...zones.map(
          (zone, index) => [zone, filled([0, 1].map((at) => row(index, at).has + row(index, at).left))] as const,
        ),
        ['parked', filled(parked)],
      ]);
      const declared = (number: (row: { has: number; leaves: number }) => number) =>
        allocationOf((zone) => new Map(countries.map((country, at) => [country, number(row(zone, at))])));
      const history = new RecentMoves();
      const limits = { former: (zone: string) => new Set(history.leftBy(zone)) };
      const run = (allocation: Allocation, live: Live) => {
        const { batches, problems } = planAllocation(allocation, live, alone, limits);
        expect(problems).toEqual([]);
        return { live: carriedOut(live, batches, history), moves: batches.flatMap(({ moves }) => moves).length };
      };
      // IPs that left the zone before must not come in place of those of the evacuation.
      const before = run(
        declared(({ has }) => has),
        start,
      );
      const emptied = run(
        declared(({ has, leaves }) => Math.max(0, has - leaves)),
        before.live,
      );
      const home = run(
        declared(({ has }) => has),
        emptied.live,
      );
      expect(contents(home.live)).toEqual(contents(before.live));
      expect(home.moves).toBe(emptied.moves);
    }),
    { numRuns: 300 },
  );
});
