/**
 * The zones of an account as they were last listed. Listings are kept until something is written; while planning, the moves of
 * one allocation are expected in the listings that the next one sees.
 */
import type { Live, MigrateBatch } from '../allocation/model.ts';
import type { CallOptions } from '../service/transport.ts';
import type { StaticIp, Zones } from '../service/zones.ts';

export type Listing = ReadonlyMap<string, StaticIp>;

export interface AccountView {
  /** Zone → IP → what the service says of it. @throws ServiceError */
  list(zones: Iterable<string>): Promise<ReadonlyMap<string, Listing>>;
  /** The next `list` asks the service again. */
  forget(zones?: Iterable<string>): void;
  /** Shows the listings that are kept as they will be after this move. */
  expect(batch: MigrateBatch): Promise<void>;
}

export function createAccountView(zonesOf: () => Zones, options: CallOptions = {}): AccountView {
  const kept = new Map<string, Promise<Map<string, StaticIp>>>();

  async function fetch(zone: string): Promise<Map<string, StaticIp>> {
    const ips = await zonesOf().ips(zone, options);
    return new Map(ips.map((ip) => [ip.ip, ip]));
  }

  function listing(zone: string): Promise<Map<string, StaticIp>> {
    const known = kept.get(zone);
    if (known) return known;
    const asked = fetch(zone);
    kept.set(zone, asked);
    asked.catch(() => kept.delete(zone));
    return asked;
  }

  return {
    async list(zones) {
      return new Map(await Promise.all([...new Set(zones)].map(async (zone) => [zone, await listing(zone)] as const)));
    },
    forget(zones = [...kept.keys()]) {
      for (const zone of zones) kept.delete(zone);
    },
    async expect({ from, to, moves }) {
      const [source, target] = await Promise.all([listing(from), listing(to)]);
      for (const { ip } of moves) {
        const entry = source.get(ip);
        source.delete(ip);
        if (entry) target.set(ip, entry);
      }
    },
  };
}

export function countriesOf(listings: ReadonlyMap<string, Listing>): Live {
  const countries = (listing: Listing) => new Map([...listing].map(([ip, { country }]) => [ip, country]));
  return new Map([...listings].map(([zone, listing]) => [zone, countries(listing)]));
}
