/** Routes for operators: liveness, readiness and metrics. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { problems } from '../api/problems.ts';
import { RefusedRequest } from './answers.ts';
import type { Metrics } from './metrics.ts';
import { assertToken } from './requestChecks.ts';
import { answers } from './routeSchema.ts';
import type { StoreHealth } from './storeHealth.ts';

interface ProbeOptions {
  health: StoreHealth;
  metrics: Metrics;
  /** Protects the metrics; undefined leaves them open. */
  token: string | undefined;
}

export function probeRoutes(scope: FastifyInstance, { health, metrics, token }: ProbeOptions): void {
  scope.get('/healthz', { schema: alive, exposeHeadRoute: true }, async () => ({ status: 'alive' }));
  scope.get('/readyz', { schema: ready, exposeHeadRoute: true }, async () => {
    const problem = await health.problem();
    if (problem !== undefined) throw new RefusedRequest(503, [problem]);
    return { status: 'ready' };
  });
  scope.get('/metrics', { schema: figures, exposeHeadRoute: true }, async (request, reply) => {
    if (token !== undefined) assertToken(request.raw, token);
    return reply
      .type(metrics.contentType)
      .serializer(String)
      .send(await metrics.text());
  });
}

const status = (word: string) => z.object({ status: z.literal(word) }).meta({ examples: [{ status: word }] });

const alive = {
  operationId: 'isAlive',
  summary: 'Check that the process answers',
  tags: ['health'],
  security: [],
  response: { 200: answers('The process answers.', status('alive')) },
};

const ready = {
  operationId: 'isReady',
  summary: 'Check that the store can be written, and schedules fire',
  tags: ['health'],
  security: [],
  response: {
    200: answers('The store can be written, and schedules fire.', status('ready')),
    503: answers('The store cannot be written, or schedules do not fire; the problem has the cause.', problems),
  },
};

const figures = {
  operationId: 'getMetrics',
  summary: 'Get metrics for Prometheus',
  description: 'Needs the token, unless the service was started with open metrics.',
  tags: ['health'],
  response: {
    200: {
      description: 'The metrics, in the text format of Prometheus.',
      content: { 'text/plain': { schema: z.string().meta({ examples: ['webdata_triggers_store_up 1\n'] }) } },
    },
    401: answers('The token is missing or wrong.', problems),
  },
};
