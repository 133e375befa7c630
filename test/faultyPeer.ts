/** A server in front of another one, for tests that lose, hold, change or refuse what passes. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { request } from 'undici';

/** A request on its way. */
export interface Passing {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Lets the request take effect, and returns the answer to it. */
  handOn(): Promise<PassedAnswer>;
  outgoing: ServerResponse;
}

export interface PassedAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

export interface FaultyPeer extends AsyncDisposable {
  url: string;
  /** Resolves when no request is held any more. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a peer; `upstream` returns the address behind it for each path, and `serve` decides about each request. */
export async function openFaultyPeer(
  upstream: (path: string) => string,
  serve: (passing: Passing) => Promise<void> | void,
): Promise<FaultyPeer> {
  const held = new Set<Promise<void>>();

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const body = await buffer(incoming);
    await serve({ method, path, headers, body, outgoing, handOn: () => handOn(upstream(path) + path, incoming, body) });
  }

  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', () => undefined);
    const passed = pass(incoming, outgoing).catch(() => void outgoing.destroy());
    held.add(passed);
    void passed.finally(() => held.delete(passed));
  });
  // Never close a connection that a client keeps open.
  server.keepAliveTimeout = 0;
  const close = () => closed(server);
  return {
    url: await listening(server),
    settled: async () => void (await Promise.all(held)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Answers as the server behind the peer does. */
export function passOn({ status, headers, body }: PassedAnswer, outgoing: ServerResponse): void {
  outgoing.writeHead(status, headers).end(body);
}

async function handOn(url: string, incoming: IncomingMessage, body: Buffer): Promise<PassedAnswer> {
  const { host: _, connection: __, 'accept-encoding': ___, 'transfer-encoding': ____, ...headers } = incoming.headers;
  const method = incoming.method ?? 'GET';
  const {
    statusCode,
    headers: received,
    body: stream,
  } = await request(url, {
    method,
    headers,
    ...(body.length > 0 && { body }),
  });
  const { connection: _____, 'transfer-encoding': ______, ...answered } = received;
  return {
    status: statusCode,
    headers: answered as PassedAnswer['headers'],
    body: Buffer.from(await stream.arrayBuffer()),
  };
}

export async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}
