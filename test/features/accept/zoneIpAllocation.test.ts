/** Which live IPs an accepted declaration takes over, and which listings are not believed. */
import { describe, expect, it } from 'vitest';
import { AddressMap } from '../../../src/kinds/seam/addressMap.ts';
import { acceptAllocation } from '../../../src/kinds/zoneIpAllocation/accept.ts';
import { allocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';
import type { AllocationState } from '../../../src/kinds/zoneIpAllocation/state.ts';

type Live = Record<string, Record<string, string>>;

interface More {
  unclear?: Record<string, string>;
  allowUnclearListings?: boolean;
  claimed?: string[];
  isStrict?: boolean;
  isWhole?: boolean;
}

function accepted(written: Record<string, unknown>, live: Live, more: More = {}) {
  const { unclear = {}, allowUnclearListings = false, claimed = [], isStrict = false, isWhole = false } = more;
  const listings = Object.entries(live).map(([zone, ips]) => {
    const entries = Object.entries(ips).map(([ip, country]) => [ip, { country, geolocation: {} }] as const);
    return [zone, AddressMap.of(entries)] as const;
  });
  const state = {
    listings: new Map(listings),
    remarks: new Map(Object.entries(unclear).map(([zone, answer]) => [zone, { unclear: answer }])),
    held: [],
    allowUnclearListings,
    neighbours: { declared: new Set(claimed) },
  } as unknown as AllocationState;
  const { fields, problems = [] } = acceptAllocation({ written, spec: allocationSpec.parse(written) }, state, {
    isStrict,
    isWhole,
  });
  return { zones: fields?.zones, problems: problems.map(({ code, path, found }) => [code, path?.join('.'), found]) };
}

const [first, second, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];

describe('an accepted allocation', () => {
  const written = { zones: { a: { ips: [first, second] }, b: { ips: [third] } } };

  it('has the listed IPs where they are now, and no unmanaged ones unless they count as drift', () => {
    const live = { a: { [first]: 'us', [third]: 'us', '192.0.2.9': 'us' }, b: { [second]: 'us' } };
    expect(accepted(written, live)).toEqual({
      zones: { a: { ips: [first, third] }, b: { ips: [second] } },
      problems: [],
    });
    expect(accepted(written, live, { isStrict: true }).zones).toMatchObject({
      a: { ips: [first, third, '192.0.2.9'] },
    });
    const released = { ...written, unmanaged: 'release', spare: 'parked' };
    expect(accepted(released, live).zones).toMatchObject({ a: { ips: [first, third, '192.0.2.9'] } });
  });

  it('leaves the IPs of other allocations to them, unless all are accepted', () => {
    const live = { a: { [first]: 'us', '192.0.2.9': 'us' }, b: { [third]: 'us' } };
    const claimed = ['192.0.2.9'];
    expect(accepted(written, live, { claimed }).zones).toMatchObject({ a: { ips: [first] } });
    expect(accepted(written, live, { claimed, isWhole: true }).zones).toMatchObject({
      a: { ips: [first, '192.0.2.9'] },
    });
  });

  it('has the live numbers for the countries that it counts', () => {
    const live = { a: { [first]: 'us', [second]: 'us', [third]: 'de' }, b: { '192.0.2.9': 'fr' } };
    const counts = { zones: { a: { count: { US: 5, gb: 1 } }, b: { count: 7 } } };
    expect(accepted(counts, live).zones).toEqual({ a: { count: { US: 2, gb: 0 } }, b: { count: 1 } });
    expect(accepted(counts, live, { isStrict: true }).zones).toEqual({
      a: { ips: [third], count: { US: 2, gb: 0 } },
      b: { count: 1 },
    });
  });

  it('has ignored zones and zones without a listing as they are written', () => {
    const ignoring = { ...written, ignoreChanges: ['zones.b'] };
    expect(accepted(ignoring, { b: {} })).toEqual({ zones: written.zones, problems: [] });
  });
});

describe('a listing that may not show what is in the zone', () => {
  const written = { zones: { a: { count: 1 }, b: { ips: [first] } } };

  it('is a problem of the zone, unless the run allows it', () => {
    const live = { a: {}, b: { [first]: 'us' } };
    const unclear = { a: '{}' };
    expect(accepted(written, live, { unclear }).problems).toEqual([
      ['unclear-listing', 'zones.a', 'the listing of a was {}, and not a list of IPs'],
    ]);
    expect(accepted(written, live, { unclear, allowUnclearListings: true }).problems).toEqual([]);
    expect(accepted({ ...written, ignoreChanges: ['zones.a'] }, live, { unclear }).problems).toEqual([]);
  });

  it('is a problem if an IP of the zone is listed elsewhere too', () => {
    const live = { a: { [first]: 'us' }, b: { [second]: 'us' }, parked: { [first]: 'us', [third]: 'us' } };
    expect(accepted({ ...written, spare: 'parked' }, live).problems).toEqual([
      ['ip-seen-twice', 'zones.a', `${first} is listed in a and parked at once`],
    ]);
  });
});
