/** Routes that list scheduled runs and resolve unknown ones. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Registry } from '../registry.ts';
import { answers, refusals, typed } from './route.ts';
import { resolution, runDetails, runParams, runQuery, runSchema, totalsSchema } from './schemas.ts';

export function runRoutes(scope: FastifyInstance, registry: Registry): void {
  list(scope, registry);
  details(scope, registry);
  resolve(scope, registry);
  sums(scope, registry);
}

function list(scope: FastifyInstance, registry: Registry): void {
  typed(scope).get(
    '/runs',
    {
      schema: {
        operationId: 'listRuns',
        summary: 'List runs, latest tick first',
        tags: ['runs'],
        querystring: runQuery,
        response: { 200: answers('The runs.', z.array(runSchema)), ...refusals(400, 404) },
      },
    },
    ({ query: { state: states, ...filter } }) => registry.runs({ ...filter, states }),
  );
}

function details(scope: FastifyInstance, registry: Registry): void {
  typed(scope).get(
    '/runs/:id',
    {
      schema: {
        operationId: 'getRun',
        summary: 'Get a run and its events',
        tags: ['runs'],
        params: runParams,
        response: { 200: answers('The run and its events.', runDetails), ...refusals(400, 404) },
      },
    },
    ({ params }) => registry.run(params.id),
  );
}

function resolve(scope: FastifyInstance, registry: Registry): void {
  typed(scope).post(
    '/runs/:id/resolve',
    {
      schema: {
        operationId: 'resolveRun',
        summary: 'Resolve an unknown run',
        tags: ['runs'],
        params: runParams,
        body: resolution,
        response: { 200: answers('The changed run.', runSchema), ...refusals(400, 404, 409, 413, 415, 422) },
      },
    },
    ({ params, body }) => registry.resolve(params.id, body),
  );
}

function sums(scope: FastifyInstance, registry: Registry): void {
  typed(scope).get(
    '/totals',
    {
      schema: {
        operationId: 'getTotals',
        summary: 'Count schedules, deliveries and runs',
        tags: ['runs'],
        response: { 200: answers('The totals.', totalsSchema), ...refusals() },
      },
    },
    async () => ({ ...(await registry.totals()), now: await registry.now() }),
  );
}
