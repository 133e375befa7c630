/** Deliveries and schedules in a Pulumi state: what a refresh makes of what is registered. */
import { expect, it } from 'vitest';
import type { Adapter } from '../../providers/runtime/adapter.ts';
import { check } from '../../providers/runtime/check.ts';
import { collectorScheduleAdapter } from '../../providers/runtime/registered.ts';
import { sealedHash } from '../../src/triggers/secrets/secrets.ts';
import { scheduleSpec } from '../../src/triggers/spec/scheduleSpec.ts';

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

it.each([
  12345678901234567000,
  -9007199254740992,
  Number.POSITIVE_INFINITY,
  Number.NaN,
])('a Pulumi program cannot declare the input %s, whose digits are not certain', async (id) => {
  const inputs = [{ url: 'https://shop.example.com/a' }, { nested: [{ id }] }];
  const news = { name: 'hourly', owner: 'acme', collector: 'c_prices', every: '1h', inputs };
  const { failures } = await check(collectorScheduleAdapter as Adapter<unknown, unknown>, {}, news);
  expect(failures).toEqual([
    { property: 'inputs[1].nested[0].id', reason: expect.stringContaining('cannot be kept exactly') },
  ]);
});
