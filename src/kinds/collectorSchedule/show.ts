/** Schedules, for `webdata show`. */
import { type LiveObject, showing } from '../../features/show/capability.ts';
import type { RegisteredSchedule } from '../../triggers/api/records.ts';
import type { DeclaredScheduleSpec as Spec } from '../../triggers/declared/scheduleSpec.ts';
import { registeredView } from '../registered/view.ts';
import type { Context, LiveTarget } from '../seam/context.ts';
import { collectorSchedule } from './kind.ts';

showing.provide(collectorSchedule, { liveObjects: liveSchedules });

/** The declared schedules and all others that the owner has registered. Without a trigger service, none is live. */
async function liveSchedules({ owner, declared }: LiveTarget<Spec>, context: Context<Spec>): Promise<LiveObject[]> {
  if (owner === undefined) return [];
  const { schedules } = await context.view(registeredView).of(owner);
  return [...new Set([...declared.keys(), ...schedules.keys()])].map((name) => ({
    name,
    isDeclared: declared.has(name),
    facts: async () => scheduleFacts(schedules.get(name)),
  }));
}

function scheduleFacts(schedule: RegisteredSchedule | undefined): Record<string, unknown> {
  if (schedule === undefined) return { registered: false };
  const { spec, nextTickAt, lastRun } = schedule;
  const { collector, dataset, cron, every, timeZone, paused } = spec;
  const facts = {
    ...{ collector, dataset, cron, every, timeZone, paused },
    nextTick: nextTickAt === null ? null : new Date(nextTickAt).toISOString(),
    lastRun: lastRun === null ? null : lastRun.state,
    lastTick: lastRun === null ? null : new Date(lastRun.tickAt).toISOString(),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
