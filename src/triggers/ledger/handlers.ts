/** Answers the operations of the API from the ledger: for the server, and for commands that work on the store directly. */
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import type { OperationAnswer, OperationName, ParsedParts } from '../api/operations.ts';
import type { ScheduleRegistry } from './scheduleRegistry.ts';

export type OperationHandlers = {
  [Name in OperationName]: (request: ParsedParts<Name>) => Promise<OperationAnswer<Name>>;
};

/** Methods throw ProblemError. */
export function operationHandlers(registry: ScheduleRegistry): OperationHandlers {
  return {
    listOwners: () => registry.owners(),
    getOwner: ({ params }) => registry.records(params.owner),
    putDelivery: ({ params: { owner, name }, body }) => registry.putDelivery(owner, name, body),
    async deleteDelivery({ params: { owner, name } }) {
      if (!(await registry.deleteDelivery(owner, name))) throw notFound('delivery', owner, name);
    },
    putSchedule: ({ params: { owner, name }, body }) => registry.putSchedule(owner, name, body),
    async deleteSchedule({ params: { owner, name } }) {
      if (!(await registry.deleteSchedule(owner, name))) throw notFound('schedule', owner, name);
    },
    listSchedules: ({ query }) => registry.schedules(query),
    pauseSchedule: ({ params: { owner, name } }) => registry.setPaused(owner, name, true),
    resumeSchedule: ({ params: { owner, name } }) => registry.setPaused(owner, name, false),
    runSchedule: ({ params: { owner, name }, headers }) => registry.runNow(owner, name, headers['idempotency-key']),
    listRuns: ({ query: { state: states, ...filter } }) => registry.runs({ ...filter, states }),
    getRun: ({ params }) => registry.run(params.id),
    resolveRun: ({ params, body }) => registry.resolve(params.id, body),
    getReport: ({ query }) => registry.report(query),
    getTotals: () => registry.totals(),
  };
}

function notFound(what: 'delivery' | 'schedule', owner: string, name: string): ProblemError {
  const problem: Problem = {
    code: `unknown-${what}`,
    found: `${owner} has no ${what} ${name}`,
    fix: 'GET /v1/owners/OWNER lists what is registered',
  };
  return new ProblemError([problem]);
}
