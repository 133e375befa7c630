/** The native proxy: plain requests and tunnels for whoever has the password of a zone, to the targets of `/request` and no other. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Refusal, wordRefusal } from './core/refusal.ts';
import type { World } from './core/world.ts';
import type { Emulation } from './exchange.ts';
import { pageAt } from './pages.ts';
import { peerOf } from './peers.ts';
import { type Caller, callerOf, challenge } from './proxyCredentials.ts';
import type { LoggedRequest } from './requestLog.ts';
import { searchPageAt } from './search.ts';
import { openTunnel } from './tunnel.ts';

export interface NativeProxy {
  /** Listens and returns the base URL, without credentials. */
  listen(host: string, port: number): Promise<string>;
  /** Cuts all connections, tunnels included. */
  close(): Promise<void>;
}

export function createNativeProxy(emulation: Emulation): NativeProxy {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void answerPlain(emulation, request, response));
  server.on('connection', (socket) => keep(sockets, socket));
  server.on('connect', (request, client, head) => {
    const upstream = answerConnect(emulation, request, client, head);
    if (upstream) keep(sockets, upstream);
  });
  return {
    listen: (host, port) => listening(server, host, port),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

interface PlainAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

async function answerPlain(emulation: Emulation, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { world, log } = emulation;
  const entry = arrived(emulation, request, request.url ?? '');
  const { status, headers, text } = await plainAnswer(world, request).catch(failed);
  log.complete(entry, { status });
  // What the client sent beside its request is not read.
  request.resume();
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** By the rules of a proxied request (A), but with the status of the page. @throws Refusal */
async function plainAnswer(world: World, { method = '', url = '', headers }: IncomingMessage): Promise<PlainAnswer> {
  const caller = callerOf(world, headers['proxy-authorization']);
  if (caller === undefined) return said(407, challenge.text, challenge.headers);
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url))
    return said(400, 'Bad request: a proxy is asked for whole URLs');
  if (method !== 'GET' && method !== 'HEAD')
    return said(405, 'Only GET and HEAD, without a tunnel', { allow: 'GET, HEAD' });
  const peer = peerOf(world, peerChoice(caller));
  const page = searchPageAt(url, caller.zone, world) ?? (await pageAt(url, world.account));
  return { status: page.status, headers: { 'content-type': page.type, 'x-peer-ip': peer }, text: page.text };
}

/** The connection to the target, where one is made. */
function answerConnect(
  emulation: Emulation,
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
): Socket | undefined {
  const { world, log } = emulation;
  const target = request.url ?? '';
  const entry = arrived(emulation, request, target);
  const end = (status: number) => log.complete(entry, { status });
  // A client that went away is nobody's fault.
  client.on('error', () => client.destroy());
  if (callerOf(world, request.headers['proxy-authorization']) === undefined) {
    end(407);
    return refuse(client, '407 Proxy Authentication Required', challenge.text, challenge.headers);
  }
  const address = allowedAddress(target, world.account.targets);
  if (address === undefined) {
    end(403);
    return refuse(client, '403 Forbidden', `${target} is not among the targets of the emulator`);
  }
  return openTunnel(client, address, head, (error) => {
    end(error === undefined ? 200 : 502);
    if (error !== undefined) refuse(client, '502 Bad Gateway', `${target} cannot be reached: ${error.code}`);
  });
}

function allowedAddress(target: string, targets: readonly string[]) {
  const [, host = '', port = ''] = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/.exec(target.toLowerCase()) ?? [];
  const isAllowed = targets.includes(host) || targets.includes(`${host}:${port}`);
  if (!isAllowed || Number(port) < 1 || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

function peerChoice({ zone, options }: Caller) {
  const { asn, ...rest } = options;
  return { ...rest, ...(asn !== undefined && { ASN: asn }), zone };
}

function refuse(
  client: Duplex,
  status: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): undefined {
  const length = `${Buffer.byteLength(text)}`;
  const lines = Object.entries({ ...plainText, ...headers, 'content-length': length, connection: 'close' });
  client.end(`HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`);
}

const plainText = { 'content-type': 'text/plain; charset=utf-8' };

function said(status: number, text: string, headers: Readonly<Record<string, string>> = {}): PlainAnswer {
  return { status, headers: { ...plainText, ...headers }, text };
}

function failed(error: unknown): PlainAnswer {
  if (error instanceof Refusal) {
    const { status, body } = wordRefusal(error, {});
    return said(status, String(body));
  }
  return said(500, 'The emulator failed');
}

/** Without the headers, which hold the password, and without what a URL may hold before its host. */
function arrived({ world, log }: Emulation, { method = '' }: IncomingMessage, target: string): LoggedRequest {
  const time = world.clock().toISOString();
  const url = method === 'CONNECT' ? null : URL.parse(target);
  const path = url ? `${url.origin}${url.pathname}` : target;
  const query = Object.fromEntries(url?.searchParams ?? []);
  return log.arrive({ server: 'proxy', time, method, path, query, body: null, route: 'proxy' });
}

function keep(sockets: Set<Socket>, socket: Socket): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
}

function listening(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      const { address, family, port: taken } = server.address() as AddressInfo;
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`);
    });
  });
}
