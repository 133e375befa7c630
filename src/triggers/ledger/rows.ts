/** Converts rows of the ledger to answers of the trigger service. */

import type { RegisteredDelivery, RegisteredSchedule } from '../api/records.ts';
import type { RunEvent, RunState, ScheduledRun } from '../api/runs.ts';
import type { DeliverySpec } from '../declared/deliverySpec.ts';
import type { ScheduleSpec } from '../declared/scheduleSpec.ts';
import { hideSecrets } from '../secrets/secrets.ts';

export interface RunRow {
  id: string;
  schedule_id: string;
  owner: string;
  schedule: string;
  target: string;
  tick_at: number;
  origin: 'tick' | 'hand';
  state: RunState;
  reason: string | null;
  attempts: number;
  token: string | null;
  collection_id: string | null;
  triggered_at: number | null;
  ended_at: number | null;
  row_count: number | null;
  /** `Keep` as JSON, as the schedule had it when the run was claimed. */
  keep: string | null;
  kept: string | null;
  delivered_at: number | null;
  late_after: number;
  late: number;
  /** The time of the first failed preparation since the last request. */
  unprepared_at: number | null;
  /** When to give up waiting for the result; null before the job is accepted. */
  give_up_at: number | null;
  /** 1 if the service did not know the job at the last poll. */
  missing: number;
}

/**
 * The state of a run in conditions of statements that find the run by its id. No index has this expression: with an index of states,
 * PostgreSQL may look for the run among all runs of a state.
 */
export const unindexedState = `runs.state || ''`;

export interface ScheduleRow {
  id: string;
  owner: string;
  name: string;
  target: string;
  spec: string;
  paused: number;
  changed_at: number;
  /** When the schedule was made, last resumed, or last given another timing. It has no ticks before this time. */
  since_at: number;
  cursor_at: number;
  next_at: number | null;
}

/** A row whose spec has no inputs, which may be large: for queries of many rows. */
export const briefColumns =
  'id, owner, name, target, brief AS spec, paused, changed_at, since_at, cursor_at, next_at, late_after, overlap';

export interface DeliveryRow {
  owner: string;
  name: string;
  spec: string;
  changed_at: number;
}

export interface EventRow {
  id: number;
  run_id: string;
  at: number;
  state: RunState;
  text: string;
}

export function runOf(row: RunRow): ScheduledRun {
  return {
    id: row.id,
    owner: row.owner,
    schedule: row.schedule,
    target: row.target,
    tickAt: row.tick_at,
    origin: row.origin,
    state: row.state,
    reason: row.reason,
    attempts: row.attempts,
    collectionId: row.collection_id,
    triggeredAt: row.triggered_at,
    endedAt: row.ended_at,
    rows: row.row_count,
    kept: row.kept,
    deliveredAt: row.delivered_at,
    late: row.late === 1,
  };
}

export function eventOf({ id, run_id, at, state, text }: EventRow): RunEvent {
  return { id, runId: run_id, at, state, text };
}

export function deliveryOf({ owner, name, spec, changed_at }: DeliveryRow): RegisteredDelivery {
  return { owner, name, spec: hideSecrets<DeliverySpec>(JSON.parse(spec)), changedAt: changed_at };
}

export function scheduleOf(
  row: ScheduleRow,
  { lastRun, unresolved }: Pick<RegisteredSchedule, 'lastRun' | 'unresolved'>,
): RegisteredSchedule {
  const { owner, name, spec, changed_at, next_at, paused } = row;
  return {
    owner,
    name,
    spec: hideSecrets<ScheduleSpec>(JSON.parse(spec)),
    changedAt: changed_at,
    pausedBy: pausedBy(paused),
    nextTickAt: paused === 0 ? next_at : null,
    lastRun,
    unresolved,
  };
}

/** The values of the column `paused` other than 0, by who paused the schedule. */
export const pausedAs = { declaration: 1, hand: 2 } as const;

function pausedBy(paused: number): RegisteredSchedule['pausedBy'] {
  if (paused === 0) return null;
  return paused === pausedAs.hand ? 'hand' : 'declaration';
}
