/** The native proxy: plain requests and tunnels for clients with the password of a zone, to the same targets as `/request`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pageAt } from '../account/pages.ts';
import { Refusal, wordRefusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import type { Emulation, Reply } from '../http/exchange.ts';
import type { LoggedRequest } from '../http/requestLog.ts';
import { joinEnds, reachTarget } from '../http/tunnel.ts';
import { challenge, isCaller } from './proxyCredentials.ts';

export function createNativeProxy(emulation: Emulation) {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void answerPlain(emulation, request, response));
  server.on('connection', (socket) => keep(sockets, socket));
  server.on('connect', (request, client, head) => {
    const opened = (upstream: Socket) => keep(sockets, upstream);
    void answerConnect(emulation, arrived(emulation, request), { request, client, head, opened });
  });
  return {
    /** Listens and returns the base URL, without credentials. */
    listen: (host: string, port: number) => listening(server, host, port),
    /** Closes all connections, including tunnels. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function answerPlain(emulation: Emulation, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { world, log } = emulation;
  const entry = arrived(emulation, request);
  // The request body is not read.
  request.resume();
  const reply = await plainAnswer(world, request).catch((error) => failed(error, world));
  log.complete(entry, { status: reply.status });
  const { text, headers } = written(reply);
  response.writeHead(reply.status, { ...headers, 'content-length': Buffer.byteLength(text) });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Answers by the rules of a proxied request (A), but with the status of the page. @throws Refusal */
async function plainAnswer(world: World, { method = '', url = '', headers }: IncomingMessage): Promise<Reply> {
  if (!isCaller(world, headers['proxy-authorization'])) return said(407, challenge.text, challenge.headers);
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url))
    return said(400, 'Bad request: a proxy requires complete URLs');
  if (method !== 'GET' && method !== 'HEAD')
    return said(405, 'Only GET and HEAD, without a tunnel', { allow: 'GET, HEAD' });
  const page = await pageAt(url, world.account);
  return { status: page.status, headers: { 'content-type': page.type }, body: page.text };
}

interface Tunnel {
  request: IncomingMessage;
  client: Duplex;
  head: Buffer;
  /** Called with the connection to the target. */
  opened(upstream: Socket): void;
}

async function answerConnect({ world, log }: Emulation, entry: LoggedRequest, tunnel: Tunnel): Promise<void> {
  const { client, head } = tunnel;
  // A client that disconnects is not an error.
  client.on('error', () => client.destroy());
  const answer = await connectAnswer(world, tunnel);
  log.complete(entry, { status: 'status' in answer ? answer.status : 200 });
  if ('status' in answer) client.end(refusalText(answer));
  else joinEnds(client, answer, head);
}

/** Returns the connection to the target, or the reason why there is none. */
async function connectAnswer(world: World, { request, client, opened }: Tunnel): Promise<Socket | Reply> {
  const target = request.url ?? '';
  if (!isCaller(world, request.headers['proxy-authorization'])) {
    return said(407, challenge.text, challenge.headers);
  }
  const address = allowedAddress(target, world.account.targets);
  if (address === undefined) return said(403, `${target} is not one of the emulator's targets`);
  return reachTarget(client, address, opened).catch((error: NodeJS.ErrnoException) =>
    said(502, `${target} cannot be reached: ${error.code}`),
  );
}

function allowedAddress(target: string, targets: readonly string[]) {
  const [, host = '', port = ''] = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/.exec(target.toLowerCase()) ?? [];
  const isAllowed = targets.includes(host) || targets.includes(`${host}:${port}`);
  if (!isAllowed || Number(port) < 1 || Number(port) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Returns a complete HTTP answer as text, for a bare socket. */
function refusalText(reply: Reply): string {
  const { text, headers } = written(reply);
  const all = { ...headers, 'content-length': `${Buffer.byteLength(text)}`, connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n${lines.join('')}\r\n${text}`;
}

/** Returns the text of an answer. The dialect may word a refusal as JSON; all others are text with their type. */
function written({ body, headers }: Reply): { text: string; headers: Record<string, string> } {
  if (typeof body === 'string') return { text: body, headers: { ...plainText, ...headers } };
  return { text: JSON.stringify(body), headers: { 'content-type': 'application/json; charset=utf-8', ...headers } };
}

const plainText = { 'content-type': 'text/plain; charset=utf-8' };

function said(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { ...headers }, body };
}

function failed(error: unknown, { dialect }: World): Reply {
  return error instanceof Refusal ? wordRefusal(error, dialect.errors) : said(500, 'The emulator failed');
}

/** Logs a request without its headers, which contain the password, and without anything before the host of its URL. */
function arrived({ world, log }: Emulation, { method = '', url: target = '' }: IncomingMessage): LoggedRequest {
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
