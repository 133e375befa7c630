/** The operations of the ledger that the HTTP API, the commands and the status page use. */

import type { DeliverySpec } from './declared/deliverySpec.ts';
import type { ScheduleSpec } from './declared/scheduleSpec.ts';
import type {
  OwnerRecords,
  RegisteredDelivery,
  RegisteredSchedule,
  Resolution,
  RunEvent,
  RunFilter,
  ScheduledRun,
  ScheduleFilter,
  Totals,
} from './model.ts';

/** Methods throw ProblemError for what cannot be done (`unknown-schedule`, `unknown-run`, `run-not-unknown`, …). */
export interface Registry {
  /** Writes to the store as a tick does. @throws StoreOutage if it cannot be written */
  probe(): Promise<void>;
  /** The ledger's time. */
  now(): Promise<number>;
  owners(): Promise<string[]>;
  records(owner: string): Promise<OwnerRecords>;
  /** Creates or replaces. Refuses a schedule that names a delivery which the owner has not registered. */
  putDelivery(owner: string, name: string, spec: DeliverySpec): Promise<RegisteredDelivery>;
  putSchedule(owner: string, name: string, spec: ScheduleSpec): Promise<RegisteredSchedule>;
  /** Returns false if it did not exist. Refuses to delete a delivery that a schedule names. */
  deleteDelivery(owner: string, name: string): Promise<boolean>;
  deleteSchedule(owner: string, name: string): Promise<boolean>;
  /** Sorted by owner, then by name. */
  schedules(filter: ScheduleFilter): Promise<RegisteredSchedule[]>;
  setPaused(owner: string, name: string, paused: boolean): Promise<RegisteredSchedule>;
  /** Makes a run now, independent of the schedule's ticks. */
  runNow(owner: string, name: string): Promise<ScheduledRun>;
  /** Latest tick first. */
  runs(filter: RunFilter): Promise<ScheduledRun[]>;
  run(id: string): Promise<{ run: ScheduledRun; events: RunEvent[] }>;
  resolve(id: string, resolution: Resolution): Promise<ScheduledRun>;
  totals(): Promise<Totals>;
}
