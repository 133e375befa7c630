/** What is registered for an owner, and how it is registered and taken away. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Registry } from '../registry.ts';
import { notFound } from './answers.ts';
import { megabyte, scheduleBodyMb } from './bodyLimits.ts';
import { answers, refusals, typed } from './route.ts';
import {
  deliveryBody,
  ownerParams,
  ownerRecords,
  recordParams,
  registeredDelivery,
  registeredSchedule,
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
        summary: 'Who has something registered',
        tags: ['records'],
        response: {
          200: answers('The owners, in order.', z.array(z.string()).meta({ examples: [['acme']] })),
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
        summary: 'Everything that is registered for an owner',
        tags: ['records'],
        params: ownerParams,
        response: { 200: answers('Empty lists for an owner that has nothing.', ownerRecords), ...refusals(400) },
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
        summary: 'Registers a delivery, or replaces it',
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
        summary: 'Takes a delivery away that no schedule names',
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
      bodyLimit: scheduleBodyMb * megabyte,
      handlerTimeout: 120_000,
      schema: {
        operationId: 'putSchedule',
        summary: 'Registers a schedule, or replaces it',
        description: 'Ticks start strictly after now. A delivery that it names must be registered before.',
        tags: ['records'],
        params: recordParams,
        body: scheduleBody,
        response: { 200: answers('As it is registered now.', registeredSchedule), ...refusals(400, 413, 415, 422) },
      },
    },
    ({ params, body }) => registry.putSchedule(params.owner, params.name, body),
  );
  typed(scope).delete(
    '/owners/:owner/schedules/:name',
    {
      schema: {
        operationId: 'deleteSchedule',
        summary: 'Takes a schedule away; its runs stay',
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

const gone = z.undefined().describe('It is gone.');
