/** An HTTP server that keeps what the service delivers, and answers 200 only once it is kept for good. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionsCheckingInterval, shareConnections } from '../http/connections.ts';
import { headerSecrets } from '../service/areas/jobs/delivery.ts';
import { redactor } from '../service/redact.ts';
import { type BodyLimits, drain } from './body.ts';
import { type CheckOptions, sourceOf } from './checks.ts';
import { type Delivering, deliver } from './deliver.ts';
import type { Destination } from './destination.ts';
import { type Log, logTo } from './log.ts';
import { Refusal } from './refusal.ts';

export interface ReceiverOptions extends CheckOptions {
  /** Closed by whoever opened it, after the receiver. */
  destination: Destination;
  host?: string;
  /** 0, the default, takes a free one. */
  port?: number;
  limits?: Partial<Limits>;
  /** Gets the log, line by line. */
  write: (text: string) => unknown;
}

export interface Limits extends BodyLimits {
  /** How long an answer may take before the log warns: the service waits 30 s. */
  warnMs: number;
  /** How long what is being received may still take when the receiver is stopped. */
  graceMs: number;
  /** At a time. */
  deliveries: number;
  connections: number;
}

export interface Receiver {
  readonly url: string;
  /** Takes nothing new, lets what is being received come to its end for a while, and frees the port. */
  close(): Promise<void>;
}

const usualLimits: Limits = {
  maxBytes: 1024 ** 3,
  idleMs: 30_000,
  totalMs: 600_000,
  warnMs: 25_000,
  graceMs: 20_000,
  deliveries: 16,
  connections: 200,
};

export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { destination, host = '127.0.0.1', port = 0, write, ...checks } = options;
  const limits = { ...usualLimits, ...options.limits };
  const redact = redactor(headerSecrets(options.authorization ?? ''));
  const closing = new AbortController();
  const log = logTo(write, redact);
  const state: State = { checks, limits, destination, redact, log, closing: closing.signal, open: 0, stopping: false };
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval,
  });
  shareConnections(server, limits.connections);
  server.on('request', (request, response) => void serve(request, response, state));
  server.listen({ host, port });
  await once(server, 'listening');
  // Such as no more file handles for a connection: later ones may find some.
  server.on('error', ({ message }) => log('error', 'connection', { message }));
  return {
    url: urlOf(server, host),
    async close() {
      state.stopping = true;
      log('info', 'stopping', { receiving: state.open });
      await closed(server, limits.graceMs, closing);
    },
  };
}

interface State extends Delivering {
  limits: Limits;
  log: Log;
  /** Deliveries that are being received. */
  open: number;
  stopping: boolean;
}

const headersMs = 15_000;
const keepAliveMs = 5000;

async function serve(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const begun = performance.now();
  // A connection that breaks while it is answered concerns nobody any more.
  response.on('error', () => undefined);
  if (request.method === 'GET' && request.url === '/healthz') return answer(response, 200, 'ok', state);
  try {
    const receipt = await deliverInLine(request, state);
    answer(response, 200, receipt === undefined ? 'Empty: a test.' : receipt.again ? 'Kept before.' : 'Kept.', state);
    if (receipt === undefined) state.log('info', 'tested', { source: sourceOf(request, state.checks) });
    else state.log('info', 'kept', { ...receipt, seconds: secondsSince(begun) });
  } catch (error) {
    const { status, line, ...fields } = told(error);
    state.log(status < 500 ? 'warn' : 'error', 'refused', {
      status,
      ...fields,
      source: sourceOf(request, state.checks),
      path: request.url?.split('?')[0]?.slice(0, 500),
    });
    await drain(request);
    answer(response, status, line, state, !request.complete);
  }
  const seconds = secondsSince(begun);
  if (seconds * 1000 > state.limits.warnMs) {
    state.log('warn', 'slow', { seconds, message: 'The service waits 30 s for an answer, and then delivers again.' });
  }
}

async function deliverInLine(request: IncomingMessage, state: State) {
  if (request.method !== 'POST') throw new Refusal(405, 'not-a-delivery', 'Deliveries are sent by POST.');
  // HTTP asks for a refusal (RFC 9112, 3.2): two hosts are the mark of smuggled requests.
  if ((request.headersDistinct.host ?? []).length > 1) {
    throw new Refusal(400, 'two-hosts', 'The request has more than one Host header.');
  }
  if (state.stopping) throw new Refusal(503, 'stopping', 'The receiver is stopping: deliver again later.');
  if (state.open >= state.limits.deliveries)
    throw new Refusal(503, 'busy', 'Too many deliveries at a time: deliver again later.');
  state.open += 1;
  try {
    return await deliver(request, state);
  } finally {
    state.open -= 1;
  }
}

function answer(response: ServerResponse, status: number, line: string, { stopping }: State, last = false): void {
  const connection = last || stopping ? { connection: 'close' } : {};
  const again = status === 503 ? { 'retry-after': '5' } : {};
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...connection, ...again }).end(`${line}\n`);
}

/** What the sender gets to know, and what the log does. */
function told(error: unknown): { status: number; line: string; reason: string; message?: string } {
  if (error instanceof Refusal) return { status: error.status, line: error.message, reason: error.reason };
  const { code = 'internal', message } = error as NodeJS.ErrnoException;
  return noRoom.has(code)
    ? { status: 507, line: 'There is no room left to keep the delivery.', reason: 'no-room', message }
    : { status: 500, line: 'The delivery could not be kept.', reason: 'not-kept', message };
}

const noRoom: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

function secondsSince(begun: number): number {
  return Math.round(performance.now() - begun) / 1000;
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
}

/** What is not done after the time of grace is cut off: it leaves nothing, and the service delivers it again. */
async function closed(server: Server, graceMs: number, closing: AbortController): Promise<void> {
  const ended = once(server, 'close');
  server.close();
  const isEnded = await Promise.race([ended.then(() => true), sleep(graceMs, false, { ref: false })]);
  if (isEnded) return;
  closing.abort();
  server.closeAllConnections();
  await ended;
}
