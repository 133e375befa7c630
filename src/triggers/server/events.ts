/** Server-sent events that report changes to open pages. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Totals } from '../api/runs.ts';
import type { ScheduleRegistry } from '../ledger/scheduleRegistry.ts';
import { RefusedRequest } from './answers.ts';
import { refusals } from './routeSchema.ts';

interface EventOptions {
  registry: ScheduleRegistry;
  pollMs: number;
}

/** The maximum number of watchers: each holds a connection. */
const maxWatchers = 200;

/** Shorter than the time after which proxies, and this server, close a silent connection. */
const heartbeatMs = 15_000;
/** A client with more unread bytes than this no longer reads. */
const maxUnreadBytes = 64 * 1024;

export function eventRoutes(scope: FastifyInstance, { registry, pollMs }: EventOptions): void {
  const changes = watchChanges(registry, pollMs);
  const open = new Set<ServerResponse>();
  // End the streams before the server waits for open requests: they do not end by themselves.
  scope.addHook('preClose', async () => {
    for (const response of open) response.end();
  });
  scope.get('/v1/events', { schema }, async (_request, reply) => {
    if (changes.watchers >= maxWatchers) throw new RefusedRequest(503, [tooMany]);
    reply.header('content-type', 'text/event-stream; charset=utf-8');
    // Without this header, some proxies would buffer the stream until it ends.
    reply.header('x-accel-buffering', 'no');
    reply.hijack();
    reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    open.add(reply.raw);
    stream(reply.raw, changes, () => open.delete(reply.raw));
  });
}

function stream(response: ServerResponse, changes: Changes, ended: () => void): void {
  const write = (text: string) => {
    if (response.writableLength > maxUnreadBytes) response.destroy();
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

/** The current totals; undefined while the store does not answer. */
type News = Totals | undefined;

interface Changes {
  readonly watchers: number;
  /** Calls `notify` at once, and again after each change. Returns a function that ends it. */
  watch(notify: (news: News) => void): () => void;
}

/** One query at a time serves all watchers, and without watchers none is sent. */
function watchChanges(registry: ScheduleRegistry, pollMs: number): Changes {
  const watchers = new Set<(news: News) => void>();
  let isPolling = false;
  let last: { news: News; key: string } | undefined;

  async function poll(): Promise<void> {
    const news = await registry.totals().catch(() => undefined);
    const key = news === undefined ? 'away' : JSON.stringify({ ...news, now: undefined });
    if (key === last?.key) return;
    last = { news, key };
    for (const notify of watchers) notify(news);
  }

  async function keepPolling(): Promise<void> {
    isPolling = true;
    while (watchers.size > 0) {
      await poll();
      await sleep(pollMs, undefined, { ref: false });
    }
    isPolling = false;
    last = undefined;
  }

  return {
    get watchers() {
      return watchers.size;
    },
    watch(notify) {
      watchers.add(notify);
      if (last !== undefined) notify(last.news);
      if (!isPolling) void keepPolling();
      return () => void watchers.delete(notify);
    },
  };
}

const schema = {
  operationId: 'watch',
  summary: 'Stream changes as they happen',
  description:
    'Server-sent events. `changed` carries the totals, at once and after each change. `away` means that the store does not answer. A comment every 15 seconds keeps the connection open.',
  tags: ['runs'],
  response: {
    200: {
      description: 'A stream without an end.',
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
  found: `${maxWatchers} clients are watching already`,
  fix: 'close unused pages, or poll GET /v1/totals',
};
