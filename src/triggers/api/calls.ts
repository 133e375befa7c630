/** The methods of a `TriggersClient`, each an operation of the table, on a server or on a store. */
import { ProblemError } from '../../base/diagnostics/problem.ts';
import type { CallOptions } from '../../client/transport/transport.ts';
import type { OperationAnswer, OperationName, RequestParts } from './operations.ts';
import type { TriggersClient } from './triggersClient.ts';

/** Carries out one operation: over HTTP, or on the store. */
export type SendOperation = <Name extends OperationName>(
  name: Name,
  parts: RequestParts<Name>,
  options?: CallOptions,
) => Promise<OperationAnswer<Name>>;

export function callsBy(send: SendOperation): Omit<TriggersClient, 'url' | 'version' | 'close'> {
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
    owners: (options) => send('listOwners', {}, options),
    records: (owner, options) => send('getOwner', { params: { owner } }, options),
    putDelivery: (owner, name, body, options) => send('putDelivery', { params: { owner, name }, body }, options),
    putSchedule: (owner, name, body, options) => send('putSchedule', { params: { owner, name }, body }, options),
    deleteDelivery: (owner, name, options) => remove('deleteDelivery', { owner, name }, options),
    deleteSchedule: (owner, name, options) => remove('deleteSchedule', { owner, name }, options),
    schedules: (query = {}, options) => send('listSchedules', { query }, options),
    setPaused: (owner, name, paused, options) =>
      send(paused ? 'pauseSchedule' : 'resumeSchedule', { params: { owner, name } }, options),
    runNow: (owner, name, options) => send('runSchedule', { params: { owner, name } }, options),
    runs: ({ states, ...query } = {}, options) =>
      send('listRuns', { query: { ...query, state: states?.join(',') } }, options),
    run: (id, options) => send('getRun', { params: { id } }, options),
    resolve: (id, body, options) => send('resolveRun', { params: { id }, body }, options),
    report: (query, options) => send('getReport', { query }, options),
    totals: (options) => send('getTotals', {}, options),
  };
}

type RecordParams = RequestParts<'deleteDelivery'>['params'];

/** A 404 for an unknown route is not one for an unknown record. */
function isUnknownRecord(error: unknown): boolean {
  if (!(error instanceof ProblemError)) return false;
  return error.problems.every(({ code }) => code === 'unknown-delivery' || code === 'unknown-schedule');
}
