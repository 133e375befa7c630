/** A copy of the registrations of a trigger service, in memory. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import { ServiceError } from '../../client/errors.ts';
import type { RegisteredDelivery, RegisteredSchedule } from '../../triggers/api/records.ts';
import { deliveryInUse, unknownDelivery } from '../../triggers/api/refusals.ts';
import type { TriggersClient } from '../../triggers/api/triggersClient.ts';
import type { DeliverySpec } from '../../triggers/declared/deliverySpec.ts';
import { type ScheduleSpec, timingOf } from '../../triggers/declared/scheduleSpec.ts';
import { sealedSpec } from '../../triggers/declared/specDigest.ts';
import { nextTick } from '../../triggers/timing/timing.ts';
import { type FailureKind, simulatedRefusal } from './failures.ts';

interface Records {
  deliveries: Map<string, RegisteredDelivery>;
  schedules: Map<string, RegisteredSchedule>;
}

interface CopiedTriggers {
  /** @throws ProblemError if no trigger service is configured */
  client(): TriggersClient;
  size(): { deliveries: number; schedules: number };
  failNext(how: FailureKind | undefined): void;
}

/** Reads the registrations of an owner when they are first asked for. Only the calls of an apply write to the copy. */
export function copyTriggers(realOf: () => TriggersClient): CopiedTriggers {
  const owners = new Map<string, Promise<Records>>();
  const known: Records[] = [];
  let failure: FailureKind | undefined;

  async function copyOf(owner: string): Promise<Records> {
    const { deliveries, schedules } = await realOf().records(owner);
    const records = { deliveries: byName(deliveries), schedules: byName(schedules) };
    known.push(records);
    return records;
  }

  function recordsOf(owner: string): Promise<Records> {
    const records = owners.get(owner) ?? copyOf(owner);
    owners.set(owner, records);
    records.catch(() => owners.delete(owner));
    return records;
  }

  async function write<Result>(owner: string, change: (records: Records, now: number) => Result): Promise<Result> {
    const failing = failure;
    failure = undefined;
    if (failing === 'refused') throw new ProblemError([{ code: 'refused', found: simulatedRefusal }]);
    const { now } = await realOf().totals();
    const result = change(await recordsOf(owner), now);
    if (failing === 'lost-answer') throw lostAnswer(realOf().url);
    return result;
  }

  const copy = (real: TriggersClient): TriggersClient => ({
    ...real,
    async records(owner) {
      const { deliveries, schedules } = await recordsOf(owner);
      return { deliveries: [...deliveries.values()], schedules: [...schedules.values()] };
    },
    putDelivery: (owner, name, spec) =>
      write(owner, (records, now) => putDelivery(records, { owner, name, spec, now })),
    putSchedule: (owner, name, spec) =>
      write(owner, (records, now) => putSchedule(records, { owner, name, spec, now })),
    deleteDelivery: (owner, name) => write(owner, (records) => deleteDelivery(records, name)),
    deleteSchedule: (owner, name) => write(owner, ({ schedules }) => schedules.delete(name)),
    setPaused: notCopied,
    runNow: notCopied,
    resolve: notCopied,
    async close() {},
  });
  return {
    client: () => copy(realOf()),
    size: () => ({ deliveries: sum(known, 'deliveries'), schedules: sum(known, 'schedules') }),
    failNext(how) {
      failure = how;
    },
  };
}

/** No plan sends these. */
async function notCopied(): Promise<never> {
  throw new TypeError('a copy of the trigger service only registers');
}

interface Put<Spec> {
  owner: string;
  name: string;
  spec: Spec;
  now: number;
}

function putDelivery({ deliveries }: Records, { owner, name, spec, now }: Put<DeliverySpec>): RegisteredDelivery {
  const registered = { owner, name, spec: sealedSpec(spec), changedAt: now };
  deliveries.set(name, registered);
  return registered;
}

function putSchedule(records: Records, { owner, name, spec, now }: Put<ScheduleSpec>): RegisteredSchedule {
  const { delivery, paused } = spec;
  if (typeof delivery === 'string' && !records.deliveries.has(delivery)) {
    throw new ProblemError([unknownDelivery(delivery, [...records.deliveries.values()])]);
  }
  const registered = {
    owner,
    name,
    spec: sealedSpec(spec),
    changedAt: now,
    nextTickAt: paused ? null : (nextTick(timingOf(spec), now) ?? null),
    lastRun: records.schedules.get(name)?.lastRun ?? null,
  };
  records.schedules.set(name, registered);
  return registered;
}

function deleteDelivery({ deliveries, schedules }: Records, name: string): boolean {
  const users = [...schedules.values()].filter(({ spec }) => spec.delivery === name);
  if (users.length > 0) throw new ProblemError([deliveryInUse(name, users)]);
  return deliveries.delete(name);
}

function lostAnswer(url: string): ServiceError {
  return new ServiceError('PUT: the connection was lost before the answer', {
    code: 'connection-lost',
    request: { method: 'PUT', url },
    fix: 'Run it again.',
    effect: 'unknown',
    transient: false,
  });
}

function byName<Registered extends { name: string }>(records: readonly Registered[]): Map<string, Registered> {
  return new Map(records.map((record) => [record.name, record]));
}

function sum(known: readonly Records[], what: keyof Records): number {
  return known.reduce((total, records) => total + records[what].size, 0);
}
