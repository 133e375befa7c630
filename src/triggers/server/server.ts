/** The trigger service over HTTP: its API, its page, its metrics and its health, over a registry that does the work. */
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { connectionsCheckingInterval, shareConnections } from '../../http/connections.ts';
import type { Registry } from '../registry.ts';
import { answerFailures, unknownRoute, unreadablePath } from './answers.ts';
import { tokenCheck } from './auth.ts';
import { bodyMb, megabyte } from './bodyLimits.ts';
import { eventRoutes } from './events.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { describeApi } from './openapi.ts';
import { refuseOtherOrigins } from './originRules.ts';
import { pageRoutes } from './pageRoutes.ts';
import { probeRoutes } from './probes.ts';
import { recordRoutes } from './records.ts';
import { runRoutes } from './runs.ts';
import { scheduleRoutes } from './schedules.ts';
import { refuseInexactNumbers, serializer, validator } from './validation.ts';

export interface TriggerServerOptions {
  registry: Registry;
  /** What every request of the API must carry. */
  token: string;
  /** Those that the worker counts in; of its own when left out. */
  metrics?: Metrics;
  /** Where lines of JSON go; nowhere when left out. */
  log?: { write(line: string): void };
  /** Whether metrics are told without the token. */
  openMetrics?: boolean;
  /** Names by which it is asked besides loopback's, through a proxy. */
  hosts?: readonly string[] | undefined;
  /** How often the registry is asked for changes while somebody watches. */
  pollMs?: number;
}

const second = 1000;

const mostConnections = 1000;

/** Not yet listening. Its `log` is for the worker too. */
export function createTriggerServer(options: TriggerServerOptions): FastifyInstance {
  const { registry, token, log, openMetrics = false, pollMs = second } = options;
  if (token === '') throw new RangeError('the trigger service needs a token');
  const metrics = options.metrics ?? createMetrics(registry);
  const server = fastify({
    logger: log ? { level: 'info', stream: log } : false,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    bodyLimit: bodyMb * megabyte,
    // A schedule with large inputs, on a slow line.
    requestTimeout: 120 * second,
    handlerTimeout: 30 * second,
    connectionTimeout: 60 * second,
    keepAliveTimeout: 15 * second,
    http: { headersTimeout: 15 * second, connectionsCheckingInterval },
    frameworkErrors: (error, _request, reply) => void unreadablePath(error, reply.headers(securityHeaders)),
    routerOptions: { maxParamLength: 1000 },
  });
  shareConnections(server.server, mostConnections);
  const guard = tokenCheck(token);

  // There is no other form of a body than JSON, also none that a foreign page can send without asking.
  server.removeContentTypeParser('text/plain');
  refuseInexactNumbers(server);
  server.setValidatorCompiler(validator);
  server.setSerializerCompiler(serializer);
  server.setErrorHandler(answerFailures(registry));
  server.setNotFoundHandler(unknownRoute);
  server.addHook('onRequest', async (_request, reply) => void reply.headers(securityHeaders));
  server.addHook('onRequest', refuseOtherOrigins(server, options.hosts));
  server.addHook('onResponse', async (request, reply) => told(request, reply.statusCode, reply.elapsedTime, metrics));

  describeApi(server);
  server.register(async (scope) => {
    pageRoutes(scope);
    probeRoutes(scope, { registry, metrics, guard: openMetrics ? undefined : guard });
  });
  server.register(
    async (scope) => {
      scope.addHook('onRequest', async (request) => guard.insist(request.headers.authorization));
      recordRoutes(scope, registry);
      scheduleRoutes(scope, registry);
      runRoutes(scope, registry);
      eventRoutes(scope, { registry, pollMs });
    },
    { prefix: '/v1' },
  );
  return server;
}

/** Listens and returns the base URL. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  return (await server.listen({ host, port, listenTextResolver: () => 'the trigger service listens' })).replace(
    /\/$/,
    '',
  );
}

const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** A query or an unknown path may hold anything, also a secret that was pasted: neither is told. */
function told(request: FastifyRequest, status: number, elapsedMs: number, metrics: Metrics): void {
  const route = request.routeOptions.url ?? 'unknown';
  const path = request.routeOptions.url === undefined ? undefined : request.url.split('?', 1)[0];
  metrics.answered({ method: request.method, route, status }, elapsedMs / second);
  request.log.info({ method: request.method, path, status, ms: Math.round(elapsedMs) }, 'answered');
}
