/** Listings can lie for a while: reading them until they make sense, with growing pauses, for as long as the profile says. */
import type { Listing } from './accountView.ts';
import type { Context } from './context.ts';

type Listings = ReadonlyMap<string, Listing>;

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** The listings when they are settled, or as they are after `settleSeconds`. @throws ServiceError */
export async function untilSettled(
  zones: readonly string[],
  context: Context,
  isSettled: (listings: Listings) => boolean,
): Promise<Listings> {
  let listings = await context.account.list(zones);
  let left = context.client().profile.settleSeconds * 1000;
  for (let pause = firstPauseMs; left > 0 && !isSettled(listings); pause = Math.min(pause * 2, longestPauseMs)) {
    const wait = Math.min(pause, left);
    await context.sleep(wait);
    left -= wait;
    context.account.forget(zones);
    listings = await context.account.list(zones);
  }
  return listings;
}
