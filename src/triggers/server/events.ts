/** Server-sent events: what has changed, as it changes, for pages that stay open. */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Registry } from '../registry.ts';
import { Refusal } from './answers.ts';
import { type Changes, type News, watchChanges } from './changes.ts';
import { refusals } from './route.ts';

export interface EventOptions {
  registry: Registry;
  pollMs: number;
}

/** Each holds a connection. */
const mostWatchers = 200;
/** Shorter than the time after which proxies, and this server, close what is silent. */
const heartbeatMs = 15_000;
/** More than this is waiting only for a client that does not read. */
const mostUnread = 64 * 1024;

export function eventRoutes(scope: FastifyInstance, { registry, pollMs }: EventOptions): void {
  const changes = watchChanges(registry, pollMs);
  const open = new Set<ServerResponse>();
  // Before the server waits for its requests to end: these do not end by themselves.
  scope.addHook('preClose', async () => {
    for (const response of open) response.end();
  });
  scope.get('/events', { schema }, async (_request, reply) => {
    if (changes.watchers >= mostWatchers) throw new Refusal(503, [tooMany]);
    reply.header('content-type', 'text/event-stream; charset=utf-8');
    // Proxies that collect an answer before they pass it on would make it none.
    reply.header('x-accel-buffering', 'no');
    reply.hijack();
    reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    open.add(reply.raw);
    stream(reply.raw, changes, () => open.delete(reply.raw));
  });
}

function stream(response: ServerResponse, changes: Changes, ended: () => void): void {
  const write = (text: string) => {
    if (response.writableLength > mostUnread) response.destroy();
    else response.write(text);
  };
  write(': hello\n\n');
  const unwatch = changes.watch((news) => write(eventOf(news)));
  const heartbeat = setInterval(() => write(': still here\n\n'), heartbeatMs).unref();
  response.on('error', () => response.destroy());
  response.on('close', () => {
    clearInterval(heartbeat);
    unwatch();
    ended();
  });
}

function eventOf(news: News): string {
  return news === undefined ? 'event: away\ndata: {}\n\n' : `event: changed\ndata: ${JSON.stringify(news)}\n\n`;
}

const schema = {
  operationId: 'watch',
  summary: 'Tells that something has changed, as it changes',
  description:
    'Server-sent events. `changed` carries the totals, at once and after each change; `away` says that the store does not answer. A comment every 15 seconds keeps the connection open.',
  tags: ['runs'],
  response: {
    200: {
      description: 'A stream that does not end by itself.',
      content: {
        'text/event-stream': {
          schema: z.string().meta({ examples: ['event: changed\ndata: {"schedules":3,"lastEvent":7}\n\n'] }),
        },
      },
    },
    ...refusals(),
  },
};

const tooMany = {
  code: 'too-many-watchers',
  found: `${mostWatchers} clients are watching`,
  fix: 'close pages that are not looked at, or ask GET /v1/totals now and then',
};
