import { expect, it } from 'vitest';
import { parseResource } from '../../providers/core/resource.ts';
import { zoneIpAllocation } from '../../src/kinds/zoneIpAllocation/kind.ts';

it('is the same resource in whatever order the engine sends the keys of its maps', () => {
  const checkout = { ips: ['192.0.2.10'], count: { us: 3, de: 4 } };
  const pricing = { count: 2 };
  const sent = { zones: { checkout, pricing }, spare: 'parked' };
  const sentAgain = { spare: 'parked', zones: { pricing, checkout: { count: { de: 4, us: 3 }, ips: ['192.0.2.10'] } } };
  const [one, other] = [sent, sentAgain].map((inputs) => parseResource(zoneIpAllocation, inputs));
  expect(one?.key).toBe(other?.key);
  const moved = { ...sent, zones: { checkout: { ...checkout, ips: ['192.0.2.11'] }, pricing } };
  expect(parseResource(zoneIpAllocation, moved).key).not.toBe(one?.key);
});
