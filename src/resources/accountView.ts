/**
 * The zones of an account as they were last listed. Listings are kept until something is written; while planning, the moves of
 * one allocation are expected in the listings that the next one sees.
 */
import type { Live, MigrateBatch } from '../allocation/model.ts';
import type { CallOptions } from '../service/transport.ts';
import type { StaticIp, Zones } from '../service/zones.ts';

export type Listing = ReadonlyMap<string, StaticIp>;
export type Listings = ReadonlyMap<string, Listing>;

export interface AccountView {
  /** Zone → IP → what the service says of it. @throws ServiceError */
  list(zones: Iterable<string>): Promise<Listings>;
  /** The next `list` asks the service again for these. */
  forget(zones: Iterable<string>): void;
  /** Something was written: these zones are listed anew, or all of them, and listings may lag again. */
  changed(zones?: Iterable<string>): void;
  /** Every listing from now on is shown as it will be after this move. */
  expect(batch: MigrateBatch): void;
  /** How long it is still worth waiting for listings to settle, in milliseconds; whoever waits takes from it. */
  patience: number;
}

/** `settleMs` is how long listings may lag behind a write. */
export function createAccountView(zonesOf: () => Zones, settleMs: number, options: CallOptions = {}): AccountView {
  const kept = new Map<string, Promise<Listing>>();
  const expected: MigrateBatch[] = [];

  async function fetch(zone: string): Promise<Listing> {
    const ips = await zonesOf().ips(zone, options);
    return new Map(ips.map((ip) => [ip.ip, ip]));
  }

  function listing(zone: string): Promise<Listing> {
    const known = kept.get(zone);
    if (known) return known;
    const asked = fetch(zone);
    kept.set(zone, asked);
    asked.catch(() => kept.delete(zone));
    return asked;
  }

  async function listAll(zones: Iterable<string>): Promise<Listings> {
    return new Map(await Promise.all(Array.from(new Set(zones), async (zone) => [zone, await listing(zone)] as const)));
  }

  /** The zones that expected moves touch, as they will be: worked out once, until something changes. */
  let overlay: Promise<Listings> | undefined;
  const expectedListings = () => {
    overlay ??= listAll(expected.flatMap(({ from, to }) => [from, to])).then((live) => afterMoves(live, expected));
    return overlay;
  };

  return {
    patience: settleMs,
    async list(zones) {
      if (expected.length === 0) return listAll(zones);
      const [live, touched] = await Promise.all([listAll(zones), expectedListings()]);
      return new Map([...live].map(([zone, listing]) => [zone, touched.get(zone) ?? listing]));
    },
    forget(zones) {
      for (const zone of zones) kept.delete(zone);
      overlay = undefined;
    },
    changed(zones = [...kept.keys()]) {
      this.forget(zones);
      this.patience = settleMs;
    },
    expect(batch) {
      expected.push(batch);
      overlay = undefined;
    },
  };
}

function afterMoves(listings: Listings, batches: readonly MigrateBatch[]): Listings {
  const after = new Map([...listings].map(([zone, listing]) => [zone, new Map(listing)]));
  for (const { from, to, moves } of batches) {
    for (const { ip } of moves) {
      const entry = after.get(from)?.get(ip);
      if (!entry) continue;
      after.get(from)?.delete(ip);
      after.get(to)?.set(ip, entry);
    }
  }
  return after;
}

export function countriesOf(listings: Listings): Live {
  return new Map([...listings].map(([zone, listing]) => [zone, countriesIn(listing)]));
}

/** Each listing is looked through once, however often it is planned on: none changes. */
const countriesKnown = new WeakMap<Listing, ReadonlyMap<string, string>>();

function countriesIn(listing: Listing): ReadonlyMap<string, string> {
  const known = countriesKnown.get(listing);
  if (known !== undefined) return known;
  const countries = new Map<string, string>();
  for (const [ip, { country }] of listing) countries.set(ip, country);
  countriesKnown.set(listing, countries);
  return countries;
}
