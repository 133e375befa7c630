/** Serves the operations of the API from the ledger. */
import type { FastifyInstance } from 'fastify';
import { type OperationHandlers, type OperationName, operations, type ParsedParts } from '../api/operations.ts';
import { scheduleBodyMb } from './answers.ts';
import { routeSchema } from './routeSchema.ts';

export function apiRoutes(scope: FastifyInstance, handlers: OperationHandlers): void {
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
