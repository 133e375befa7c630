/** The registrations of an owner as they were last listed. All resources of a run share one listing. */

import type { OwnerRecords, RegisteredDelivery, RegisteredSchedule } from '../../triggers/api/records.ts';
import type { TriggersClient } from '../../triggers/api/triggersClient.ts';
import type { LiveView, ViewType } from '../seam/views.ts';
import type { RegistrationCall } from './calls/registrationCall.ts';

interface RegisteredRecords {
  deliveries: ReadonlyMap<string, RegisteredDelivery>;
  schedules: ReadonlyMap<string, RegisteredSchedule>;
  /** The trigger service's time when they were listed. */
  now: number;
  /** False for a trigger service that refuses secrets, because it has no key. */
  encrypts: boolean;
}

export function recordsOf(
  record: RegistrationCall['record'],
  { deliveries, schedules }: Pick<RegisteredRecords, 'deliveries' | 'schedules'>,
): ReadonlyMap<string, RegisteredDelivery | RegisteredSchedule> {
  return record === 'delivery' ? deliveries : schedules;
}

export interface RegisteredView extends LiveView {
  /** A failed listing is not asked again for the next resource. @throws ServiceError */
  of(owner: string, signal?: AbortSignal): Promise<RegisteredRecords>;
  /** The deliveries after all expected calls, and the schedules that name each. @throws ServiceError */
  deliveriesOf(owner: string): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Changes `deliveriesOf` as if this call were sent. */
  expect(call: RegistrationCall): void;
  /** Stores the registration that a call resulted in. */
  took(call: RegistrationCall, registered: RegisteredDelivery | RegisteredSchedule | undefined): void;
}

export const registeredView: ViewType<RegisteredView> = {
  create: ({ triggers, signal }) => createRegisteredView(triggers, signal),
};

export function createRegisteredView(triggers: () => TriggersClient, signal?: AbortSignal): RegisteredView {
  const kept = new Map<string, Promise<RegisteredRecords>>();
  const expected: RegistrationCall[] = [];

  async function fetch(owner: string, signal: AbortSignal | undefined): Promise<RegisteredRecords> {
    const client = triggers();
    const [records, { now, encrypts = true }] = await Promise.all([
      client.records(owner, { signal }),
      client.totals({ signal }),
    ]);
    return { ...byName(records), now, encrypts };
  }

  function of(owner: string, until = signal): Promise<RegisteredRecords> {
    const known = kept.get(owner);
    if (known) return known;
    const asked = fetch(owner, until);
    kept.set(owner, asked);
    return asked;
  }

  return {
    of,
    async deliveriesOf(owner) {
      const calls = expected.filter((call) => call.owner === owner);
      return afterCalls(await of(owner), calls);
    },
    expect(call) {
      expected.push(call);
    },
    took(call, registered) {
      const records = kept.get(call.owner)?.then((known) => afterCall(known, call, registered));
      if (records) kept.set(call.owner, records);
    },
    forget: () => kept.clear(),
  };
}

function byName({ deliveries, schedules }: OwnerRecords): Pick<RegisteredRecords, 'deliveries' | 'schedules'> {
  return {
    deliveries: new Map(deliveries.map((delivery) => [delivery.name, delivery])),
    schedules: new Map(schedules.map((schedule) => [schedule.name, schedule])),
  };
}

function afterCall(
  records: RegisteredRecords,
  { record, name }: RegistrationCall,
  registered: RegisteredDelivery | RegisteredSchedule | undefined,
): RegisteredRecords {
  const { deliveries, schedules } = records;
  if (record === 'delivery')
    return { ...records, deliveries: withOne(deliveries, name, registered as RegisteredDelivery | undefined) };
  return { ...records, schedules: withOne(schedules, name, registered as RegisteredSchedule | undefined) };
}

function withOne<Value>(map: ReadonlyMap<string, Value>, name: string, value: Value | undefined): Map<string, Value> {
  const after = new Map(map);
  if (value === undefined) after.delete(name);
  else after.set(name, value);
  return after;
}

function afterCalls(
  { deliveries, schedules }: RegisteredRecords,
  calls: readonly RegistrationCall[],
): Map<string, string[]> {
  const names = new Set(deliveries.keys());
  const uses = new Map([...schedules].map(([name, { spec }]) => [name, deliveryNamedBy(spec)]));
  for (const call of calls) {
    if (call.record === 'delivery') {
      if (call.type === 'register') names.add(call.name);
      else names.delete(call.name);
    } else if (call.type === 'register') uses.set(call.name, call.delivery);
    else uses.delete(call.name);
  }
  const users = Map.groupBy(uses, ([, used]) => used);
  return new Map([...names].map((name) => [name, (users.get(name) ?? []).map(([by]) => by)]));
}

/** Returns the name of a delivery. Undefined if the delivery is written in the schedule itself, or if there is none. */
export function deliveryNamedBy({ delivery }: { delivery?: unknown }): string | undefined {
  return typeof delivery === 'string' ? delivery : undefined;
}
