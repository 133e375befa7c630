/** A server in front of another one: it counts the writes that pass, and can lose the answer to one of them. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Relay extends AsyncDisposable {
  url: string;
  /** The writes since the start: `PUT /api/settings {"logs":5}`. */
  writes: string[];
  /** The next write takes effect, and its answer is lost. */
  loseNextAnswer(): void;
  /** The write with this number, from 1, has no effect and is answered with 409. */
  refuseWrite(number: number): void;
}

export async function startRelay(target: string): Promise<Relay> {
  const writes: string[] = [];
  let isLosing = false;
  let refused: number | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const body = Buffer.concat(await incoming.toArray());
    const { method = 'GET', url = '/' } = incoming;
    const isWrite = method !== 'GET';
    if (isWrite) writes.push(`${method} ${url} ${body}`);
    if (isWrite && writes.length === refused) {
      refused = undefined;
      outgoing.writeHead(409).end('busy');
      return;
    }
    const { host: _, ...headers } = incoming.headers;
    const sent = request(new URL(url, target), { method, headers });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    const content = Buffer.concat(await answer.toArray());
    if (isWrite && isLosing) {
      isLosing = false;
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(answer.statusCode, answer.headers);
    outgoing.end(content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes,
    loseNextAnswer: () => {
      isLosing = true;
    },
    refuseWrite: (number) => {
      refused = number;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
