/** The addresses of a zone in an account. */
import type { Address, Countries } from '../core/inventory.ts';
import type { ZoneIps } from './account.ts';
import { expandRange } from './addresses.ts';

/** Yields the addresses of a zone, with ranges expanded. */
export function* addressesOf(ips: ZoneIps): Generator<Address> {
  const entries = Array.isArray(ips)
    ? ips
    : Object.entries(ips).flatMap(([country, ranges]) => ranges.map((ip) => ({ ip, country, countries: undefined })));
  for (const { ip: range, country = '', countries = everywhere(country) } of entries) {
    const folded = countries.map((code) => code.toLowerCase()) as unknown as Countries;
    for (const ip of expandRange(range)) yield { ip, countries: folded };
  }
}

const everywhere = (country: string): [string, string, string, string] => [country, country, country, country];
