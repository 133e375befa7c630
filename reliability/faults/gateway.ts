/** A gateway between the tool and one of its peers. It passes everything on, and plays a fault on the selected requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { request } from 'undici';
import { type CallType, callOf, type Peer } from './calls.ts';
import type { FaultKind } from './kind.ts';
import { type Answer, playFault } from './play.ts';

export interface Seen {
  call: CallType | undefined;
  /** `GET /zone/ips?zone=pricing`. */
  line: string;
  /** True if the request reached the peer, so that it took effect. */
  handedOn: boolean;
  /** The status of the peer's answer, if the request reached it. */
  status?: number;
  isHit: boolean;
  /** True if the fault has no effect on this request. */
  isMoot?: boolean;
}

interface Armed {
  call: CallType;
  /** Selects requests of this call, counted from 1 since the fault was armed, before or after the first write to the peer since then. */
  isHit(number: number, hasWritten: boolean): boolean;
  fault: FaultKind;
}

export interface Gateway {
  url: string;
  seen: Seen[];
  arm(armed: Armed | undefined): void;
  /** Resolves when no request is held any more. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface GatewayOptions {
  peer: Peer;
  upstream: string;
  /** The target of redirects, which no request may reach. */
  elsewhere: string;
}

export async function openGateway({ peer, upstream, elsewhere }: GatewayOptions): Promise<Gateway> {
  const seen: Seen[] = [];
  const held = new Set<Promise<unknown>>();
  let armed: (Armed & { count: number; hasWritten: boolean }) | undefined;
  let over = Promise.withResolvers<void>();

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await textOf(incoming);
    const [method = '', target = ''] = [incoming.method, incoming.url];
    const call = callOf(peer, method, target, body);
    const entry: Seen = { call, line: `${method} ${target}`, handedOn: false, isHit: false };
    seen.push(entry);
    const fault = faultFor(call);
    entry.isHit = fault !== undefined;
    const ask = async () => {
      entry.handedOn = true;
      const { body: bytes, ...rest } = await handedOn(upstream, incoming, body);
      const answer: Answer = { ...rest, text: bytes.toString() };
      entry.status = answer.status;
      return answer;
    };
    const answer = await playFault(fault, { ask, outgoing, elsewhere, over: over.promise });
    entry.isMoot = fault !== undefined && answer !== undefined && changesNothing(fault, answer);
  }

  function faultFor(call: CallType | undefined): FaultKind | undefined {
    if (armed === undefined || call === undefined) return undefined;
    const { hasWritten } = armed;
    if (call.kind !== 'read') armed.hasWritten = true;
    if (call !== armed.call) return undefined;
    armed.count += 1;
    return armed.isHit(armed.count, hasWritten) ? armed.fault : undefined;
  }

  const server = createServer((incoming, outgoing) => {
    const served = serve(incoming, outgoing).catch(() => outgoing.destroy());
    held.add(served);
    void served.finally(() => held.delete(served));
  });
  // Never close a connection that a client keeps open.
  server.keepAliveTimeout = 0;
  const url = await listening(server);
  return {
    url,
    seen,
    arm: (rule) => {
      armed = rule && { ...rule, count: 0, hasWritten: false };
      over.resolve();
      over = Promise.withResolvers();
    },
    settled: async () => void (await Promise.all(held)),
    close: () => closed(server),
  };
}

/** Sends a request to another server, and returns its answer. */
export async function handedOn(upstream: string, incoming: IncomingMessage, body: string | Buffer) {
  const { host: _, connection: __, 'accept-encoding': ___, 'transfer-encoding': ____, ...headers } = incoming.headers;
  const method = incoming.method ?? 'GET';
  const sent = { method, headers, ...(body.length === 0 ? {} : { body }) };
  const { statusCode, headers: received, body: stream } = await request(upstream + incoming.url, sent);
  const { connection: _____, 'transfer-encoding': ______, ...answered } = received;
  return { status: statusCode, headers: answered as Answer['headers'], body: Buffer.from(await stream.arrayBuffer()) };
}

/** The body of a refusal does not matter, because its status is enough. */
function changesNothing({ play }: FaultKind, { status, text }: Answer): boolean {
  if (status >= 400 && (play.as === 'body' || play.as === 'cut')) return true;
  return play.as === 'body' && play.headers === undefined && play.change(text) === text;
}

export async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}
