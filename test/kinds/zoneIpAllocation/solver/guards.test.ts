import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guardProblems } from '../../../../src/kinds/zoneIpAllocation/solver/guards.ts';
import {
  type Allocation,
  alone,
  type Live,
  type MigrateBatch,
} from '../../../../src/kinds/zoneIpAllocation/solver/model.ts';
import { planAllocation } from '../../../../src/kinds/zoneIpAllocation/solver/solve.ts';
import { afterCalls, cases } from './arbitraries.ts';

const live: Live = new Map([
  [
    'a',
    new Map([
      ['192.0.2.1', 'us'],
      ['192.0.2.2', 'us'],
    ]),
  ],
  [
    'b',
    new Map([
      ['192.0.2.3', 'us'],
      ['192.0.2.4', 'de'],
    ]),
  ],
  ['parked', new Map([['192.0.2.9', 'us']])],
]);

function allocation(
  zones: Record<string, { ips?: string[]; count?: number; keepAtLeast?: number }>,
  more: Partial<Allocation> = {},
): Allocation {
  const entries = Object.entries(zones).map(([zone, demand]) => [zone, { ips: [], ...demand }] as const);
  return { zones: new Map(entries), sources: [], spare: 'parked', unmanaged: 'report', protect: new Set(), ...more };
}

const problemsOf = (declared: Allocation, limits = {}) => planAllocation(declared, live, alone, limits).problems;

describe('keepAtLeast', () => {
  it('holds after every call, and is refused only where no order keeps it', () => {
    fc.assert(
      fc.property(cases({ ips: 14, zones: 6, withFloors: true }), (drawn) => {
        const floors = new Map([...drawn.allocation.zones].map(([zone, { keepAtLeast = 0 }]) => [zone, keepAtLeast]));
        const { batches, problems } = planAllocation(drawn.allocation, drawn.live, alone);
        if (problems.length === 0) return expectFloors(batches, drawn.live, floors);
        fc.pre(problems.every(({ code }) => code === 'below-floor'));
        const zones = new Map([...drawn.allocation.zones].map(([zone, { keepAtLeast: _, ...rest }]) => [zone, rest]));
        const free = planAllocation({ ...drawn.allocation, zones }, drawn.live, alone).batches;
        expect(anyOrderKeeps(free, sizes(drawn.live), floors)).toBe(false);
      }),
      { numRuns: 1500 },
    );
  });

  it('names the circle of zones that wait for each other', () => {
    const swap = allocation({
      a: { ips: ['192.0.2.3', '192.0.2.4'], keepAtLeast: 2 },
      b: { ips: ['192.0.2.1', '192.0.2.2'], keepAtLeast: 2 },
    });
    expect(problemsOf(swap)).toEqual([
      {
        code: 'below-floor',
        path: ['zones', 'b', 'keepAtLeast'],
        found: 'b would be left with 0 IPs, and the zones wait for each other: b -> a -> b',
        allowed: 'at least 2 after every call',
        fix: 'lower `keepAtLeast` of one of these zones, or move the IPs by way of the spare',
      },
    ]);
  });

  it('orders the calls of a swap that has room for it', () => {
    const swap = allocation({
      a: { ips: ['192.0.2.3', '192.0.2.4'], keepAtLeast: 2 },
      b: { ips: ['192.0.2.1', '192.0.2.2'] },
    });
    const { batches } = planAllocation(swap, live, alone);
    expect(batches.map(({ from, to }) => [from, to])).toEqual([
      ['b', 'a'],
      ['a', 'b'],
    ]);
  });
});

describe('protect', () => {
  it('keeps an IP where it is, even if it exceeds a count', () => {
    const problems = problemsOf(allocation({ a: { count: 1 } }, { protect: new Set(['192.0.2.1', '192.0.2.2']) }));
    expect(problems.map(({ code, found }) => [code, found])).toEqual([
      ['count-below-fixed', 'a must keep 2 IPs (0 listed, 2 protected or uncertain)'],
    ]);
  });

  it('can make a plan longer, because the IP fills no gap elsewhere', () => {
    const zones: Allocation['zones'] = new Map([
      ['b', { ips: [], count: 1 }],
      ['c', { ips: [], count: new Map([['us', 1]]) }],
    ]);
    const declared = (protect: string[]) => allocation({}, { zones, protect: new Set(protect) });
    const account: Live = new Map(live).set('c', new Map());
    const moved = (protect: string[]) =>
      planAllocation(declared(protect), account, alone).batches.map(({ from, to }) => `${from} -> ${to}`);
    expect(moved([])).toEqual(['b -> c']);
    expect(moved(['192.0.2.3']).toSorted()).toEqual(['b -> parked', 'parked -> c']);
  });

  it('gives way to the zone that declares the IP', () => {
    const declared = allocation({ a: { ips: ['192.0.2.9'] } }, { protect: new Set(['192.0.2.9']) });
    const { batches, problems } = planAllocation(declared, live, alone);
    expect(problems).toEqual([]);
    expect(batches.map(({ from, to }) => [from, to])).toEqual([['parked', 'a']]);
  });

  it('of another allocation keeps its IPs from filling counts and from being declared elsewhere', () => {
    const neighbours = { ...alone, protect: new Set(['192.0.2.9']) };
    expect(planAllocation(allocation({ a: { count: 3 } }), live, neighbours).problems.map(({ code }) => code)).toEqual([
      'count-not-met',
    ]);
    expect(
      planAllocation(allocation({ a: { ips: ['192.0.2.9'] } }), live, neighbours).problems.map(({ code }) => code),
    ).toEqual(['protected-elsewhere']);
  });
});

describe('maxMoves', () => {
  const releaseAll = (maxMoves: Allocation['maxMoves']) =>
    allocation({ a: { count: 0 }, b: { count: 0 } }, { maxMoves });

  it.each([
    [{ count: 4 }, {}, []],
    [{ count: 3 }, {}, ['4 IPs would move in this run; 3']],
    [{ percent: 80 }, {}, []],
    [{ percent: 79 }, {}, ['4 IPs would move in this run; 3 (79% of the live IPs)']],
    [{ count: 3 }, { allowMoves: 4 }, []],
    [{ count: 9 }, { allowMoves: 1 }, []],
    [{ count: 4 }, { alreadyMoved: new Set(['192.0.2.1']) }, []],
    [
      { count: 4 },
      { alreadyMoved: new Set(['192.0.2.77']) },
      ['5 IPs would move in this run, 1 of them have already; 4'],
    ],
  ])('%o with %o', (maxMoves, limits, expected) => {
    expect(problemsOf(releaseAll(maxMoves), limits).map(({ found, allowed }) => `${found}; ${allowed}`)).toEqual(
      expected,
    );
  });
});

describe('calls that do not come from the planner', () => {
  it('may not lead into a zone that the allocation does not fill', () => {
    const move = { ip: '192.0.2.1', country: 'us', from: 'a', to: 'mine', reason: 'declared' as const };
    const problems = guardProblems([{ from: 'a', to: 'mine', moves: [move] }], allocation({ a: {} }), live, alone, {});
    expect(problems.map(({ code, found }) => [code, found])).toEqual([
      ['foreign-zone', 'a move from a into mine, which this allocation does not fill'],
    ]);
  });

  const call = (ip: string, from: string, to: string) => {
    return { from, to, moves: [{ ip, country: 'us', from, to, reason: 'declared' as const }] };
  };

  it('may lead into the zones of the allocation and its spare', () => {
    const { spare: _, ...withoutSpare } = allocation({ a: {}, b: {} });
    const into = (to: string, declared: Allocation) =>
      guardProblems([call('192.0.2.1', 'a', to)], declared, live, alone, {}).map(({ allowed }) => allowed);
    expect(into('mine', allocation({ a: {}, b: {} }))).toEqual(['moves into a, b, parked']);
    expect(into('parked', allocation({ a: {}, b: {} }))).toEqual([]);
    expect(into('parked', withoutSpare)).toEqual(['moves into a, b']);
  });

  it('may move a protected IP only into the zone that declares it', () => {
    const protect = new Set(['192.0.2.1', '192.0.2.2']);
    const declared = allocation({ a: {}, b: { ips: ['192.0.2.1', '192.0.2.2'] } }, { protect });
    const found = (ip: string, to: string, neighbours = alone) =>
      guardProblems([call(ip, 'a', to)], declared, live, neighbours, {}).map((problem) => problem.found);
    expect(found('192.0.2.1', 'b')).toEqual([]);
    expect(found('192.0.2.2', 'parked')).toEqual(['192.0.2.2 is protected, and would move from a to parked']);
    expect(found('192.0.2.1', 'b', { ...alone, protect: new Set(['192.0.2.1']) })).toEqual([
      '192.0.2.1 is protected, and would move from a to b',
    ]);
  });

  it('keep the floors of this allocation and of others, call by call', () => {
    const declared = allocation({ a: { keepAtLeast: 1 }, b: {} });
    const floors = new Map([
      ['parked', 1],
      ['a', 2],
    ]);
    const found = guardProblems(
      [call('192.0.2.1', 'a', 'b'), call('192.0.2.2', 'a', 'b'), call('192.0.2.9', 'parked', 'b')],
      declared,
      live,
      { ...alone, floors },
      {},
    ).map((problem) => `${problem.found}; ${problem.allowed}`);
    expect(found).toEqual([
      'a would be left with 0 IPs; at least 1 after every call',
      'parked would be left with 0 IPs; at least 1 after every call',
    ]);
  });

  it('move no more than a share of the live IPs in the zones, the sources and the spare', () => {
    const batches = [call('192.0.2.1', 'a', 'b'), call('192.0.2.9', 'parked', 'b')];
    const problems = (percent: number, more: Partial<Allocation>) =>
      guardProblems(batches, allocation({ a: {} }, { maxMoves: { percent }, ...more }), live, alone, {})
        .filter(({ code }) => code === 'too-many-moves')
        .map(({ allowed }) => allowed);
    expect(problems(50, {})).toEqual(['1 (50% of the live IPs)']);
    expect(problems(50, { sources: ['b', 'a'] })).toEqual([]);
    expect(problems(40, { sources: ['b', 'unlisted'] })).toEqual([]);
    expect(problems(39, { sources: ['b'] })).toEqual(['1 (39% of the live IPs)']);
  });
});

function sizes(of: Live): Map<string, number> {
  return new Map([...of].map(([zone, ips]) => [zone, ips.size]));
}

function expectFloors(batches: readonly MigrateBatch[], start: Live, floors: ReadonlyMap<string, number>): void {
  for (let made = 1; made <= batches.length; made++) {
    const after = sizes(afterCalls(start, batches.slice(0, made)));
    const { from } = batches[made - 1] ?? { from: '' };
    expect(after.get(from)).toBeGreaterThanOrEqual(floors.get(from) ?? 0);
  }
}

function anyOrderKeeps(
  batches: readonly MigrateBatch[],
  now: Map<string, number>,
  floors: ReadonlyMap<string, number>,
): boolean {
  if (batches.length === 0) return true;
  return batches.some((batch) => {
    const left = (now.get(batch.from) ?? 0) - batch.moves.length;
    if (left < (floors.get(batch.from) ?? 0)) return false;
    const next = new Map(now).set(batch.from, left).set(batch.to, (now.get(batch.to) ?? 0) + batch.moves.length);
    return anyOrderKeeps(
      batches.filter((other) => other !== batch),
      next,
      floors,
    );
  });
}
