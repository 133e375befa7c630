/** For whoever runs the service: whether it is alive, whether it can work, and its figures. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Registry } from '../registry.ts';
import { Refusal } from './answers.ts';
import type { TokenCheck } from './auth.ts';
import type { Metrics } from './metrics.ts';
import { answers } from './route.ts';
import { problems } from './schemas.ts';
import { answersSoon, storeAway } from './storeHealth.ts';

export interface ProbeOptions {
  registry: Registry;
  metrics: Metrics;
  /** None: metrics are told to anybody. */
  guard: TokenCheck | undefined;
}

export function probeRoutes(scope: FastifyInstance, { registry, metrics, guard }: ProbeOptions): void {
  scope.get('/healthz', { schema: alive, exposeHeadRoute: true }, async () => ({ status: 'alive' }));
  scope.get('/readyz', { schema: ready, exposeHeadRoute: true }, async () => {
    if (!(await answersSoon(registry))) throw new Refusal(503, [storeAway]);
    return { status: 'ready' };
  });
  scope.get('/metrics', { schema: figures }, async (request, reply) => {
    guard?.insist(request.headers.authorization);
    return reply
      .type(metrics.contentType)
      .serializer(String)
      .send(await metrics.text());
  });
}

const status = (word: string) => z.object({ status: z.literal(word) }).meta({ examples: [{ status: word }] });

const alive = {
  operationId: 'isAlive',
  summary: 'Whether the process answers',
  tags: ['health'],
  security: [],
  response: { 200: answers('It does.', status('alive')) },
};

const ready = {
  operationId: 'isReady',
  summary: 'Whether the store answers',
  tags: ['health'],
  security: [],
  response: { 200: answers('It does.', status('ready')), 503: answers('It does not.', problems) },
};

const figures = {
  operationId: 'getMetrics',
  summary: 'Figures for Prometheus',
  description: 'Needs the token, unless the service was started with open metrics.',
  tags: ['health'],
  response: {
    200: {
      description: 'The figures, in the text format of Prometheus.',
      content: { 'text/plain': { schema: z.string().meta({ examples: ['webdata_triggers_store_up 1\n'] }) } },
    },
    401: answers('The token is missing or wrong.', problems),
  },
};
