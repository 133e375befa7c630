/** Routes that many services have, and the specification does not. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { createOpenRoutes } from '../../src/client/areas/zones/openRoutes.ts';
import { failing } from '../../src/client/errors.ts';
import { parseProfile } from '../../src/client/profile.ts';
import type { Transport } from '../../src/client/transport/transport.ts';

it('a route that is not found is asked for again after an hour: a gateway may have answered', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const read = async () => {
    asked += 1;
    if (asked > 1) return { balance: 5, pending: undefined };
    throw failing({ method: 'GET', url: 'http://service.example', read: true }, {})('not-found', 'failed', {});
  };
  const routes = createOpenRoutes({ read } as unknown as Transport, parseProfile(), { add: () => undefined } as never);
  expect([await routes.balance(), await routes.balance(), asked]).toEqual([undefined, undefined, 1]);
  vi.setSystemTime(Date.now() + 3_600_001);
  expect(await routes.balance()).toMatchObject({ balance: 5 });
});
