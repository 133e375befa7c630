/** The schemas of routes, which validate requests and make the OpenAPI document. */
import type { FastifySchema } from 'fastify';
import { type ZodType, z } from 'zod';
import { type Operation, type OperationName, operations } from '../api/operations.ts';
import { problems } from '../api/problems.ts';
import { operationTexts } from './operationTexts.ts';

export function routeSchema(operationId: OperationName): FastifySchema {
  const { params, query, body, headers, answer }: Operation = operations[operationId];
  const { tag, summary, description, answer: meaning = '', refusals: refused = [] } = operationTexts[operationId];
  return {
    operationId,
    summary,
    tags: [tag],
    description,
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(headers && { headers }),
    response: {
      ...(answer ? { 200: answers(meaning, answer) } : { 204: z.undefined().describe('Deleted.') }),
      ...(params || query || headers ? refusals(400) : {}),
      ...(body ? refusals(413, 415, 422) : {}),
      ...refusals(...refused),
    },
  };
}

export function answers<Schema extends ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } };
}

/** Returns the error answers of a route: those that every route has, and those of this one. */
export function refusals(...statuses: (keyof typeof meanings)[]) {
  const all = [401, 403, 414, 421, ...statuses, 500, 503] as const;
  return Object.fromEntries(all.map((status) => [status, answers(meanings[status], problems)]));
}

const meanings = {
  400: 'The query or the path is not valid.',
  401: 'The token is missing or wrong.',
  403: 'A page of another site sent the request.',
  404: 'The record, run or route does not exist.',
  409: 'The current state of the ledger does not allow this.',
  413: 'The body is too large.',
  414: 'The owner, the name or the id is too long.',
  415: 'The body is not JSON.',
  421: 'The request is for another host, and the service listens on loopback (--allow-host).',
  422: 'The body is not valid; `path` names the field.',
  500: 'The trigger service failed.',
  503: 'The store does not answer, or cannot be written.',
};
