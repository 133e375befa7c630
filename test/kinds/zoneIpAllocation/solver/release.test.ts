import { describe, expect, it } from 'vitest';
import { type Allocation, alone, type Limits } from '../../../../src/kinds/zoneIpAllocation/solver/model.ts';
import { planRelease } from '../../../../src/kinds/zoneIpAllocation/solver/release.ts';

const live = new Map([
  [
    'shop',
    new Map([
      ['192.0.2.2', 'us'],
      ['192.0.2.1', 'us'],
      ['192.0.2.3', 'de'],
    ]),
  ],
  ['parked', new Map([['192.0.2.9', 'us']])],
]);

function allocation(demand: object, more: Partial<Allocation> = {}): Allocation {
  const zones = new Map([['shop', { ips: [], ...demand }]]);
  return { zones, sources: [], spare: 'parked', unmanaged: 'report', protect: new Set(), ...more };
}

const released = (declared: Allocation, neighbours = {}, limits: Limits = {}) =>
  planRelease(declared, live, { ...alone, ...neighbours }, limits).batches.flatMap(({ moves }) =>
    moves.map(({ ip }) => ip),
  );

describe('the removal of an allocation', () => {
  it('moves its IPs to the spare in one call, in the order of their addresses', () => {
    const moves = ['192.0.2.1', '192.0.2.2'].map((ip) => ({
      ip,
      country: 'us',
      from: 'shop',
      to: 'parked',
      reason: 'released',
    }));
    expect(planRelease(allocation({ count: new Map([['us', 2]]) }), live, alone)).toEqual({
      batches: [{ from: 'shop', to: 'parked', moves }],
      problems: [],
      unmanaged: new Map(),
    });
  });

  it.each([
    ['listed by address', { ips: ['192.0.2.3'] }, ['192.0.2.3']],
    ['of a counted country', { count: new Map([['de', 0]]) }, ['192.0.2.3']],
    ['of any country, if all are counted', { count: 3 }, ['192.0.2.1', '192.0.2.2', '192.0.2.3']],
    ['that are unmanaged: none', {}, []],
  ])('moves IPs %s', (_, demand, expected) => {
    expect(released(allocation(demand))).toEqual(expected);
  });

  it('leaves IPs that another allocation declares, and those that another user moved during the run', () => {
    expect(released(allocation({ count: 3 }), { declared: new Map([['192.0.2.1', 'shop']]) })).toEqual([
      '192.0.2.2',
      '192.0.2.3',
    ]);
    expect(released(allocation({ count: 3 }), {}, { lost: new Set(['192.0.2.2']) })).toEqual([
      '192.0.2.1',
      '192.0.2.3',
    ]);
  });

  it('moves nothing without a spare, or if the zone is not listed', () => {
    const { spare: _, ...withoutSpare } = allocation({ count: 3 });
    expect(released(withoutSpare)).toEqual([]);
    const unlisted = new Map([['gone', { ips: ['192.0.2.1'] }]]);
    expect(released({ ...withoutSpare, spare: 'parked', zones: unlisted })).toEqual([]);
  });

  it('keeps the guards', () => {
    expect(planRelease(allocation({ count: 3 }, { maxMoves: { count: 2 } }), live, alone).problems).toMatchObject([
      { code: 'too-many-moves', found: '3 IPs would move in this run', allowed: '2' },
    ]);
    expect(planRelease(allocation({ count: 3, keepAtLeast: 1 }), live, alone).problems).toMatchObject([
      {
        code: 'below-floor',
        path: ['zones', 'shop', 'keepAtLeast'],
        found: 'shop would be left with 0 IPs',
        allowed: 'at least 1 after every call',
        fix: 'lower `keepAtLeast`, or move fewer IPs away',
      },
    ]);
    expect(
      planRelease(allocation({ count: 3 }, { protect: new Set(['192.0.2.3']) }), live, alone).problems,
    ).toMatchObject([
      {
        code: 'protected',
        path: ['protect'],
        found: '192.0.2.3 is protected, and would move from shop to parked',
        allowed: 'moves of a protected IP only into the zone that declares it',
        fix: 'take the IP out of `protect`, or declare where it belongs',
      },
    ]);
  });
});
