/**
 * The zones of an account as they were last listed. Listings are kept until something is written. While planning, the listings for one
 * allocation include the planned moves of the allocations before it.
 */

import { setTimeout } from 'node:timers/promises';
import pLimit from 'p-limit';
import { memoized } from '../../base/values/memoized.ts';
import type { StaticIp, ZoneListing } from '../../client/areas/zones/listing.ts';
import type { Zones } from '../../client/areas/zones/zones.ts';
import type { CallOptions } from '../../client/transport/transport.ts';
import { AddressMap } from './addressMap.ts';
import type { Flow } from './callType.ts';
import { RecentMoves } from './recentMoves.ts';
import type { ListingProgress, LiveView, ViewOptions, ViewType } from './views.ts';

/** The entry of an IP in a listing. Equal entries are one object, which the IPs of all listings share. */
export type ListedIp = Readonly<Pick<StaticIp, 'country' | 'geolocation'>>;

export type Listing = AddressMap<ListedIp>;
export type Listings = ReadonlyMap<string, Listing>;

/** Facts of the last listing of a zone beside its IPs. */
export type ListingRemark = Omit<ZoneListing, 'ips'>;

export interface AccountView extends LiveView {
  /** Zone → IP → its entry in the listing. @throws ServiceError */
  list(zones: Iterable<string>): Promise<Listings>;
  /** Zone → why it cannot be listed, for those that cannot. */
  failures(zones: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** Zone → remark on its last listing. */
  readonly remarks: ReadonlyMap<string, ListingRemark>;
  /** Returns true for the first resource that asks about a topic. Only that resource prints notes about the whole account. */
  isSpeaker(topic: string, resource: string): boolean;
  /** The next `list` reads these zones again, or all of them. */
  forget(zones?: Iterable<string>): void;
  /** Must be called after a write: the next `list` reads these zones again, or all of them, and listings may lag again. */
  changed(zones?: Iterable<string>): void;
  /** Moves that listings must show before they are believed. */
  readonly recentMoves: RecentMoves;
  /** Changes every later listing as if this move had been made. */
  expect(batch: Flow): void;
  /** Returns a view of the same listings without expected moves. It does not wait for consistent listings. */
  withoutExpected(): AccountView;
  /** The time in milliseconds for which waiting for consistent listings is still worthwhile. Every wait is taken from it. */
  waitBudgetMs: number;
}

/** While planning, the view shows the moves that are expected. A new view remembers the recent moves of the one that it replaces. */
export const accountView: ViewType<AccountView> = {
  create: ({ client, lagMs, signal, onListing }, previous) =>
    createAccountView(() => client().zones, lagMs, { signal, onListing, recentMoves: previous?.recentMoves }),
  withoutExpected: (view) => view.withoutExpected(),
};

interface AccountViewOptions extends CallOptions {
  onListing?: ViewOptions['onListing'];
  recentMoves?: RecentMoves | undefined;
  /** Listings that are known already, by zone. */
  kept?: Map<string, Promise<Listing>> | undefined;
  /** The last ones of these, as another view returned them. */
  last?: Listings | undefined;
  remarks?: Map<string, ListingRemark> | undefined;
}

/** `lagMs` is how long listings may lag behind a write. */
export function createAccountView(
  zonesOf: () => Zones,
  lagMs: number,
  {
    recentMoves = new RecentMoves(),
    kept = new Map(),
    last,
    remarks = new Map(),
    onListing,
    ...options
  }: AccountViewOptions = {},
): AccountView {
  const expected: Flow[] = [];
  const speakers = new Map<string, string>();

  const fetch = fetching(zonesOf, remarks, options);
  const counted = counting(fetch, (count) => onListing?.({ ...count, waitMs: view.waitBudgetMs }));
  const store = createListingStore(kept, counted, last);

  /** Lists the zones. Reads a listing that contradicts a recent move again, until it cannot be older than that move. */
  async function listAll(zones: Iterable<string>): Promise<Listings> {
    const names = [...new Set(zones)];
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      const listings = await store.list(names);
      const until = recentMoves.contradictedUntil(listings, performance.now());
      if (until === undefined) return listings;
      await setTimeout(Math.min(pause, until - performance.now()), undefined, { signal: options.signal });
      forget(names);
    }
  }

  function forget(zones: Iterable<string> = kept.keys()): void {
    store.forget(zones);
    overlay = undefined;
  }

  /** The zones that expected moves touch, as they will be. Computed once, until something changes. */
  let overlay: Promise<Listings> | undefined;
  const expectedListings = () => {
    if (overlay !== undefined) return overlay;
    const computed = listAll(expected.flatMap(({ from, to }) => [from, to])).then((live) => afterMoves(live, expected));
    overlay = computed;
    // The next resource may find that the zones can be listed again.
    computed.catch(() => {
      if (overlay === computed) overlay = undefined;
    });
    return computed;
  };

  const view: AccountView = {
    waitBudgetMs: lagMs,
    remarks,
    recentMoves,
    isSpeaker(topic, resource) {
      const speaker = speakers.get(topic) ?? resource;
      speakers.set(topic, speaker);
      return speaker === resource;
    },
    async list(zones) {
      if (expected.length === 0) return listAll(zones);
      const [live, touched] = await Promise.all([listAll(zones), expectedListings()]);
      return new Map([...live].map(([zone, listing]) => [zone, touched.get(zone) ?? listing]));
    },
    failures: store.failures,
    forget,
    changed(zones) {
      forget(zones);
      this.waitBudgetMs = lagMs;
    },
    expect(batch) {
      expected.push(batch);
      overlay = undefined;
    },
    withoutExpected: () =>
      createAccountView(zonesOf, 0, {
        recentMoves,
        kept: new Map(kept),
        last: store.last(),
        remarks: new Map(remarks),
        ...options,
      }),
  };
  return view;
}

type Fetch = (zone: string) => Promise<Listing>;

function fetching(zonesOf: () => Zones, remarks: Map<string, ListingRemark>, options: CallOptions): Fetch {
  const entries = new Map<string, ListedIp>();
  const limit = pLimit(mostWaiting);
  return (zone) =>
    limit(async () => {
      const { ips, ...remark } = await zonesOf().listing(zone, options);
      remarks.set(zone, remark);
      return listingOf(ips, entries);
    });
}

/** Reports the progress when each listing has ended, also in an error. */
function counting(fetch: Fetch, onListed: (count: Omit<ListingProgress, 'waitMs'>) => void): Fetch {
  const count = { listed: 0, asked: 0 };
  return (zone) => {
    count.asked += 1;
    return fetch(zone).finally(() => {
      count.listed += 1;
      onListed(count);
    });
  };
}

/**
 * Keeps listings until they are forgotten. Resource after resource asks for the same zones, and what was derived from their listings is
 * kept with the object `last`.
 */
function createListingStore(kept: Map<string, Promise<Listing>>, fetch: Fetch, last: Listings | undefined) {
  let timesForgotten = 0;

  function listing(zone: string): Promise<Listing> {
    const known = kept.get(zone);
    if (known) return known;
    const asked = fetch(zone);
    kept.set(zone, asked);
    asked.catch(() => kept.delete(zone));
    return asked;
  }

  const areKnown = (zones: readonly string[]) => last !== undefined && zones.every((zone) => last?.has(zone));

  return {
    async failures(zones: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
      if (areKnown(zones)) return new Map();
      const results = await Promise.allSettled(zones.map(listing));
      const failed = zones.map((zone, index) => ({ zone, result: results[index] }));
      return new Map(
        failed.flatMap(({ zone, result }) => (result?.status === 'rejected' ? [[zone, result.reason]] : [])),
      );
    },
    /** @param zones each once */
    async list(zones: readonly string[]): Promise<Listings> {
      const [before, known] = [timesForgotten, last];
      if (known?.size === zones.length && areKnown(zones)) return known;
      const asked = zones.filter((zone) => !known?.has(zone));
      const added = new Map(await Promise.all(asked.map(async (zone) => [zone, await listing(zone)] as const)));
      const listings = new Map(zones.map((zone) => [zone, known?.get(zone) ?? added.get(zone) ?? none]));
      if (timesForgotten === before) last = listings;
      return listings;
    },
    /** Returns the listings that were returned last, unless one was forgotten since. */
    last: () => last,
    forget(zones: Iterable<string>): void {
      for (const zone of zones) kept.delete(zone);
      last = undefined;
      timesForgotten += 1;
    },
  };
}

/** The client sends fewer calls at a time, and each that waits for it takes some kilobytes. */
const mostWaiting = 256;

const none: Listing = AddressMap.of([]);

const firstPauseMs = 100;
const longestPauseMs = 2_000;

function afterMoves(listings: Listings, batches: readonly Flow[]): Listings {
  const after = new Map([...listings].map(([zone, listing]) => [zone, new Map<string, ListedIp>(listing)]));
  for (const { from, to, moves } of batches) {
    for (const { ip } of moves) {
      const entry = after.get(from)?.get(ip);
      if (!entry) continue;
      after.get(from)?.delete(ip);
      after.get(to)?.set(ip, entry);
    }
  }
  return new Map([...after].map(([zone, ips]) => [zone, AddressMap.of(ips)]));
}

/** Equal entries are one object: there are few different ones, and maybe 100,000 IPs. */
function listingOf(ips: readonly StaticIp[], known: Map<string, ListedIp>): Listing {
  return AddressMap.filled((add) => {
    for (const { ip, country, geolocation } of ips) {
      const key = `${country} ${JSON.stringify(geolocation)}`;
      const entry = known.get(key) ?? { country, geolocation };
      known.set(key, entry);
      add(ip, entry);
    }
  });
}

/** Listings never change, so their countries are collected once. */
export const countriesOf: (listings: Listings) => ReadonlyMap<string, ReadonlyMap<string, string>> = memoized(
  (listings) => new Map([...listings].map(([zone, listing]) => [zone, listing.map(({ country }) => country)])),
);
