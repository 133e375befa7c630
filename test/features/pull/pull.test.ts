/** The remarks on the zones of a pulled declaration: how many IPs they hold, by country. */
import { expect, it } from 'vitest';
import { withZoneRemarks } from '../../../src/features/pull/pull.ts';
import type { Listings } from '../../../src/kinds/accountView.ts';
import { AddressMap } from '../../../src/kinds/addressMap.ts';

it('have the most frequent country first, then by name, and IPs of no known country', () => {
  const countries = ['us', 'de', '', 'fr', 'us', 'de', 'us', 'gb'];
  const listing = AddressMap.of(
    countries.map((country, index) => [`192.0.2.${index + 1}`, { country, geolocation: {} }] as const),
  );
  const listings = new Map([['checkout', listing]]) as unknown as Listings;
  const yaml = 'zoneIpAllocations:\n  main:\n    zones:\n      checkout: {count: 8}\n      empty: {count: 0}\n';
  expect(withZoneRemarks(yaml, listings).split('\n').slice(2, 7)).toEqual([
    '    zones:',
    '      # 8 IPs: 3 us, 2 de, 1 fr, 1 gb, 1 of no known country',
    '      checkout: { count: 8 }',
    '      # 0 IPs',
    '      empty: { count: 0 }',
  ]);
});
