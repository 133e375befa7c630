/** Deliveries and schedules in a Pulumi state: what a refresh makes of what is registered. */
import { expect, it } from 'vitest';
import { collectorScheduleAdapter } from '../../providers/runtime/registered.ts';
import { scheduleSpec } from '../../src/triggers/scheduleSpec.ts';
import { sealedHash } from '../../src/triggers/secrets.ts';

it('a refresh shows inputs as they are registered, also those that look like sealed secrets, and no secret', () => {
  const declared = { collector: 'c_prices', every: '1h', inputs: [{ url: 'https://shop.example.com/a' }] };
  const delivery = { endpoint: 'https://hooks.example.com/', authorization: sealedHash('canary') };
  const inputs = [{ url: 'https://shop.example.com/a', page: sealedHash('data') }];
  const live = collectorScheduleAdapter.asLive({
    declared: { name: 'hourly', owner: 'acme', ...declared },
    state: {
      triggers: 'http://127.0.0.1:22997',
      record: 'schedule',
      owner: 'acme',
      name: 'hourly',
      declared: { spec: scheduleSpec.parse(declared) },
      registered: { ...scheduleSpec.parse(declared), inputs, delivery },
    },
  });
  const { endpoint } = delivery;
  const shown = { endpoint, authorization: '(another secret)' };
  expect(live).toEqual({ name: 'hourly', owner: 'acme', ...declared, inputs, delivery: shown });
});
