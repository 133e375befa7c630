/** The methods of a `TriggersClient`, each an operation of the table, on a server or on a store. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import type { CallOptions } from '../../client/transport/transport.ts';
import type { DeliverySpec } from '../declared/deliverySpec.ts';
import type { ScheduleSpec } from '../declared/scheduleSpec.ts';
import type { Operation, OperationAnswer, OperationName, RequestParts } from './operations.ts';
import type { ScheduleFilter } from './records.ts';
import type { ReportFilter } from './report.ts';
import type { Resolution, RunFilter } from './runs.ts';

/** Carries out one operation: over HTTP, or on the store. */
export type SendOperation = <Name extends OperationName>(
  name: Name,
  parts: RequestParts<Name>,
  options?: CallOptions,
) => Promise<OperationAnswer<Name>>;

/** The parts of any request, without the types of its operation. */
export interface Parts {
  params?: Readonly<Record<string, string>>;
  query?: Query;
  body?: unknown;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns the values of a query as they are in a URL. */
export function textsOf(query: Query): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** Loads the table with the first call: it has schemas of everything, and most commands make no call. */
export async function operationOf(name: OperationName): Promise<Operation> {
  const { operations } = await import('./operations.ts');
  return operations[name];
}

export function callsBy(send: SendOperation) {
  /** Returns false if it did not exist. */
  async function remove(name: 'deleteDelivery' | 'deleteSchedule', params: RecordParams, options?: CallOptions) {
    try {
      await send(name, { params }, options);
      return true;
    } catch (error) {
      if (isUnknownRecord(error)) return false;
      throw error;
    }
  }
  return {
    owners: (options?: CallOptions) => send('listOwners', {}, options),
    records: (owner: string, options?: CallOptions) => send('getOwner', { params: { owner } }, options),
    putDelivery: (owner: string, name: string, body: DeliverySpec, options?: CallOptions) =>
      send('putDelivery', { params: { owner, name }, body }, options),
    putSchedule: (owner: string, name: string, body: ScheduleSpec, options?: CallOptions) =>
      send('putSchedule', { params: { owner, name }, body }, options),
    deleteDelivery: (owner: string, name: string, options?: CallOptions) =>
      remove('deleteDelivery', { owner, name }, options),
    deleteSchedule: (owner: string, name: string, options?: CallOptions) =>
      remove('deleteSchedule', { owner, name }, options),
    schedules: (query: ScheduleFilter = {}, options?: CallOptions) => send('listSchedules', { query }, options),
    setPaused: (owner: string, name: string, paused: boolean, options?: CallOptions) =>
      send(paused ? 'pauseSchedule' : 'resumeSchedule', { params: { owner, name } }, options),
    /** Makes a run now, which is billed. */
    runNow: (owner: string, name: string, options?: CallOptions) =>
      send('runSchedule', { params: { owner, name } }, options),
    runs: ({ states, ...query }: RunFilter = {}, options?: CallOptions) =>
      send('listRuns', { query: { ...query, state: states?.join(',') } }, options),
    run: (id: string, options?: CallOptions) => send('getRun', { params: { id } }, options),
    resolve: (id: string, body: Resolution, options?: CallOptions) =>
      send('resolveRun', { params: { id }, body }, options),
    report: (query: Partial<ReportFilter>, options?: CallOptions) => send('getReport', { query }, options),
    totals: (options?: CallOptions) => send('getTotals', {}, options),
  };
}

type RecordParams = RequestParts<'deleteDelivery'>['params'];

/** A 404 for an unknown route is not one for an unknown record. */
function isUnknownRecord(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  return error.problems.every(({ code }) => code === 'unknown-delivery' || code === 'unknown-schedule');
}
