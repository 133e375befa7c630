/** The routes of the API: deliveries and schedules of an owner, the schedules of all owners, and scheduled runs. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type ZodType, z } from 'zod';
import type { Registry } from '../registry.ts';
import { notFound, scheduleBodyMb } from './answers.ts';
import { answers, refusals } from './route.ts';
import {
  deliveryBody,
  ownerParams,
  ownerRecords,
  recordParams,
  registeredDelivery,
  registeredScheduleSchema,
  resolution,
  runDetails,
  runParams,
  runQuery,
  runSchema,
  scheduleBody,
  scheduleQuery,
  totalsSchema,
} from './schemas.ts';

/** Returns the OpenAPI description of a route. */
function operation<Schema extends object>(
  operationId: string,
  tag: 'records' | 'schedules' | 'runs',
  summary: string,
  schema: Schema,
) {
  return { operationId, summary, tags: [tag], ...schema };
}

/** Returns the answers of a route that succeeds with 200, and its own error statuses. */
function answer(description: string, schema: ZodType, ...errors: Parameters<typeof refusals>) {
  return { 200: answers(description, schema), ...refusals(...errors) };
}

const deleted = z.undefined().describe('Deleted.');

export function recordRoutes(scope: FastifyInstance, registry: Registry): void {
  const owners = z.array(z.string()).meta({ examples: [['acme']] });
  const listOwners = operation('listOwners', 'records', 'List owners with deliveries or schedules', {
    response: answer('The owners, sorted.', owners),
  });
  const getOwner = operation('getOwner', 'records', 'List the deliveries and schedules of an owner', {
    params: ownerParams,
    response: answer('Both lists are empty for an unknown owner.', ownerRecords, 400),
  });
  const putDelivery = operation('putDelivery', 'records', 'Register or replace a delivery', {
    params: recordParams,
    body: deliveryBody,
    response: answer('As it is registered now.', registeredDelivery, 400, 413, 415, 422),
  });
  const deleteDelivery = operation('deleteDelivery', 'records', 'Delete a delivery that no schedule names', {
    params: recordParams,
    response: { 204: deleted, ...refusals(400, 404, 409) },
  });
  const putSchedule = operation('putSchedule', 'records', 'Register or replace a schedule', {
    description: 'Ticks start strictly after now. A delivery that the schedule names must already be registered.',
    params: recordParams,
    body: scheduleBody,
    response: answer('As it is registered now.', registeredScheduleSchema, 400, 413, 415, 422),
  });
  const deleteSchedule = operation('deleteSchedule', 'records', 'Delete a schedule; its runs are kept', {
    params: recordParams,
    response: { 204: deleted, ...refusals(400, 404) },
  });
  const large = { bodyLimit: scheduleBodyMb * 2 ** 20, handlerTimeout: 120_000 };
  scope
    .withTypeProvider<ZodTypeProvider>()
    .get('/owners', { schema: listOwners }, () => registry.owners())
    .get('/owners/:owner', { schema: getOwner }, ({ params }) => registry.records(params.owner))
    .put('/owners/:owner/deliveries/:name', { schema: putDelivery }, ({ params: { owner, name }, body }) =>
      registry.putDelivery(owner, name, body),
    )
    .delete('/owners/:owner/deliveries/:name', { schema: deleteDelivery }, async ({ params }, reply) => {
      const { owner, name } = params;
      if (!(await registry.deleteDelivery(owner, name))) throw notFound('delivery', owner, name);
      return reply.code(204).send();
    })
    .put('/owners/:owner/schedules/:name', { ...large, schema: putSchedule }, ({ params: { owner, name }, body }) =>
      registry.putSchedule(owner, name, body),
    )
    .delete('/owners/:owner/schedules/:name', { schema: deleteSchedule }, async ({ params }, reply) => {
      const { owner, name } = params;
      if (!(await registry.deleteSchedule(owner, name))) throw notFound('schedule', owner, name);
      return reply.code(204).send();
    });
}

export function scheduleRoutes(scope: FastifyInstance, registry: Registry): void {
  const listSchedules = operation('listSchedules', 'schedules', 'List the schedules of all owners, page by page', {
    querystring: scheduleQuery,
    response: answer('The schedules, sorted by owner and name.', z.array(registeredScheduleSchema), 400),
  });
  const changed = {
    params: recordParams,
    response: answer('The changed schedule.', registeredScheduleSchema, 400, 404),
  };
  const pause = operation('pauseSchedule', 'schedules', 'Pause a schedule until it is resumed', changed);
  const resumeSummary = 'Resume a paused schedule, from the next tick after now';
  const resume = operation('resumeSchedule', 'schedules', resumeSummary, changed);
  const runNow = operation('runSchedule', 'schedules', 'Start a run now, independent of the ticks', {
    description: 'The run is billed, in addition to the runs of the ticks.',
    params: recordParams,
    response: answer('The run.', runSchema, 400, 404),
  });
  scope
    .withTypeProvider<ZodTypeProvider>()
    .get('/schedules', { schema: listSchedules }, ({ query: { brief, ...filter } }) =>
      registry.schedules({ ...filter, brief: brief === 'true' }),
    )
    .post('/owners/:owner/schedules/:name/pause', { schema: pause }, ({ params: { owner, name } }) =>
      registry.setPaused(owner, name, true),
    )
    .post('/owners/:owner/schedules/:name/resume', { schema: resume }, ({ params: { owner, name } }) =>
      registry.setPaused(owner, name, false),
    )
    .post('/owners/:owner/schedules/:name/run', { schema: runNow }, ({ params: { owner, name } }) =>
      registry.runNow(owner, name),
    );
}

export function runRoutes(scope: FastifyInstance, registry: Registry): void {
  const listRuns = operation('listRuns', 'runs', 'List runs, latest tick first', {
    querystring: runQuery,
    response: answer('The runs.', z.array(runSchema), 400, 404),
  });
  const getRun = operation('getRun', 'runs', 'Get a run and its events', {
    params: runParams,
    response: answer('The run and its events.', runDetails, 400, 404),
  });
  const resolveRun = operation('resolveRun', 'runs', 'Resolve an unknown run', {
    params: runParams,
    body: resolution,
    response: answer('The changed run.', runSchema, 400, 404, 409, 413, 415, 422),
  });
  const getTotals = operation('getTotals', 'runs', 'Count schedules, deliveries and runs', {
    response: answer('The totals.', totalsSchema),
  });
  scope
    .withTypeProvider<ZodTypeProvider>()
    .get('/runs', { schema: listRuns }, ({ query: { state: states, ...filter } }) =>
      registry.runs({ ...filter, states }),
    )
    .get('/runs/:id', { schema: getRun }, ({ params }) => registry.run(params.id))
    .post('/runs/:id/resolve', { schema: resolveRun }, ({ params, body }) => registry.resolve(params.id, body))
    .get('/totals', { schema: getTotals }, async () => ({ ...(await registry.totals()), now: await registry.now() }));
}
