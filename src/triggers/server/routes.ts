/** Serves the operations of the API from the ledger. */
import type { FastifyInstance } from 'fastify';
import { type OperationAnswer, type OperationName, operations, type ParsedParts } from '../api/operations.ts';
import type { ScheduleRegistry } from '../ledger/scheduleRegistry.ts';
import { notFound, scheduleBodyMb } from './answers.ts';
import { routeSchema } from './routeSchema.ts';

export function apiRoutes(scope: FastifyInstance, registry: ScheduleRegistry): void {
  const handlers = handlersOf(registry);
  const serve = <Name extends OperationName>(name: Name) => {
    const { method, path } = operations[name];
    scope.route({
      ...(name === 'putSchedule' ? large : {}),
      method,
      url: path,
      schema: routeSchema(name),
      handler: async (request, reply) => {
        // Fastify has validated the request by the schemas of this operation.
        const answer = await handlers[name](request as unknown as ParsedParts<Name>);
        return answer === undefined ? reply.code(204).send() : answer;
      },
    });
  };
  for (const name of Object.keys(operations) as OperationName[]) serve(name);
}

/** Limits for a schedule, which contains its inputs. */
const large = { bodyLimit: scheduleBodyMb * 2 ** 20, handlerTimeout: 120_000 };

type Handlers = { [Name in OperationName]: (request: ParsedParts<Name>) => Promise<OperationAnswer<Name>> };

function handlersOf(registry: ScheduleRegistry): Handlers {
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
    runSchedule: ({ params: { owner, name } }) => registry.runNow(owner, name),
    listRuns: ({ query: { state: states, ...filter } }) => registry.runs({ ...filter, states }),
    getRun: ({ params }) => registry.run(params.id),
    resolveRun: ({ params, body }) => registry.resolve(params.id, body),
    getTotals: () => registry.totals(),
  };
}
