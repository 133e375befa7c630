/** The notes of an allocation, which a reviewer reads beside its moves. */
import { describe, expect, it } from 'vitest';
import { geolocationNames } from '../../../src/client/areas/zones/geolocation.ts';
import type { Listings } from '../../../src/kinds/seam/accountView.ts';
import { AddressMap } from '../../../src/kinds/seam/addressMap.ts';
import { allocationNotes } from '../../../src/kinds/zoneIpAllocation/notes.ts';
import type { MigrateBatch } from '../../../src/kinds/zoneIpAllocation/solver/model.ts';
import { allocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';
import type { AllocationState } from '../../../src/kinds/zoneIpAllocation/state.ts';
import { unclearListingProblems } from '../../../src/kinds/zoneIpAllocation/unclearListings.ts';

type Listed = Parameters<typeof AddressMap.of<{ country: string; geolocation: Record<string, string> }>>[0];

const entry = (country: string, ...said: string[]) => ({
  country,
  geolocation: Object.fromEntries(said.map((each, index) => [`db${index}`, each])),
});

const listing = (ips: Record<string, ReturnType<typeof entry>>) => AddressMap.of(Object.entries(ips) as Listed);

const batch = (from: string, to: string, ...ips: string[]): MigrateBatch =>
  ({ from, to, moves: ips.map((ip) => ({ ip, from, to, country: 'us', reason: 'count' })) }) as MigrateBatch;

const answeredNull: AllocationState['remarks'] = new Map([
  ['a', { unclear: 'null', partial: undefined, apart: [], names: geolocationNames({}, []) }],
]);

function notes(
  spec: object,
  listings: Record<string, ReturnType<typeof listing>>,
  batches: readonly MigrateBatch[] = [],
  more: { remarks?: AllocationState['remarks']; unmanaged?: ReadonlyMap<string, string[]> } = {},
) {
  const { remarks = new Map(), unmanaged = new Map() } = more;
  const state = {
    listings: new Map(Object.entries(listings)) as Listings,
    remarks,
    held: [],
    limits: {},
  };
  return allocationNotes(allocationSpec.parse(spec), state as unknown as AllocationState, batches, unmanaged).map(
    ({ code, text, ips }) => ({ code, text, ips }),
  );
}

describe('an IP of unknown country', () => {
  const listings = {
    a: listing({ '192.0.2.1': entry(''), '192.0.2.2': entry('us') }),
    old: listing({ '192.0.2.3': entry(''), '192.0.2.4': entry('') }),
    parked: listing({}),
  };

  it('is noted in each zone of an allocation that counts by country', () => {
    const text = 'whose country no geolocation database knows: they count for no country';
    expect(notes({ zones: { a: { count: { us: 1 } } }, sources: ['old'], spare: 'parked' }, listings)).toEqual([
      { code: 'unknown-country', text: `a holds 1 IP ${text}`, ips: ['192.0.2.1'] },
      { code: 'unknown-country', text: `old holds 2 IPs ${text}`, ips: ['192.0.2.3', '192.0.2.4'] },
    ]);
  });

  it('does not matter elsewhere', () => {
    expect(notes({ zones: { a: { count: 2 } }, sources: ['old'] }, listings)).toEqual([]);
  });
});

describe('an IP on whose country the databases disagree', () => {
  const listings = {
    counted: listing({ '192.0.2.1': entry('us', 'us', 'de'), '192.0.2.2': entry('us', 'us', 'us') }),
    listed: listing({ '192.0.2.3': entry('us', 'us', 'ca'), '192.0.2.4': entry('us', 'us', 'ca') }),
  };
  const spec = { zones: { counted: { count: { us: 2 } }, listed: { ips: ['192.0.2.3'] } } };

  it('is noted where its country counts, and where it moves', () => {
    const note = (ip: string, zone: string, said: string) => ({
      code: 'geolocation-disagrees',
      text: `${ip} in ${zone}: geolocation databases disagree (${said})`,
      ips: [ip],
    });
    expect(notes(spec, listings)).toEqual([note('192.0.2.1', 'counted', 'us, de')]);
    expect(notes(spec, listings, [batch('listed', 'counted', '192.0.2.4')])).toEqual([
      note('192.0.2.1', 'counted', 'us, de'),
      note('192.0.2.4', 'listed', 'us, ca'),
    ]);
  });
});

describe('a zone without IPs', () => {
  const empty = { a: listing({}), b: listing({ '192.0.2.1': entry('us') }), c: listing({}) };
  const spec = { zones: { a: { count: 1 }, b: { count: 0 }, c: { count: 0 } } };
  const codes = (batches: readonly MigrateBatch[], remarks?: AllocationState['remarks']) =>
    notes(spec, empty, batches, { remarks }).map(({ code, text }) => `${code}: ${text.split(' ', 1)}`);

  it('is noted if it is filled: its name may be mistyped', () => {
    expect(codes([batch('b', 'a', '192.0.2.1')])).toEqual(['empty-zone: a']);
    expect(codes([batch('a', 'b', '192.0.2.1')])).toEqual([]);
    expect(codes([])).toEqual([]);
  });

  it('is noted as unclear, and not as empty, if the service gave no list', () => {
    expect(codes([batch('b', 'a', '192.0.2.1')], answeredNull)).toEqual(['unclear-listing: a']);
  });
});

describe('a protected IP', () => {
  it('is noted if it is in none of the zones: it may be mistyped', () => {
    const listings = { a: listing({ '192.0.2.1': entry('us') }), b: listing({ '192.0.2.2': entry('us') }) };
    const spec = (...protect: string[]) => ({ zones: { a: { count: 1 } }, sources: ['b'], protect });
    expect(notes(spec('192.0.2.1', '192.0.2.2'), listings)).toEqual([]);
    expect(notes(spec('192.0.2.9', '192.0.2.1'), listings)).toEqual([
      {
        code: 'protected-not-found',
        text: '1 protected IP in none of the zones of this allocation (a, b): 192.0.2.9',
        ips: ['192.0.2.9'],
      },
    ]);
    expect(notes(spec('192.0.2.10', '192.0.2.9'), listings)).toMatchObject([
      { text: '2 protected IPs in none of the zones of this allocation (a, b): 192.0.2.9, 192.0.2.10' },
    ]);
  });
});

describe('a zone whose listing is unclear', () => {
  const problems = (batches: readonly MigrateBatch[], allowUnclearListings = false) =>
    unclearListingProblems(batches, {
      remarks: answeredNull,
      allowUnclearListings,
    }).map(({ code, path }) => [code, path]);
  const declared = { ...batch('b', 'a', '192.0.2.1') };

  it('is not filled up to a count, unless that is allowed', () => {
    expect(problems([batch('b', 'a', '192.0.2.1'), batch('c', 'a', '192.0.2.2')])).toEqual([
      ['unclear-listing', ['zones', 'a']],
    ]);
    expect(problems([batch('b', 'a', '192.0.2.1')], true)).toEqual([]);
    expect(problems([batch('a', 'b', '192.0.2.1')])).toEqual([]);
  });

  it('gets the IPs that are declared by address', () => {
    const moves = declared.moves.map((move) => ({ ...move, reason: 'declared' as const }));
    expect(problems([{ ...declared, moves }])).toEqual([]);
  });
});
