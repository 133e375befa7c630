/** Routes that list, register and delete the deliveries and schedules of an owner. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Registry } from '../registry.ts';
import { notFound, scheduleBodyMb } from './answers.ts';
import { answers, refusals, typed } from './route.ts';
import {
  deliveryBody,
  ownerParams,
  ownerRecords,
  recordParams,
  registeredDelivery,
  registeredScheduleSchema,
  scheduleBody,
} from './schemas.ts';

export function recordRoutes(scope: FastifyInstance, registry: Registry): void {
  owners(scope, registry);
  deliveries(scope, registry);
  schedules(scope, registry);
}

function owners(scope: FastifyInstance, registry: Registry): void {
  typed(scope).get(
    '/owners',
    {
      schema: {
        operationId: 'listOwners',
        summary: 'List owners with deliveries or schedules',
        tags: ['records'],
        response: {
          200: answers('The owners, sorted.', z.array(z.string()).meta({ examples: [['acme']] })),
          ...refusals(),
        },
      },
    },
    () => registry.owners(),
  );
  typed(scope).get(
    '/owners/:owner',
    {
      schema: {
        operationId: 'getOwner',
        summary: 'List the deliveries and schedules of an owner',
        tags: ['records'],
        params: ownerParams,
        response: { 200: answers('Both lists are empty for an unknown owner.', ownerRecords), ...refusals(400) },
      },
    },
    ({ params }) => registry.records(params.owner),
  );
}

function deliveries(scope: FastifyInstance, registry: Registry): void {
  typed(scope).put(
    '/owners/:owner/deliveries/:name',
    {
      schema: {
        operationId: 'putDelivery',
        summary: 'Register or replace a delivery',
        tags: ['records'],
        params: recordParams,
        body: deliveryBody,
        response: { 200: answers('As it is registered now.', registeredDelivery), ...refusals(400, 413, 415, 422) },
      },
    },
    ({ params, body }) => registry.putDelivery(params.owner, params.name, body),
  );
  typed(scope).delete(
    '/owners/:owner/deliveries/:name',
    {
      schema: {
        operationId: 'deleteDelivery',
        summary: 'Delete a delivery that no schedule names',
        tags: ['records'],
        params: recordParams,
        response: { 204: gone, ...refusals(400, 404, 409) },
      },
    },
    async ({ params: { owner, name } }, reply) => {
      if (!(await registry.deleteDelivery(owner, name))) throw notFound('delivery', owner, name);
      return reply.code(204).send();
    },
  );
}

function schedules(scope: FastifyInstance, registry: Registry): void {
  typed(scope).put(
    '/owners/:owner/schedules/:name',
    {
      bodyLimit: scheduleBodyMb * 2 ** 20,
      handlerTimeout: 120_000,
      schema: {
        operationId: 'putSchedule',
        summary: 'Register or replace a schedule',
        description: 'Ticks start strictly after now. A delivery that the schedule names must already be registered.',
        tags: ['records'],
        params: recordParams,
        body: scheduleBody,
        response: {
          200: answers('As it is registered now.', registeredScheduleSchema),
          ...refusals(400, 413, 415, 422),
        },
      },
    },
    ({ params, body }) => registry.putSchedule(params.owner, params.name, body),
  );
  typed(scope).delete(
    '/owners/:owner/schedules/:name',
    {
      schema: {
        operationId: 'deleteSchedule',
        summary: 'Delete a schedule; its runs are kept',
        tags: ['records'],
        params: recordParams,
        response: { 204: gone, ...refusals(400, 404) },
      },
    },
    async ({ params: { owner, name } }, reply) => {
      if (!(await registry.deleteSchedule(owner, name))) throw notFound('schedule', owner, name);
      return reply.code(204).send();
    },
  );
}

const gone = z.undefined().describe('Deleted.');
