/** The addresses of a zone in an account. */
import type { Address, Countries } from '../core/inventory.ts';
import type { ZoneIps } from './account.ts';
import { expandRange } from './addresses.ts';

/** Yields the addresses of a zone, with ranges expanded. */
export function* addressesOf(ips: ZoneIps): Generator<Address> {
  if (Array.isArray(ips)) {
    for (const { ip, country = '', countries = everywhere(country) } of ips) yield* addressesIn([ip], countries);
    return;
  }
  for (const [country, ranges] of Object.entries(ips)) yield* addressesIn(ranges, everywhere(country));
}

function* addressesIn(ranges: readonly string[], countries: Countries): Generator<Address> {
  const folded = countries.map((code) => code.toLowerCase()) as unknown as Countries;
  for (const range of ranges) for (const ip of expandRange(range)) yield { ip, countries: folded };
}

const everywhere = (country: string): [string, string, string, string] => [country, country, country, country];
