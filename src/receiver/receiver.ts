/** An HTTP server that keeps deliveries of the service, and answers 200 only once they are stored durably. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionsCheckingInterval, keepAliveTimeout, shareConnections } from '../base/http/connections.ts';
import { type LogFields, type LogLevel, logLine } from '../base/http/logLines.ts';
import { headerSecrets } from '../client/areas/jobs/delivery.ts';
import { redactor } from '../client/redact.ts';
import type { DeliveryStore, Doubt, Receipt } from '../keeping/destination.ts';
import { storeFailure } from '../keeping/storeFailure.ts';
import { type BodyLimits, drain } from './body.ts';
import { type CheckOptions, senderText } from './checks.ts';
import { type ReceiverContext, type ReportRun, receiveDelivery } from './deliver.ts';
import { createMonitoring, type Monitoring } from './monitoring.ts';
import { type RefusalReason, RefusedDelivery } from './refusal.ts';

export interface ReceiverOptions extends CheckOptions {
  /** The caller closes it, after the receiver. */
  destination: DeliveryStore;
  host?: string;
  /** 0, the default, uses any free port. */
  port?: number;
  limits?: Partial<ReceiverLimits>;
  /** Called before the delivery of a scheduled run is acknowledged. */
  report?: ReportRun | undefined;
  /** Receives the log, line by line. */
  write: (text: string) => unknown;
}

interface ReceiverLimits extends BodyLimits {
  /** The log warns of answers that take longer than this: the service waits 30 s. */
  warnMs: number;
  /** The time that deliveries in progress may still take when the receiver stops. */
  graceMs: number;
  /** The maximum number of concurrent deliveries. */
  deliveries: number;
  connections: number;
}

export interface Receiver {
  readonly url: string;
  /** Accepts nothing new, lets deliveries in progress finish for a while, and frees the port. */
  close(): Promise<void>;
}

const defaultLimits: ReceiverLimits = {
  maxBytes: 1024 ** 3,
  idleMs: 30_000,
  totalMs: 600_000,
  warnMs: 25_000,
  graceMs: 20_000,
  deliveries: 16,
  connections: 200,
};

export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { destination, host = '127.0.0.1', port = 0, write, report, ...checks } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const redact = redactor((options.authorizations ?? []).flatMap(headerSecrets));
  const closing = new AbortController();
  const log: Log = (level, msg, fields) => void write(`${redact(logLine(level, msg, fields))}\n`);
  const state: State = {
    ...{ checks, limits, destination, redact, report, log, closing: closing.signal },
    monitoring: createMonitoring(destination, () => state.open),
    open: 0,
    stopping: false,
  };
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: 0,
    keepAliveTimeout,
    connectionsCheckingInterval,
  });
  shareConnections(server, limits.connections);
  server.on('request', (request, response) => void serve(request, response, state));
  server.listen({ host, port });
  await once(server, 'listening');
  // For example, no file handle was left for a connection; later connections may succeed.
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

type Log = (level: LogLevel, msg: string, fields?: LogFields) => void;

interface State extends ReceiverContext {
  limits: ReceiverLimits;
  log: Log;
  monitoring: Monitoring;
  /** The number of deliveries in progress. */
  open: number;
  stopping: boolean;
}

const headersMs = 15_000;

async function serve(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const begun = performance.now();
  // If the connection breaks during the answer, nothing is left to do.
  response.on('error', () => undefined);
  const page = await state.monitoring.page(request);
  if (page !== undefined) {
    response.writeHead(page.status, { 'content-type': page.type }).end(page.text);
    return;
  }
  const source = senderText(request, state.checks);
  try {
    const receipt = await receive(request, state);
    answer(response, 200, receipt === undefined ? 'Empty: a test.' : keptLine(receipt), state);
    if (receipt === undefined) {
      state.monitoring.tested();
      state.log('info', 'tested', { source });
    } else {
      state.monitoring.kept(receipt);
      state.log(receipt.doubt === undefined ? 'info' : 'warn', 'kept', { ...receipt, seconds: secondsSince(begun) });
    }
  } catch (error) {
    const { status, line, ...fields } = describeFailure(error, state);
    state.monitoring.refused(fields.reason);
    const path = request.url?.split('?')[0]?.slice(0, 500);
    state.log(status < 500 ? 'warn' : 'error', 'refused', { status, ...fields, source, path });
    await drain(request);
    answer(response, status, line, state, !request.complete);
  }
  const seconds = secondsSince(begun);
  if (seconds * 1000 > state.limits.warnMs) {
    state.log('warn', 'slow', { seconds, message: 'The service waits 30 s for an answer, then delivers again.' });
  }
}

function keptLine({ again, doubt }: Receipt): string {
  const kept = again ? 'Kept before' : 'Kept';
  return doubt === undefined ? `${kept}.` : `${kept}, but doubtful: ${doubts[doubt]}.`;
}

const doubts: Readonly<Record<Doubt, string>> = {
  'not-json': 'the content type says JSON, which it is not',
  'not-gzip': 'the gzip is damaged or cut off, so it is stored as sent',
  'unknown-encoding': 'the encoding is not known, so it is stored as sent',
};

async function receive(request: IncomingMessage, state: State) {
  if (request.method !== 'POST') throw new RefusedDelivery(405, 'not-a-delivery', 'Deliveries must use POST.');
  // RFC 9112, 3.2 requires this: two hosts indicate request smuggling.
  if ((request.headersDistinct.host ?? []).length > 1) {
    throw new RefusedDelivery(400, 'two-hosts', 'The request has more than one Host header.');
  }
  if (state.stopping) throw new RefusedDelivery(503, 'stopping', 'The receiver is stopping: deliver again later.');
  if (state.open >= state.limits.deliveries)
    throw new RefusedDelivery(503, 'busy', 'Too many concurrent deliveries: deliver again later.');
  state.open += 1;
  try {
    return await receiveDelivery(request, state);
  } finally {
    state.open -= 1;
  }
}

function answer(response: ServerResponse, status: number, line: string, { stopping }: State, last = false): void {
  const connection = last || stopping ? { connection: 'close' } : {};
  const again = status === 503 ? { 'retry-after': '5' } : {};
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...connection, ...again }).end(`${line}\n`);
}

/** Returns the answer for the sender, and the fields for the log. */
function describeFailure(
  error: unknown,
  { destination }: State,
): { status: number; line: string; reason: RefusalReason; message?: string } {
  if (error instanceof RefusedDelivery) {
    const { status, message: line, reason, cause } = error;
    return { status, line, reason, ...(cause instanceof Error && { message: cause.message }) };
  }
  const { line, ...failure } = storeFailure(destination, error);
  return { ...failure, line: `Not kept: ${line}.` };
}

function secondsSince(begun: number): number {
  return Math.round(performance.now() - begun) / 1000;
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
}

/** Cuts off deliveries that are not finished after the grace period: they leave nothing behind, and the service delivers them again. */
async function closed(server: Server, graceMs: number, closing: AbortController): Promise<void> {
  const ended = once(server, 'close');
  server.close();
  const isEnded = await Promise.race([ended.then(() => true), sleep(graceMs, false, { ref: false })]);
  if (isEnded) return;
  closing.abort();
  server.closeAllConnections();
  await ended;
}
