/** Lists zones with growing pauses until the listings are consistent, since they may lag behind writes. */

import { accountView, type Listings } from '../seam/accountView.ts';
import type { Context } from '../seam/context.ts';

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** Returns the listings when they are consistent, or the last ones when the account's wait budget is used up. @throws ServiceError */
export async function pollUntilConsistent(
  zones: readonly string[],
  { view, sleep }: Pick<Context, 'view' | 'sleep'>,
  isConsistent: (listings: Listings) => boolean,
): Promise<Listings> {
  const account = view(accountView);
  let listings = await account.list(zones);
  for (
    let pause = firstPauseMs;
    account.waitBudgetMs > 0 && !isConsistent(listings);
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
