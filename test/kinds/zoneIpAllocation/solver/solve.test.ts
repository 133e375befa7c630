import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alone, type Live, type MigrateBatch } from '../../../../src/kinds/zoneIpAllocation/solver/model.ts';
import { planAllocation } from '../../../../src/kinds/zoneIpAllocation/solver/solve.ts';
import { afterCalls, type Case, cases } from './arbitraries.ts';
import { leastCost } from './oracle.ts';

const plan = ({ allocation, live }: Case, limits = {}) => planAllocation(allocation, live, alone, limits);
type Counts = Readonly<Record<string, number>>;

/** Zones with the IPs that they have and those that they want, by country. The one that wants nothing is the spare. */
function accountOf(rows: readonly [zone: string, has: Counts, wants?: Counts][]): Case {
  const live: Live = new Map(
    rows.map(([zone, has], row) => {
      const countries = Object.entries(has).flatMap(([country, amount]) => Array<string>(amount).fill(country));
      return [zone, new Map(countries.map((country, index) => [`192.0.2.${10 * row + index}`, country]))];
    }),
  );
  const zones = rows.flatMap(([zone, , wants]) =>
    wants === undefined ? [] : [[zone, { ips: [], count: new Map(Object.entries(wants)) }] as const],
  );
  const spare = rows.find(([, , wants]) => wants === undefined)?.[0];
  return { allocation: { zones: new Map(zones), sources: [], spare, unmanaged: 'report', protect: new Set() }, live };
}

const movesOf = (batches: readonly MigrateBatch[]) => batches.flatMap(({ moves }) => moves);

describe('the plan of an allocation', () => {
  it('takes the fewest moves and then the fewest calls, as an exhaustive search finds them', () => {
    fc.assert(
      fc.property(cases({ ips: 7, zones: 6 }), (drawn) => {
        const { batches, problems } = plan(drawn);
        const least = leastCost(drawn);
        const found = problems.length > 0 ? undefined : { moves: movesOf(batches).length, calls: batches.length };
        expect(found).toEqual(least);
      }),
      { numRuns: 3000 },
    );
  });

  it('chooses givers so that calls for two countries are one call', () => {
    const { batches } = plan(
      accountOf([
        ['a', {}, { us: 1, de: 1 }],
        ['b', { us: 2 }, { us: 0, de: 1 }],
        ['c', {}, { us: 2, de: 0 }],
        ['d', { us: 1, de: 1 }, { us: 1, de: 0 }],
        ['parked', { us: 3, de: 1 }],
      ]),
    );
    expect(batches.map(({ from, to, moves }) => [from, to, moves.length]).toSorted()).toEqual([
      ['b', 'c', 2],
      ['d', 'b', 1],
      ['parked', 'a', 2],
    ]);
  });

  it('finds the fewest calls for zones that a search without bounds does not get through', () => {
    const { batches } = plan(
      accountOf([
        ['a', { de: 1 }, { us: 1, de: 3 }],
        ['b', { us: 3, de: 2 }, { us: 1, de: 2 }],
        ['c', { us: 2 }, { us: 3, de: 1 }],
        ['d', { us: 2, de: 2 }, { us: 1, de: 0 }],
        ['e', { de: 2 }, { us: 2, de: 3 }],
        ['f', { us: 1 }, { us: 0, de: 0 }],
        ['g', { us: 2 }, { us: 1, de: 3 }],
        ['parked', { de: 5 }],
      ]),
    );
    expect(movesOf(batches)).toHaveLength(12);
    expect(batches).toHaveLength(7);
  });

  it('reaches the declaration, so that the plan after it is empty', () => {
    fc.assert(
      fc.property(cases({ ips: 40, zones: 6 }), (drawn) => {
        const { batches, problems } = plan(drawn);
        fc.pre(problems.length === 0);
        const after = plan({ ...drawn, live: afterCalls(drawn.live, batches) });
        expect(after.problems).toEqual([]);
        expect(after.batches).toEqual([]);
        for (const [zone, { ips, count }] of drawn.allocation.zones) {
          const there = afterCalls(drawn.live, batches).get(zone) ?? new Map();
          expect([...there.keys()]).toEqual(expect.arrayContaining([...ips]));
          if (typeof count === 'number') expect(there.size).toBe(count);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('moves an IP once, from where it is, and in one call for each pair of zones', () => {
    fc.assert(
      fc.property(cases({ ips: 40, zones: 6 }), (drawn) => {
        const { batches } = plan(drawn);
        const ips = movesOf(batches).map(({ ip }) => ip);
        expect(new Set(ips).size).toBe(ips.length);
        expect(new Set(batches.map(({ from, to }) => `${from} ${to}`)).size).toBe(batches.length);
        for (const { from, to, moves } of batches) for (const move of moves) expect(move).toMatchObject({ from, to });
      }),
    );
  });

  it('is the same whatever the order of the listing', () => {
    fc.assert(
      fc.property(cases({ ips: 30, zones: 6 }), (drawn) => {
        const backwards: Live = new Map(
          [...drawn.live].reverse().map(([zone, ips]) => [zone, new Map([...ips].reverse())]),
        );
        expect(plan({ ...drawn, live: backwards }).batches).toEqual(plan(drawn).batches);
      }),
    );
  });

  it('makes no more calls than donors + receivers - 1 a country', () => {
    fc.assert(
      fc.property(cases({ ips: 60, zones: 12 }), (drawn) => {
        const withoutListed = new Map(
          [...drawn.allocation.zones].map(([zone, demand]) => [zone, { ...demand, ips: [] }]),
        );
        const { batches, problems } = plan({ ...drawn, allocation: { ...drawn.allocation, zones: withoutListed } });
        fc.pre(problems.length === 0 && batches.length > 0);
        const byCountry = Map.groupBy(movesOf(batches), ({ country }) => country);
        const bound = [...byCountry.values()].reduce((sum, moves) => {
          return sum + new Set(moves.map(({ from }) => from)).size + new Set(moves.map(({ to }) => to)).size - 1;
        }, 0);
        expect(batches.length).toBeLessThanOrEqual(bound);
      }),
    );
  });

  it('cuts calls at the batch limit and nowhere else', () => {
    fc.assert(
      fc.property(cases({ ips: 40, zones: 4 }), fc.integer({ min: 1, max: 7 }), (drawn, batchLimit) => {
        const whole = plan(drawn).batches;
        const cut = plan(drawn, { batchLimit }).batches;
        expect(cut.length).toBe(whole.reduce((sum, { moves }) => sum + Math.ceil(moves.length / batchLimit), 0));
        expect(Math.max(0, ...cut.map(({ moves }) => moves.length))).toBeLessThanOrEqual(batchLimit);
        const ips = (batches: readonly MigrateBatch[]) =>
          movesOf(batches)
            .map(({ ip }) => ip)
            .sort();
        expect(ips(cut)).toEqual(ips(whole));
      }),
    );
  });
});
