/** Routes that list, pause, resume and run schedules. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Registry } from '../registry.ts';
import { answers, refusals, typed } from './route.ts';
import { recordParams, registeredScheduleSchema, runSchema, scheduleQuery } from './schemas.ts';

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
        summary: 'List the schedules of all owners, page by page',
        tags: ['schedules'],
        querystring: scheduleQuery,
        response: {
          200: answers('The schedules, sorted by owner and name.', z.array(registeredScheduleSchema)),
          ...refusals(400),
        },
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
          ? 'Pause a schedule until it is resumed'
          : 'Resume a paused schedule, from the next tick after now',
        tags: ['schedules'],
        params: recordParams,
        response: { 200: answers('The changed schedule.', registeredScheduleSchema), ...refusals(400, 404) },
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
        summary: 'Start a run now, independent of the ticks',
        description: 'The run is billed, in addition to the runs of the ticks.',
        tags: ['schedules'],
        params: recordParams,
        response: { 200: answers('The run.', runSchema), ...refusals(400, 404) },
      },
    },
    ({ params }) => registry.runNow(params.owner, params.name),
  );
}
