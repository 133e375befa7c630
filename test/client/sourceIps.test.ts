/** The addresses that a firewall has to let in. */
import { expect, test } from 'vitest';
import { deliverySourceIps } from '../../src/client/areas/jobs/delivery.ts';
import { sourceIps } from '../docs/specificationNames.ts';

test('deliveries come from the addresses of the specification', () => {
  expect(deliverySourceIps).toEqual(sourceIps);
});
