/** What the HTTP API, the commands and the page stand on: everything that can be asked of the ledger and done to it by hand. */

import type {
  OwnerRecords,
  RegisteredDelivery,
  RegisteredSchedule,
  Resolution,
  Run,
  RunEvent,
  RunFilter,
  ScheduleFilter,
  Totals,
} from './model.ts';
import type { DeliverySpec } from './spec/deliverySpec.ts';
import type { ScheduleSpec } from './spec/scheduleSpec.ts';

/** All of it throws ProblemError for what can't be done (`unknown-schedule`, `unknown-run`, `run-not-unknown`, …). */
export interface Registry {
  /** The ledger's time. */
  now(): Promise<number>;
  owners(): Promise<string[]>;
  records(owner: string): Promise<OwnerRecords>;
  /** Creates or replaces. A schedule that names a delivery of the owner that is not registered is refused. */
  putDelivery(owner: string, name: string, spec: DeliverySpec): Promise<RegisteredDelivery>;
  putSchedule(owner: string, name: string, spec: ScheduleSpec): Promise<RegisteredSchedule>;
  /** False where there was none. A delivery that a schedule names is refused. */
  deleteDelivery(owner: string, name: string): Promise<boolean>;
  deleteSchedule(owner: string, name: string): Promise<boolean>;
  /** By owner, then name. */
  schedules(filter: ScheduleFilter): Promise<RegisteredSchedule[]>;
  setPaused(owner: string, name: string, paused: boolean): Promise<RegisteredSchedule>;
  /** A run for this moment, whatever the schedule says. */
  runNow(owner: string, name: string): Promise<Run>;
  /** Latest tick first. */
  runs(filter: RunFilter): Promise<Run[]>;
  run(id: string): Promise<{ run: Run; events: RunEvent[] }>;
  resolve(id: string, resolution: Resolution): Promise<Run>;
  totals(): Promise<Totals>;
}
