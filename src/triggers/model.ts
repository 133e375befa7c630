/** The data of the trigger service: registered deliveries and schedules, and scheduled runs. */
import type { DeliverySpec } from './declared/deliverySpec.ts';
import type { ScheduleSpec } from './declared/scheduleSpec.ts';

/** A literal secret as the API shows it: users who know the value can verify it (`secrets.ts`). */
export interface SealedSecret {
  sealed: { salt: string; hash: string };
}

/** A spec with sealed literal secrets. */
export type Shown<Spec> = Spec extends string
  ? Spec | SealedSecret
  : Spec extends readonly (infer Item)[]
    ? Shown<Item>[]
    : Spec extends object
      ? { [Field in keyof Spec]: Shown<Spec[Field]> }
      : Spec;

export interface Registered<Spec> {
  owner: string;
  name: string;
  spec: Shown<Spec>;
  /** Milliseconds since the epoch, by the ledger's clock, as all times of the trigger service are. */
  changedAt: number;
}

export type RegisteredDelivery = Registered<DeliverySpec>;

export interface RegisteredSchedule extends Registered<ScheduleSpec> {
  /** Null while the schedule is paused, or if it has no further tick. */
  nextTickAt: number | null;
  lastRun: ScheduledRun | null;
}

/** All deliveries and schedules of one owner. */
export interface OwnerRecords {
  deliveries: RegisteredDelivery[];
  schedules: RegisteredSchedule[];
}

/**
 * The states of a scheduled run. `waiting`: for its turn. `triggering`: the request is sent or about to be. `running`: the service accepted
 * it. The end states: `finished`; `failed`: the service refused it, the job failed, or nothing could be sent; `expired`: its rows expired
 * before they were polled; `given-up`: no result within `giveUpAfter`; `cancelled` by a later run; `skipped` before anything was sent;
 * `lost`: a person declared an unknown run lost. `unknown`: the answer was lost; only a person may order the run again.
 */
export const runStates = [
  'waiting',
  'triggering',
  'running',
  'unknown',
  'finished',
  'failed',
  'expired',
  'given-up',
  'cancelled',
  'skipped',
  'lost',
] as const;

export type RunState = (typeof runStates)[number];

export interface ScheduledRun {
  /** `r_…`. */
  id: string;
  owner: string;
  /** The name of the schedule. */
  schedule: string;
  /** The collector (`c_…`) or dataset (`gd_…`) to trigger. */
  target: string;
  /** The time of the tick, or of the order by hand. */
  tickAt: number;
  origin: 'tick' | 'hand';
  state: RunState;
  /** Why the run is in this state, for states that need a reason. */
  reason: string | null;
  /** The number of requests that were sent or about to be sent. */
  attempts: number;
  /** The id of the job: `j_…` or `s_…`. */
  collectionId: string | null;
  /** The time at which the service accepted the request. */
  triggeredAt: number | null;
  endedAt: number | null;
  rows: number | null;
  /** True if it was triggered later than its schedule allows, or waits longer than that. */
  late: boolean;
}

export interface RunEvent {
  /** Increases with time. */
  id: number;
  runId: string;
  at: number;
  state: RunState;
  text: string;
}

/** The finding of a person about an unknown run. */
export type Resolution = { as: 'triggered'; collectionId: string } | { as: 'lost' } | { as: 'resend' };

export interface RunFilter {
  owner?: string | undefined;
  schedule?: string | undefined;
  states?: readonly RunState[] | undefined;
  /** Only runs of ticks before this time. */
  before?: number | undefined;
  /** Continues after the run with this id. */
  after?: string | undefined;
  /** At most 1000; 100 by default. */
  limit?: number | undefined;
}

export interface ScheduleFilter {
  owner?: string | undefined;
  /** Part of the name, the owner or the target. */
  text?: string | undefined;
  /** Continues after this `owner/name`. */
  after?: string | undefined;
  /** Leaves out the inputs, which may be large. */
  brief?: boolean | undefined;
  /** At most 1000; 100 by default. */
  limit?: number | undefined;
}

export interface Totals {
  schedules: number;
  paused: number;
  deliveries: number;
  runs: Record<RunState, number>;
  /** The number of runs that wait longer than their schedule allows. */
  lateNow: number;
  /** The id of the latest event. If it is unchanged, nothing has happened. */
  lastEvent: number;
}
