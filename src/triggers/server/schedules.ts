/** The schedules of all owners, and what a person does to one by hand. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Registry } from '../registry.ts';
import { answers, refusals, typed } from './route.ts';
import { recordParams, registeredSchedule, run, scheduleQuery } from './schemas.ts';

export function scheduleRoutes(scope: FastifyInstance, registry: Registry): void {
  list(scope, registry);
  pause(scope, registry, true);
  pause(scope, registry, false);
  runNow(scope, registry);
}

function list(scope: FastifyInstance, registry: Registry): void {
  typed(scope).get(
    '/schedules',
    {
      schema: {
        operationId: 'listSchedules',
        summary: 'The schedules of all owners, page by page',
        tags: ['schedules'],
        querystring: scheduleQuery,
        response: { 200: answers('By owner, then by name.', z.array(registeredSchedule)), ...refusals(400) },
      },
    },
    async ({ query: { brief, ...filter } }) => {
      return registry.schedules({ ...filter, brief: brief === 'true' });
    },
  );
}

function pause(scope: FastifyInstance, registry: Registry, paused: boolean): void {
  const action = paused ? 'pause' : 'resume';
  typed(scope).post(
    `/owners/:owner/schedules/:name/${action}`,
    {
      schema: {
        operationId: `${action}Schedule`,
        summary: paused
          ? 'Lets a schedule make no more runs until it is resumed'
          : 'Lets a paused schedule go on, from the next tick after now',
        tags: ['schedules'],
        params: recordParams,
        response: { 200: answers('As it is registered now.', registeredSchedule), ...refusals(400, 404) },
      },
    },
    ({ params }) => registry.setPaused(params.owner, params.name, paused),
  );
}

function runNow(scope: FastifyInstance, registry: Registry): void {
  typed(scope).post(
    '/owners/:owner/schedules/:name/run',
    {
      schema: {
        operationId: 'runSchedule',
        summary: 'Makes a run for this moment, whatever the schedule says',
        description: 'It is triggered, and billed, beside the runs of the ticks.',
        tags: ['schedules'],
        params: recordParams,
        response: { 200: answers('The run.', run), ...refusals(400, 404) },
      },
    },
    ({ params }) => registry.runNow(params.owner, params.name),
  );
}
