/** A real server on 127.0.0.1 that keeps what it is sent and answers from a script: no mock stands between the client and its socket. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

export interface Received {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** Parsed JSON; undefined where there was none. */
  body: unknown;
}

export interface Reply {
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  /** A string goes out as it is, anything else as JSON. */
  body?: unknown;
  delayMs?: number;
  /** `drop`: the connection breaks without an answer; `truncate`, `stall`: it breaks, or goes silent, after half of the body; `silence`: no answer. */
  fault?: 'drop' | 'truncate' | 'stall' | 'silence';
}

export interface Loopback {
  url: string;
  port: number;
  requests: Received[];
  /** How many connections were opened so far. */
  connections(): number;
  /** The most connections that were open at a time. */
  mostOpen(): number;
}

type Script = Reply[] | [(request: Received) => Reply | Promise<Reply>];

/** Answers with each reply in turn, then with the last one again and again; or with what a function says. Closed when the test ends. */
export async function loopback(...script: Script): Promise<Loopback> {
  const server = await openLoopback(...script);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** The same for tests that run side by side, which close it themselves. */
export async function openLoopback(...script: Script): Promise<Loopback & AsyncDisposable> {
  const requests: Received[] = [];
  let connections = 0;
  let open = 0;
  let mostOpen = 0;
  const server = createServer(async (request, response) => {
    const received = await receive(request);
    requests.push(received);
    const step = script[Math.min(requests.length, script.length) - 1] ?? {};
    await answer(response, typeof step === 'function' ? await step(received) : step);
  });
  server.on('connection', (socket) => {
    connections += 1;
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    socket.once('close', () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    mostOpen: () => mostOpen,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://loopback');
  return {
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

async function answer(response: ServerResponse, { status = 200, headers, body = '', delayMs, fault }: Reply) {
  if (delayMs !== undefined) await sleep(delayMs);
  if (fault === 'silence') return;
  if (fault === 'drop') return response.destroy();
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
  if (fault === undefined) return response.end(text);
  response.write(text.slice(0, text.length / 2));
  if (fault === 'truncate') setTimeout(() => response.destroy(), 20);
}
