import { describe, expect, it } from 'vitest';
import {
  type Allocation,
  alone,
  type Limits,
  type Live,
  type Neighbourhood,
  type ZoneDemand,
} from '../../../../src/kinds/zoneIpAllocation/solver/model.ts';
import { planAllocation } from '../../../../src/kinds/zoneIpAllocation/solver/solve.ts';

const live = liveOf({
  shop: { '192.0.2.1': 'us', '192.0.2.2': 'us', '192.0.2.3': 'de' },
  blog: { '192.0.2.11': 'us', '192.0.2.12': 'fr' },
  parked: { '192.0.2.21': 'us', '192.0.2.20': 'us', '192.0.2.22': 'de' },
  old: { '192.0.2.31': 'us' },
});

function liveOf(zones: Record<string, Record<string, string>>): Live {
  return new Map(Object.entries(zones).map(([zone, ips]) => [zone, new Map(Object.entries(ips))]));
}

function declare(zones: Record<string, Partial<ZoneDemand>>, more: Partial<Allocation> = {}): Allocation {
  const entries = Object.entries(zones).map(([zone, demand]) => [zone, { ips: [], ...demand }] as const);
  return { zones: new Map(entries), sources: [], spare: 'parked', unmanaged: 'report', protect: new Set(), ...more };
}

const withoutSpare = (allocation: Allocation): Allocation => {
  const { spare: _, ...rest } = allocation;
  return rest;
};

const plan = (allocation: Allocation, neighbours: Partial<Neighbourhood> = {}, limits: Limits = {}, of = live) =>
  planAllocation(allocation, of, { ...alone, ...neighbours }, limits);

const moves = (...given: Parameters<typeof plan>) =>
  plan(...given).batches.flatMap((batch) =>
    batch.moves.map(({ ip, from, to, reason }) => `${ip} ${from} -> ${to}: ${reason}`),
  );

describe('a count that cannot be reached', () => {
  it('names the country, how many are missing, and the zones that give', () => {
    expect(plan(declare({ shop: { count: new Map([['us', 6]]) } }, { sources: ['old'] }))).toEqual({
      batches: [],
      unmanaged: new Map([['shop', ['192.0.2.3']]]),
      problems: [
        {
          code: 'count-not-met',
          path: ['zones', 'shop', 'count', 'us'],
          found: 'shop needs 4 more IPs in us; only 3 are available',
          allowed: 'IPs that parked, old and exceeded counts can give, which are in de, us',
          fix: 'lower the count, or name a zone that has such IPs as `spare` or under `sources`',
        },
      ],
    });
  });

  it.each([
    [declare({ shop: { count: new Map([['fr', 1]]) } }), 'shop needs 1 more IP in fr; none is available'],
    [declare({ shop: { count: new Map([['de', 3]]) } }), 'shop needs 2 more IPs in de; only 1 is available'],
    [declare({ shop: { count: 7 } }), 'shop needs 4 more IPs; only 3 are available'],
  ])('says how many there are (%#)', (allocation, found) => {
    expect(plan(allocation).problems).toMatchObject([{ code: 'count-not-met', found }]);
  });

  it('has no country in its path, and names no zone that gives, if there is none', () => {
    expect(plan(withoutSpare(declare({ shop: { count: 5 } }))).problems).toMatchObject([
      { path: ['zones', 'shop', 'count'], allowed: 'IPs that exceeded counts can give' },
    ]);
  });
});

describe('a count below what must stay', () => {
  it('names the listed and the protected IPs', () => {
    const protect = new Set(['192.0.2.2']);
    expect(plan(declare({ shop: { ips: ['192.0.2.1'], count: new Map([['us', 1]]) } }, { protect })).problems).toEqual([
      {
        code: 'count-below-fixed',
        path: ['zones', 'shop', 'count', 'us'],
        found: 'shop must keep 2 IPs in us (1 listed, 1 protected or uncertain)',
        allowed: 'exactly 1',
        fix: 'raise the count, or take IPs out of `ips` or `protect`',
      },
    ]);
  });
});

describe('IPs that are too many', () => {
  it('are refused without a spare', () => {
    expect(plan(withoutSpare(declare({ shop: { count: 1 }, blog: { count: 1 } }))).problems).toEqual([
      {
        code: 'no-spare',
        path: ['zones', 'shop'],
        found: 'shop holds 2 IPs more than declared, and there is no spare to take them',
        allowed: 'a `spare` zone for the IPs that exceed the declaration',
        fix: 'add `spare`, or raise the count',
      },
      expect.objectContaining({
        path: ['zones', 'blog'],
        found: 'blog holds 1 IP more than declared, and there is no spare to take them',
      }),
    ]);
  });

  it('go to the spare as surplus, the highest addresses first, or fill another count', () => {
    expect(moves(declare({ shop: { count: new Map([['us', 1]]) } }))).toEqual(['192.0.2.2 shop -> parked: surplus']);
    const filling = declare({ shop: { count: new Map([['us', 1]]) }, blog: { count: new Map([['us', 2]]) } });
    expect(moves(withoutSpare(filling))).toEqual(['192.0.2.2 shop -> blog: count']);
  });

  it('are released where the declaration asks for that, and stay otherwise', () => {
    expect(moves(declare({ blog: { ips: ['192.0.2.12'] } }, { unmanaged: 'release' }))).toEqual([
      '192.0.2.11 blog -> parked: released',
    ]);
    expect(plan(declare({ blog: { ips: ['192.0.2.12'] } }))).toEqual({
      batches: [],
      problems: [],
      unmanaged: new Map([['blog', ['192.0.2.11']]]),
    });
  });

  it('are not unmanaged if none is left', () => {
    expect(plan(declare({ old: { ips: ['192.0.2.31'] } })).unmanaged).toEqual(new Map());
    expect(moves(declare({ old: { ips: ['192.0.2.31'] } }, { unmanaged: 'release' }))).toEqual([]);
  });
});

describe('a declared IP', () => {
  it('moves from wherever it is, with its country', () => {
    const { batches } = plan(declare({ shop: { ips: ['192.0.2.12', '192.0.2.1'] } }, { sources: ['blog'] }));
    const move = { ip: '192.0.2.12', country: 'fr', from: 'blog', to: 'shop', reason: 'declared' };
    expect(batches).toEqual([{ from: 'blog', to: 'shop', moves: [move] }]);
  });

  it('is an error if no zone lists it', () => {
    expect(plan(declare({ shop: { ips: ['192.0.2.1', '192.0.2.99'] } })).problems).toMatchObject([
      {
        code: 'ip-not-found',
        path: ['zones', 'shop', 'ips', 1],
        found: '192.0.2.99 is in none of the zones that were listed (shop, blog, parked, old)',
        allowed: 'an IP that the account holds',
        fix: expect.stringContaining('otherwise correct the address, or name the zone that holds it under `sources`'),
      },
    ]);
  });

  it('is an error if several zones list it', () => {
    const twice = liveOf({ shop: { '192.0.2.1': 'us' }, blog: { '192.0.2.1': 'us' }, old: { '192.0.2.1': 'us' } });
    expect(plan(declare({ shop: { ips: ['192.0.2.1'] } }), {}, {}, twice).problems).toMatchObject([
      {
        code: 'ip-seen-twice',
        path: ['zones', 'shop', 'ips', 0],
        found: '192.0.2.1 is listed in shop and blog and old at once',
        allowed: 'an IP that is in one zone',
        fix: 'wait until the listings agree, then run again',
      },
    ]);
  });

  it('is an error if another user moved it during the run, unless it is where it should be', () => {
    const lost = { lost: new Set(['192.0.2.11', '192.0.2.1']) };
    expect(plan(declare({ shop: { ips: ['192.0.2.1', '192.0.2.11'] } }), {}, lost).problems).toMatchObject([
      {
        code: 'ip-taken',
        path: ['zones', 'shop', 'ips', 1],
        found: '192.0.2.11 was moved to blog by another user during this run',
        allowed: 'IPs that no other user moves',
        fix: 'find out who moves it, then run again',
      },
    ]);
  });

  it('is an error if another allocation protects it, unless it is where it should be', () => {
    const neighbours = { protect: new Set(['192.0.2.11', '192.0.2.1']) };
    expect(plan(declare({ shop: { ips: ['192.0.2.1', '192.0.2.11'] } }), neighbours).problems).toMatchObject([
      {
        code: 'protected-elsewhere',
        path: ['zones', 'shop', 'ips', 1],
        found: '192.0.2.11 is in blog, and another allocation protects it',
        allowed: 'moves of a protected IP only into the zone that declares it',
        fix: 'take it out of `protect` there first',
      },
    ]);
  });
});

describe('an IP that must not move', () => {
  const overlapping = liveOf({
    shop: { '192.0.2.1': 'us', '192.0.2.2': 'us' },
    blog: { '192.0.2.1': 'us' },
    parked: {},
  });

  it('because two zones list it, is not surplus', () => {
    expect(moves(declare({ shop: { count: 1 } }), {}, {}, overlapping)).toEqual(['192.0.2.2 shop -> parked: surplus']);
    expect(plan(declare({ shop: { count: 0 } }), {}, {}, overlapping).problems).toMatchObject([
      { found: 'shop must keep 1 IP (0 listed, 1 protected or uncertain)' },
    ]);
  });

  it.each([
    ['another user moved it', {}, { lost: new Set(['192.0.2.2']) }],
    ['another allocation protects it', { protect: new Set(['192.0.2.2']) }, {}],
  ])('because %s, is not surplus', (_, neighbours, limits) => {
    const declared = declare({ shop: { count: new Map([['us', 1]]) } });
    expect(moves(declared, neighbours, limits)).toEqual(['192.0.2.1 shop -> parked: surplus']);
  });

  it('because another allocation declares it, is left out of the count', () => {
    const neighbours = { declared: new Map([['192.0.2.2', 'elsewhere']]) };
    expect(moves(declare({ shop: { count: 2 } }), neighbours)).toEqual([]);
    expect(plan(declare({ shop: {} }), neighbours).unmanaged).toEqual(new Map([['shop', ['192.0.2.1', '192.0.2.3']]]));
  });
});
