/** Says beside each zone of a pulled declaration what it holds. */
import { isMap, isScalar, parseDocument, visit } from 'yaml';
import { counted } from '../../diagnostics/valueWords.ts';
import type { Listing, Listings } from '../../kinds/zoneIpAllocation/accountView.ts';

export function withZoneRemarks(yaml: string, listings: Listings): string {
  const document = parseDocument(yaml);
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== 'zones' || !isMap(value)) return undefined;
      for (const { key: zone } of value.items) {
        if (isScalar(zone)) zone.commentBefore = ` ${holding(listings.get(String(zone.value)) ?? new Map())}`;
      }
      return visit.SKIP;
    },
  });
  return document.toString({ lineWidth: 120 });
}

/** `8 IPs: 5 us, 3 de`, the most first. */
function holding(listing: Listing): string {
  const byCountry = Map.groupBy(listing.values(), ({ country }) => country || 'of no known country');
  const counts = [...byCountry].map(([country, ips]) => ({ country, count: ips.length }));
  counts.sort((a, b) => b.count - a.count || a.country.localeCompare(b.country));
  const each = counts.map(({ country, count }) => `${count} ${country}`).join(', ');
  return counted(listing.size, 'IP') + (each && `: ${each}`);
}
