/** The HTTP server of the trigger service: API, status page, metrics and health checks on top of the ledger. */
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { connectionsCheckingInterval, keepAliveTimeout, shareConnections } from '../../base/http/connections.ts';
import { pinoLines } from '../../base/http/logLines.ts';
import type { OperationHandlers } from '../api/operations.ts';
import type { Database } from '../store/database.ts';
import { answerFailures, bodyMb, unknownRoute, unreadablePath } from './answers.ts';
import { keptRoute, type OpenRows } from './keptRoute.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { describeApi } from './openapi.ts';
import { pageRoutes } from './pageRoutes.ts';
import { probeRoutes } from './probes.ts';
import { assertOrigin, assertToken } from './requestChecks.ts';
import { apiRoutes } from './routes.ts';
import { createStoreHealth, type StoreHealth } from './storeHealth.ts';
import { refuseInexactBodies, serializer, validator } from './validation.ts';

export interface TriggerServerOptions {
  database: Database;
  operations: OperationHandlers;
  /** The bearer token that every API request must carry. */
  token: string;
  /** Shared with the metrics; by default a new one. */
  health?: StoreHealth;
  /** The metrics that the worker counts in; by default new ones. */
  metrics?: Metrics;
  /** Opens the kept rows of runs; by default they are not served. */
  openRows?: OpenRows;
  /** Receives the log as lines of JSON; by default there is no log. */
  log?: { write(line: string): void };
  /** True if metrics need no token. */
  openMetrics?: boolean;
  /** Further host names that clients use, for example through a proxy. */
  hosts?: readonly string[] | undefined;
}

const second = 1000;

const maxConnections = 1000;

/** Creates the server, which does not listen yet. The worker uses its `log` too. */
export function createTriggerServer(options: TriggerServerOptions): FastifyInstance {
  const { database, operations, token, log, openMetrics = false } = options;
  if (token === '') throw new RangeError('the trigger service needs a token');
  const health = options.health ?? createStoreHealth(database);
  const metrics = options.metrics ?? createMetrics(operations, health);
  const server = fastify({
    logger: log ? { ...pinoLines, stream: log } : false,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    bodyLimit: bodyMb * 2 ** 20,
    // Enough for a schedule with large inputs on a slow line.
    requestTimeout: 120 * second,
    handlerTimeout: 30 * second,
    connectionTimeout: 60 * second,
    keepAliveTimeout,
    http: { headersTimeout: 15 * second, connectionsCheckingInterval },
    frameworkErrors: (error, _request, reply) => void unreadablePath(error, reply.headers(securityHeaders)),
    routerOptions: { maxParamLength: 1000 },
  });
  shareConnections(server.server, maxConnections);

  // Bodies must be JSON: a page of another site can send text/plain without a preflight request.
  server.removeContentTypeParser('text/plain');
  refuseInexactBodies(server);
  server.setValidatorCompiler(validator);
  server.setSerializerCompiler(serializer);
  server.setErrorHandler(answerFailures(health));
  server.setNotFoundHandler(unknownRoute);
  server.addHook('onRequest', async (_request, reply) => void reply.headers(securityHeaders));
  server.addHook('onRequest', async ({ raw }) =>
    assertOrigin(raw, { bound: server.server.address(), hosts: options.hosts }),
  );
  server.addHook('onResponse', async (request, reply) => record(request, reply.statusCode, reply.elapsedTime, metrics));

  describeApi(server);
  server.register(async (scope) => {
    pageRoutes(scope);
    probeRoutes(scope, { health, metrics, token: openMetrics ? undefined : token });
  });
  server.register(async (scope) => {
    scope.addHook('onRequest', async ({ raw }) => assertToken(raw, token));
    apiRoutes(scope, operations);
    if (options.openRows !== undefined) keptRoute(scope, options.openRows);
  });
  return server;
}

/** Listens and returns the base URL. */
export async function startListening(server: FastifyInstance, host: string, port: number): Promise<string> {
  return (await server.listen({ host, port, listenTextResolver: () => 'the trigger service is listening' })).replace(
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

/** Counts and logs a request, without its query and without unknown paths: either may contain a pasted secret. */
function record(request: FastifyRequest, status: number, elapsedMs: number, metrics: Metrics): void {
  const route = request.routeOptions.url ?? 'unknown';
  const path = request.routeOptions.url === undefined ? undefined : request.url.split('?', 1)[0];
  metrics.answered({ method: request.method, route, status }, elapsedMs / second);
  request.log.info({ method: request.method, path, status, ms: Math.round(elapsedMs) }, 'answered');
}
