/** Lists zones until the listings make sense, with growing pauses, for as long as the account's waitBudgetMs lasts: they may lag. */

import type { Context } from '../context.ts';
import type { Listings } from './accountView.ts';

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** Returns the listings once they are settled, or as they are when the waitBudgetMs is used up. @throws ServiceError */
export async function pollUntilConsistent(
  zones: readonly string[],
  { account, sleep }: Pick<Context, 'account' | 'sleep'>,
  isSettled: (listings: Listings) => boolean,
): Promise<Listings> {
  let listings = await account.list(zones);
  for (
    let pause = firstPauseMs;
    account.waitBudgetMs > 0 && !isSettled(listings);
    pause = Math.min(pause * 2, longestPauseMs)
  ) {
    const wait = Math.min(pause, account.waitBudgetMs);
    account.waitBudgetMs -= wait;
    await sleep(wait);
    account.forget(zones);
    listings = await account.list(zones);
  }
  return listings;
}
