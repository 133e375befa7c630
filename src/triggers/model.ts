/** What the trigger service keeps and answers: registered deliveries and schedules, and the runs that it made of them. */
import type { DeliverySpec } from './spec/deliverySpec.ts';
import type { ScheduleSpec } from './spec/scheduleSpec.ts';

/** A literal secret, as it is shown: whoever knows the value can tell whether it is this one (`secrets.ts`). */
export interface SealedSecret {
  sealed: { salt: string; hash: string };
}

/** A spec in which every literal secret was replaced. */
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
  /** Milliseconds since the epoch, by the ledger's clock, as all times of the trigger service. */
  changedAt: number;
}

export type RegisteredDelivery = Registered<DeliverySpec>;

export interface RegisteredSchedule extends Registered<ScheduleSpec> {
  /** Null while it is paused, or where no tick is left. */
  nextTickAt: number | null;
  lastRun: Run | null;
}

/** Everything that is registered for one owner. */
export interface OwnerRecords {
  deliveries: RegisteredDelivery[];
  schedules: RegisteredSchedule[];
}

/**
 * `waiting` for its turn; `triggering` while its request is under way; `running` once the service has accepted it. Then one of the
 * ends: `finished`; `failed`, as the service refused it or nothing could be sent; `expired` before its rows were seen; `given-up`, as
 * there was no result within `giveUpAfter`; `cancelled` by a later run; `skipped` before anything was sent; `lost`, as a person said of an unknown one. `unknown` is a run whose answer
 * was lost: nobody sends it again but a person.
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

/** What an alert may report of a run. */
export const alertReasons = ['failed', 'late', 'unknown', 'given-up'] as const;

export type AlertReason = (typeof alertReasons)[number];

export type RunState = (typeof runStates)[number];

export interface Run {
  /** `r_…`. */
  id: string;
  owner: string;
  /** The name of its schedule. */
  schedule: string;
  /** What is triggered: `c_…` or `gd_…`. */
  target: string;
  /** The tick it was made for, or when somebody asked for it. */
  tickAt: number;
  origin: 'tick' | 'hand';
  state: RunState;
  /** Why it is in this state, where that needs saying. */
  reason: string | null;
  /** How often a request was sent, or was about to be. */
  attempts: number;
  /** `j_…` or `s_…`. */
  collectionId: string | null;
  /** When the service accepted it. */
  triggeredAt: number | null;
  endedAt: number | null;
  rows: number | null;
  /** Whether it was triggered, or is still waiting, later than its schedule allows. */
  late: boolean;
}

export interface RunEvent {
  /** Grows with time. */
  id: number;
  runId: string;
  at: number;
  state: RunState;
  text: string;
}

/** What a person knows of an unknown run. */
export type Resolution = { as: 'triggered'; collectionId: string } | { as: 'lost' } | { as: 'resend' };

export interface RunFilter {
  owner?: string | undefined;
  schedule?: string | undefined;
  states?: readonly RunState[] | undefined;
  /** Only runs of ticks before this. */
  before?: number | undefined;
  /** Go on after the run of this id. */
  after?: string | undefined;
  /** At most 1000; 100 by default. */
  limit?: number | undefined;
}

export interface ScheduleFilter {
  owner?: string | undefined;
  /** Part of the name, the owner or the target. */
  text?: string | undefined;
  /** Go on after this `owner/name`. */
  after?: string | undefined;
  /** Without the inputs, which may be large. */
  brief?: boolean | undefined;
  /** At most 1000; 100 by default. */
  limit?: number | undefined;
}

export interface Totals {
  schedules: number;
  paused: number;
  deliveries: number;
  runs: Record<RunState, number>;
  /** Runs that wait longer than their schedule allows. */
  lateNow: number;
  /** The latest event: whoever remembers it knows whether something has changed. */
  lastEvent: number;
}
