import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Zones } from '../../src/client/areas/zones/zones.ts';
import { createAccountView } from '../../src/kinds/seam/accountView.ts';
import type { ListingProgress } from '../../src/kinds/seam/views.ts';

/** A service whose zones hold one IP each: its last number is the number of the listings so far. */
function countingService(onListing?: (progress: ListingProgress) => void) {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const zones = {
    listing: async (zone: string) => {
      const ip = `192.0.2.${asked.push(zone)}`;
      await new Promise<void>((done) => answers.push(done));
      return { ips: [{ ip, country: 'us', geolocation: {} }], unclear: undefined, names: {} };
    },
  };
  const view = createAccountView(() => zones as unknown as Zones, 0, { onListing });
  const answer = async () => {
    // Calls start in a later turn.
    await setImmediate();
    for (const done of answers.splice(0)) done();
  };
  return { view, asked, answer };
}

describe('the listings of an account', () => {
  it('are counted as they end, so that the progress can be shown', async () => {
    const seen: ListingProgress[] = [];
    const { view, answer } = countingService((progress) => seen.push(progress));
    const listings = view.list(['shop', 'blog']);
    await answer();
    await listings;
    expect(seen).toEqual([
      { listed: 1, asked: 2, waitMs: 0 },
      { listed: 2, asked: 2, waitMs: 0 },
    ]);
  });

  it('are read once, and only the new zones of a later question', async () => {
    const { view, asked, answer } = countingService();
    const first = view.list(['shop', 'blog']);
    await answer();
    const before = await first;
    expect(await view.list(['blog', 'shop'])).toBe(before);
    const more = view.list(['shop', 'blog', 'parked']);
    await answer();
    expect([...(await more).keys()]).toEqual(['shop', 'blog', 'parked']);
    expect(asked).toEqual(['shop', 'blog', 'parked']);
  });

  it('are read again after they were forgotten, also if the first answer was still on its way', async () => {
    const { view, asked, answer } = countingService();
    const first = view.list(['shop']);
    view.forget(['shop']);
    await answer();
    await first;
    const second = view.list(['shop']);
    await answer();
    expect([...((await second).get('shop')?.keys() ?? [])]).toEqual(['192.0.2.2']);
    expect(asked).toEqual(['shop', 'shop']);
  });

  it('are read again for expected moves after they could not be read once', async () => {
    let isDown = true;
    const zones = {
      async listing() {
        if (isDown) throw new Error('down');
        return { ips: [{ ip: '192.0.2.1', country: 'us', geolocation: {} }], unclear: undefined, names: {} };
      },
    };
    const view = createAccountView(() => zones as unknown as Zones, 0);
    view.expect({ from: 'shop', to: 'parked', moves: [] });
    await expect(view.list(['blog'])).rejects.toThrow('down');
    isDown = false;
    expect([...(await view.list(['blog'])).keys()]).toEqual(['blog']);
  });
});
