/**
 * Serves one request of the API or the manager in this order: log, faults, key, role, effect, answer. `server.ts` writes the answer to
 * the socket.
 */
import { parsedJson } from '../../base/values/plain.ts';
import { delay, type Fault, type FaultBook, findFault, replacement } from '../core/faults.ts';
import { Refusal, wordRefusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import { authenticate, authorize } from './keys.ts';
import type { LoggedRequest, RequestHistory, ServerName } from './requestLog.ts';
import type { Route, RouteCall } from './route.ts';

/** State that all requests share. */
export interface Emulation {
  world: World;
  faults: FaultBook;
  log: RequestHistory;
  /** Resolves when all changes so far are in the state file, if there is one. */
  save(): Promise<void>;
  /** Aborted when the emulator closes. */
  closing: AbortSignal;
  /** Number of GET requests so far. */
  reads: { count: number };
}

/** A received request; `route` is null for an unknown path. */
export interface Incoming {
  server: ServerName;
  route: Route | null;
  method: string;
  path: string;
  /** Path and query as sent. */
  target: string;
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  authorization: string | undefined;
  contentType: string | undefined;
  /** Body as text; empty if there is none. */
  text: string;
}

export interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** Way in which the answer is made unreadable. */
  broken?: 'truncated' | 'malformed';
}

/** Way to cut a connection without an answer. */
export type Cut = 'dropped' | 'reset';

/** Returns the reply, or how the connection is cut. */
export async function serveRequest(emulation: Emulation, incoming: Incoming): Promise<Reply | Cut> {
  const { log, faults: book } = emulation;
  const { server, method, path, query, text, route } = incoming;
  const time = emulation.world.clock().toISOString();
  const entry = log.arrive({ server, method, path, query, time, body: parse(text), route: route?.name ?? null });
  entry.faults = route ? book.hit(route.name) : [];
  try {
    const reply = await underFaults(entry.faults, emulation.closing, () => serve(emulation, incoming, entry));
    log.complete(entry, { status: typeof reply === 'string' ? 'dropped' : reply.status });
    return reply;
  } catch (error) {
    log.complete(entry, { status: 500 });
    throw error;
  }
}

/** Applies faults to a request. `serve` handles and answers the request as if there were no faults. */
async function underFaults(
  faults: readonly Fault[],
  closing: AbortSignal,
  serve: () => Promise<Reply>,
): Promise<Reply | Cut> {
  await delay(faults, closing);
  if (closing.aborted || findFault(faults, 'drop-before')) return 'dropped';
  if (findFault(faults, 'reset-before')) return 'reset';
  const early = replacement(faults, 'before');
  const reply = early ?? (await serve());
  if (findFault(faults, 'drop-after')) return 'dropped';
  if (findFault(faults, 'reset-after')) return 'reset';
  return breakAsAsked(replacement(faults, 'after') ?? reply, faults);
}

/** Handles and answers a request. */
async function serve(emulation: Emulation, incoming: Incoming, entry: LoggedRequest): Promise<Reply> {
  const { world, log, save } = emulation;
  const early = earlyAnswer(emulation, incoming);
  if (early) return early;
  try {
    const { route } = incoming;
    if (!route) throw new Refusal('unknown-route', `${incoming.method} ${incoming.path}`);
    const role = authenticate(world, route, incoming.authorization);
    log.complete(entry, { role });
    authorize(route, role, world.dialect);
    const { body, effect, headers, status = 200 } = await route.handle(world, toCall(incoming, entry.faults));
    if (effect) {
      log.complete(entry, { effect });
      await save();
    }
    return { status, body, ...(headers && { headers }) };
  } catch (error) {
    if (error instanceof Refusal) return wordRefusal(error, world.dialect.errors);
    throw error;
  }
}

/** Returns the redirect or refusal that the dialect has for some reads, before any other check. */
function earlyAnswer({ world, reads }: Emulation, { method, server, target }: Incoming): Reply | undefined {
  if (method !== 'GET') return undefined;
  const { redirectedReads, unsteadyReads } = world.dialect;
  if (server === 'api' && redirectedReads && !target.startsWith(`${redirectPrefix}/`))
    return { status: 308, body: '', headers: { location: redirectPrefix + target } };
  reads.count += 1;
  return unsteadyReads && reads.count % unsteadyReads === 0 ? { status: 425, body: 'Try again' } : undefined;
}

/** Path to which the dialect `redirectedReads` redirects. */
export const redirectPrefix = '/v2';

function toCall({ params, query, contentType, text }: Incoming, faults: readonly Fault[]): RouteCall {
  return { params, query, faults, json: () => requireJson(text, contentType) };
}

function requireJson(text: string, contentType: string | undefined): unknown {
  if (text === '') throw new Refusal('invalid-request', 'the body is missing');
  if (!/^application\/json\b/i.test(contentType ?? '')) {
    throw new Refusal('invalid-request', 'content-type is not application/json');
  }
  const value = parsedJson(text);
  if (value === undefined) throw new Refusal('invalid-request', 'the body is not JSON');
  return value;
}

/** Returns the body for the log. */
function parse(text: string): unknown {
  if (text === '') return null;
  const value = parsedJson(text);
  return value === undefined ? text : value;
}

function breakAsAsked(reply: Reply, faults: readonly Fault[]): Reply {
  if (findFault(faults, 'truncated')) return { ...reply, broken: 'truncated' };
  return findFault(faults, 'malformed') ? { ...reply, broken: 'malformed' } : reply;
}
