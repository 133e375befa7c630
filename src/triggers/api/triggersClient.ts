/** The operations of the trigger service, as the commands and the kinds call them. */
import type { CallOptions } from '../../client/transport/transport.ts';
import type { DeliverySpec } from '../declared/deliverySpec.ts';
import type { ScheduleSpec } from '../declared/scheduleSpec.ts';
import type { OwnerRecords, RegisteredDelivery, RegisteredSchedule, ScheduleFilter } from './records.ts';
import type { ReportFilter, SchedulesReport } from './report.ts';
import type { Resolution, RunDetails, RunFilter, ScheduledRun, Totals } from './runs.ts';

/** Throws ProblemError with the service's own problems for refused requests, otherwise ServiceError. */
export interface TriggersClient {
  /** The base URL of the trigger service. */
  readonly url: string;
  owners(options?: CallOptions): Promise<string[]>;
  records(owner: string, options?: CallOptions): Promise<OwnerRecords>;
  putDelivery(owner: string, name: string, spec: DeliverySpec, options?: CallOptions): Promise<RegisteredDelivery>;
  putSchedule(owner: string, name: string, spec: ScheduleSpec, options?: CallOptions): Promise<RegisteredSchedule>;
  /** Returns false if it did not exist. */
  deleteDelivery(owner: string, name: string, options?: CallOptions): Promise<boolean>;
  deleteSchedule(owner: string, name: string, options?: CallOptions): Promise<boolean>;
  schedules(filter?: ScheduleFilter, options?: CallOptions): Promise<RegisteredSchedule[]>;
  setPaused(owner: string, name: string, paused: boolean, options?: CallOptions): Promise<RegisteredSchedule>;
  /** Makes a run now, which is billed. */
  runNow(owner: string, name: string, options?: CallOptions): Promise<ScheduledRun>;
  runs(filter?: RunFilter, options?: CallOptions): Promise<ScheduledRun[]>;
  run(id: string, options?: CallOptions): Promise<RunDetails>;
  resolve(id: string, resolution: Resolution, options?: CallOptions): Promise<ScheduledRun>;
  report(filter: Partial<ReportFilter>, options?: CallOptions): Promise<SchedulesReport>;
  totals(options?: CallOptions): Promise<Totals>;
  /** Returns the version of the trigger service. */
  version(options?: CallOptions): Promise<string>;
  close(): Promise<void>;
}
