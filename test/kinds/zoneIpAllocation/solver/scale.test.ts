/** The planner on big accounts: what it promises of small ones holds there as well. No timings: those are in `bench`. */
import { describe, expect, it } from 'vitest';
import { type Allocation, alone, type Live } from '../../../../src/kinds/zoneIpAllocation/solver/model.ts';
import { planAllocation } from '../../../../src/kinds/zoneIpAllocation/solver/solve.ts';
import { afterCalls } from './arbitraries.ts';

const countries = ['us', 'de', 'fr', 'gb', 'jp'];

/** The nth address of a /16. */
const address = (second: number, n: number) => `10.${second}.${n >> 8}.${n & 255}`;

const addresses = (second: number, amount: number) => Array.from({ length: amount }, (_, n) => address(second, n));

describe('200 zones of 500 IPs', () => {
  const names = Array.from({ length: 200 }, (_, n) => `zone${n}`);
  const listing = (second: number) =>
    new Map(addresses(second, 500).map((ip, n) => [ip, countries[n % countries.length] ?? '']));
  const live: Live = new Map([...names.map((name, n) => [name, listing(n)] as const), ['parked', new Map()]]);

  const counted = (count: (zone: number) => number | Map<string, number>): Allocation => ({
    zones: new Map(names.map((name, n) => [name, { ips: [], count: count(n) }])),
    sources: [],
    spare: 'parked',
    unmanaged: 'report',
    protect: new Set(),
  });

  it.each([
    ['in all', (zone: number) => (zone % 2 === 0 ? 450 : 550)],
    ['of each country', (zone: number) => new Map(countries.map((code) => [code, zone % 2 === 0 ? 90 : 110]))],
  ])('are counted %s with the fewest moves, each IP at most once', (_, count) => {
    const { batches, problems } = planAllocation(counted(count), live, alone);
    expect(problems).toEqual([]);
    const moved = batches.flatMap(({ moves }) => moves.map(({ ip }) => ip));
    expect(moved).toHaveLength(100 * 50);
    expect(new Set(moved).size).toBe(moved.length);
    const after = afterCalls(live, batches);
    expect(names.map((name) => after.get(name)?.size)).toEqual(names.map((_, n) => (n % 2 === 0 ? 450 : 550)));
    expect(after.get('parked')?.size).toBe(0);
  });
});

describe('one IP a call (migrateBatchLimit: 1), 3,000 IPs for 3,000', () => {
  const [here, there] = [addresses(0, 3000), addresses(1, 3000)];
  const listing = (ips: readonly string[]) => new Map(ips.map((ip) => [ip, 'us']));
  const live: Live = new Map([
    ['here', listing(here)],
    ['there', listing(there)],
  ]);
  const swap = (floors: { here: number; there: number }): Allocation => ({
    zones: new Map([
      ['here', { ips: there, keepAtLeast: floors.here }],
      ['there', { ips: here, keepAtLeast: floors.there }],
    ]),
    sources: [],
    unmanaged: 'report',
    protect: new Set(),
  });

  it('are swapped where a floor leaves room for one, and every call keeps it', () => {
    const { batches, problems } = planAllocation(swap({ here: 2999, there: 3000 }), live, alone, { batchLimit: 1 });
    expect(problems).toEqual([]);
    expect(batches).toHaveLength(6000);
    expect(batches.every(({ moves }) => moves.length === 1)).toBe(true);
    const sizes = { here: 3000, there: 3000 };
    const low = { ...sizes };
    for (const { from, to } of batches as { from: keyof typeof sizes; to: keyof typeof sizes }[]) {
      sizes[from] -= 1;
      sizes[to] += 1;
      low[from] = Math.min(low[from], sizes[from]);
    }
    expect(low).toEqual({ here: 2999, there: 3000 });
    expect(sizes).toEqual({ here: 3000, there: 3000 });
  });

  it('are refused, in words, where the floors leave none', () => {
    const { problems } = planAllocation(swap({ here: 3000, there: 3000 }), live, alone, { batchLimit: 1 });
    expect(problems.map(({ code }) => code)).toEqual(['below-floor']);
  });
});
