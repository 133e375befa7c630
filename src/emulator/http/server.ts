/** Fastify servers that pass each request to `exchange` and write its answer, broken if a fault says so. */
import { Readable } from 'node:stream';
import { text as streamText } from 'node:stream/consumers';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { originViolation } from '../../base/http/allowedOrigins.ts';
import { connectionsCheckingInterval, shareConnections } from '../../base/http/connections.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { encoded, withByteOrderMark } from './encoding.ts';
import { type Cut, type Emulation, type Incoming, type Reply, redirectPrefix, serveRequest } from './exchange.ts';
import type { ServerName } from './requestLog.ts';
import { parsedQuery, type Route } from './route.ts';

/** Maximum body size, enough for a migration of a million IPs. */
const bodyLimit = 64 * 1024 * 1024;

/** Maximum number of connections. Benchmarks and tests open hundreds. */
const mostConnections = 5000;

/** Creates a server for its own routes. Any other path is answered as an unknown route. */
export function createServer(name: ServerName, routes: readonly Route[], emulation: Emulation): FastifyInstance {
  // Connections that clients keep alive would delay close().
  const server = fastify({
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    bodyLimit,
    requestTimeout: 120_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval },
  });
  shareConnections(server.server, mostConnections);
  server.addHook('onRequest', async (request, reply) => refuseOtherOrigins(server, request, reply));
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  const serve = (route: Route | null) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { dialect } = emulation.world;
    const outcome = await serveRequest(emulation, toIncoming({ server: name, route }, request, dialect));
    return typeof outcome === 'string' ? cut(reply, outcome) : send(reply, outcome, dialect);
  };
  for (const route of routes.filter((candidate) => candidate.server === name)) {
    const { method, path } = route;
    server.route({ method, url: path, handler: serve(route) });
    if (method === 'GET' && name === 'api' && emulation.world.dialect.redirectedReads)
      server.route({ method, url: redirectPrefix + path, handler: serve(route) });
  }
  server.setNotFoundHandler(serve(null));
  return server;
}

/** Refuses requests from web pages of other origins, because many routes require no key. */
async function refuseOtherOrigins(
  server: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const violation = originViolation(request.raw, { bound: server.server.address() });
  if (violation === undefined) return;
  await reply.code(violation.status).type('text/plain; charset=utf-8').send(`${violation.found}: ${violation.fix}`);
}

/** Listens and returns the base URL. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  return (await server.listen({ host, port })).replace(/\/$/, '');
}

function toIncoming(
  served: Pick<Incoming, 'server' | 'route'>,
  request: FastifyRequest,
  { plusInQueries }: Dialect,
): Incoming {
  const [path = '', ...query] = request.url.split('?');
  return {
    ...served,
    method: request.method,
    path,
    target: request.url,
    params: request.params as Record<string, string>,
    query: parsedQuery(query.join('?'), plusInQueries),
    authorization: request.headers.authorization,
    contentType: request.headers['content-type'],
    text: typeof request.body === 'string' ? request.body : '',
  };
}

function cut(reply: FastifyReply, how: Cut): void {
  reply.hijack();
  if (how === 'reset') reply.raw.socket?.resetAndDestroy();
  else reply.raw.socket?.destroy();
}

async function send(
  reply: FastifyReply,
  { status, body, headers = {}, broken }: Reply,
  dialect: Dialect,
): Promise<unknown> {
  if (!broken && (status === 204 || status === 304)) return reply.code(status).headers(headers).send();
  const content = body instanceof Readable || typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
  const typed = reply.code(status).headers({ 'content-type': type, ...headers });
  if (!broken) return sendEncoded(typed, content, dialect);
  const text = content instanceof Readable ? await streamText(content) : content;
  const half = text.slice(0, Math.floor(text.length / 2)) || '{';
  if (broken === 'malformed') return typed.send(half);
  reply.hijack();
  reply.raw.writeHead(status, { 'content-type': type, ...headers, 'content-length': Buffer.byteLength(text) + 1 });
  reply.raw.write(half, () => reply.raw.socket?.destroy());
  return undefined;
}

/** Sends content in a coding that the dialect uses and the client accepts. */
function sendEncoded(reply: FastifyReply, content: Readable | string, dialect: Dialect): FastifyReply {
  const marked = dialect.byteOrderMark ? withByteOrderMark(content) : content;
  const coding = codingFor(content, dialect.compression);
  const { body, headers } = encoded(marked, coding, reply.request.headers['accept-encoding']);
  return reply.headers(headers).send(body);
}

const codingFor = (content: Readable | string, compression: Dialect['compression']) =>
  compression === 'results' ? (typeof content === 'string' ? undefined : 'gzip') : compression;
