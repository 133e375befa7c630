/** Listings of an account, without a service. */

import type { AccountView, Listings } from '../../../src/kinds/seam/accountView.ts';
import { AddressMap } from '../../../src/kinds/seam/addressMap.ts';
import type { Views } from '../../../src/kinds/seam/views.ts';

export type Zones = Readonly<Record<string, readonly string[]>>;

export function listingsOf(zones: Zones): Listings {
  return new Map(
    Object.entries(zones).map(([zone, ips]) => [
      zone,
      AddressMap.of(ips.map((ip) => [ip, { country: 'us', geolocation: {} }])),
    ]),
  );
}

/** Lists the first state until it is forgotten, then the second one, and the last one from then on. */
export function accountThatShows(...states: Zones[]): AccountView {
  const [first = {}, ...later] = states;
  let shown = first;
  return {
    waitBudgetMs: 10_000,
    remarks: new Map(),
    list: async (zones: Iterable<string>) =>
      listingsOf(Object.fromEntries([...zones].map((zone) => [zone, shown[zone] ?? []]))),
    failures: async () => new Map(),
    isSpeaker: () => true,
    forget: () => {
      shown = later.shift() ?? shown;
    },
  } as unknown as AccountView;
}

/** The views of a context that shows this account. */
export function viewing(account: object): Views {
  return { view: () => account as never };
}
