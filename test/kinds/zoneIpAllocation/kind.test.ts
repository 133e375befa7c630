/** Zones as they are exported, and what a plan says that they hold. */

import { describe, expect, it } from 'vitest';
import { AddressMap } from '../../../src/kinds/addressMap.ts';
import type { Context } from '../../../src/kinds/context.ts';
import { liveExport } from '../../../src/kinds/liveExport.ts';
import { inventoryOf } from '../../../src/kinds/zoneIpAllocation/inventory.ts';
import { zoneIpAllocation } from '../../../src/kinds/zoneIpAllocation/kind.ts';
import { allocationSpec, type ZoneIpAllocationSpec } from '../../../src/kinds/zoneIpAllocation/spec.ts';
import { migrate } from '../../report/samples.ts';
import { offered } from '../offers.ts';
import { viewing } from './listings.ts';

const listings = (zones: Record<string, Record<string, string>>) =>
  new Map(
    Object.entries(zones).map(([zone, ips]) => [
      zone,
      AddressMap.of(Object.entries(ips).map(([ip, country]) => [ip, { country, geolocation: {} }])),
    ]),
  );

const [first, second, third] = ['192.0.2.9', '192.0.2.10', '192.0.2.11'];

describe('exported zones', () => {
  const live = listings({
    checkout: { [second]: 'us', [first]: 'US', [third]: '' },
    empty: {},
    known: { [first]: 'de' },
  });
  const context = viewing({ list: async () => live }) as unknown as Context<ZoneIpAllocationSpec>;
  const exported = (zones: string[], isByCount: boolean) =>
    offered(liveExport, zoneIpAllocation).exportLive({ name: 'main', zones, isByCount }, context);

  it('list their IPs', async () => {
    expect(await exported(['checkout', 'empty', 'unlisted'], false)).toEqual({
      main: { zones: { checkout: { ips: [first, second, third] }, empty: { ips: [] }, unlisted: { ips: [] } } },
    });
    expect(await exported([], false)).toBeUndefined();
  });

  it('count their IPs, and list those whose country is not known', async () => {
    expect(await exported(['checkout', 'empty', 'known'], true)).toEqual({
      main: {
        zones: { checkout: { count: { us: 2 }, ips: [third] }, empty: { count: 0 }, known: { count: { de: 1 } } },
      },
    });
  });
});

describe('the inventory of a plan', () => {
  it('has each zone that is declared or that a move touches, before and after the moves', () => {
    const spec = allocationSpec.parse({ zones: { checkout: { count: 1 } }, sources: ['old'], spare: 'parked' });
    const live = listings({ checkout: { [first]: 'us' }, old: { [second]: 'us', [third]: 'de' }, other: {} });
    const moves = [migrate('old', 'checkout', [second]), migrate('checkout', 'other', [first])];
    expect(inventoryOf(spec, live, moves)).toEqual([
      { zone: 'checkout', path: ['zones', 'checkout'], countries: [{ country: 'us', before: 1, after: 1 }] },
      {
        zone: 'old',
        path: ['sources', 0],
        countries: [
          { country: 'de', before: 1, after: 1 },
          { country: 'us', before: 1, after: 0 },
        ],
      },
      { zone: 'parked', path: ['spare'], countries: [] },
      { zone: 'other', path: undefined, countries: [{ country: 'us', before: 0, after: 1 }] },
    ]);
  });
});
