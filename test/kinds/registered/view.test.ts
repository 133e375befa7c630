/** The registrations of an owner as one run sees them: listed once, with the calls that it expects and made. */
import { describe, expect, it } from 'vitest';
import type { RegistrationCall } from '../../../src/kinds/registered/calls/registrationCall.ts';
import { createRegisteredView, deliveryNamedBy, recordsOf } from '../../../src/kinds/registered/view.ts';
import type { RegisteredDelivery, RegisteredSchedule } from '../../../src/triggers/api/records.ts';
import type { TriggersClient } from '../../../src/triggers/api/triggersClient.ts';

const delivery = (name: string, more: object = {}) => ({ name, spec: {}, ...more }) as unknown as RegisteredDelivery;
const schedule = (name: string, used?: unknown) =>
  ({ name, spec: { delivery: used } }) as unknown as RegisteredSchedule;

const call = (type: 'register' | 'unregister', record: 'delivery' | 'schedule', name: string, more: object = {}) =>
  ({ type, record, owner: 'acme', name, triggers: 't', ...more }) as RegistrationCall;

function viewOf(fails: { times: number } = { times: 0 }) {
  const asked: string[] = [];
  const records = {
    deliveries: [delivery('results'), delivery('unused')],
    schedules: [
      schedule('a', 'results'),
      schedule('b', 'results'),
      schedule('own', { endpoint: 'x' }),
      schedule('none'),
    ],
  };
  const client = {
    records: async (owner: string) => {
      asked.push(owner);
      if (fails.times-- > 0) throw new Error('no answer');
      return records;
    },
    totals: async () => ({ now: 42 }),
  } as unknown as TriggersClient;
  return { view: createRegisteredView(() => client), asked };
}

describe('the registrations of an owner', () => {
  it('are read once, until they are forgotten', async () => {
    const { view, asked } = viewOf();
    const [first] = await Promise.all([view.of('acme'), view.of('acme'), view.of('shop')]);
    expect(first.now).toBe(42);
    expect([...recordsOf('delivery', first).keys()]).toEqual(['results', 'unused']);
    expect([...recordsOf('schedule', first).keys()]).toEqual(['a', 'b', 'own', 'none']);
    expect(asked).toEqual(['acme', 'shop']);
    view.forget();
    await view.of('acme');
    expect(asked).toEqual(['acme', 'shop', 'acme']);
  });

  it('are not read again for the next resource after a failure, but after a call', async () => {
    const { view, asked } = viewOf({ times: 1 });
    await expect(view.of('acme')).rejects.toThrow('no answer');
    await expect(view.of('acme')).rejects.toThrow('no answer');
    expect(asked).toHaveLength(1);
    view.forget();
    expect((await view.of('acme')).now).toBe(42);
    expect(asked).toHaveLength(2);
  });

  it('are as the calls have left them', async () => {
    const { view, asked } = viewOf();
    // Of an owner that was not read yet, the next read shows the call.
    view.took(call('register', 'delivery', 'early'), delivery('early'));
    await view.of('acme');
    view.took(call('register', 'delivery', 'results'), delivery('results', { changedAt: 7 }));
    view.took(call('register', 'schedule', 'new'), schedule('new'));
    view.took(call('unregister', 'delivery', 'unused'), undefined);
    view.took(call('unregister', 'schedule', 'a'), undefined);
    const { deliveries, schedules } = await view.of('acme');
    expect([...deliveries.keys()]).toEqual(['results']);
    expect(deliveries.get('results')?.changedAt).toBe(7);
    expect([...schedules.keys()]).toEqual(['b', 'own', 'none', 'new']);
    expect(asked).toEqual(['acme']);
  });
});

describe('the deliveries after all expected calls', () => {
  it('have the schedules that name them', async () => {
    const { view } = viewOf();
    expect([...(await view.deliveriesOf('acme'))]).toEqual([
      ['results', ['a', 'b']],
      ['unused', []],
    ]);
    view.expect(call('register', 'delivery', 'more'));
    view.expect(call('unregister', 'delivery', 'unused'));
    view.expect(call('register', 'schedule', 'a', { delivery: 'more' }));
    view.expect(call('unregister', 'schedule', 'b'));
    view.expect(call('register', 'schedule', 'c', { delivery: 'results', owner: 'shop' }));
    expect([...(await view.deliveriesOf('acme'))]).toEqual([
      ['results', []],
      ['more', ['a']],
    ]);
    // Only the listing itself is what is registered.
    expect([...(await view.of('acme')).deliveries.keys()]).toEqual(['results', 'unused']);
  });

  it('are named, not written in the schedule', () => {
    expect(deliveryNamedBy({ delivery: 'results' })).toBe('results');
    expect(deliveryNamedBy({ delivery: { endpoint: 'x' } })).toBeUndefined();
    expect(deliveryNamedBy({})).toBeUndefined();
  });
});
