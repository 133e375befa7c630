/** Whoever only holds connections keeps nobody out. */
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { shareConnections } from '../../../src/base/http/connections.ts';

async function serverOf(most: number) {
  const server = createServer((request, response) => {
    if (request.url === '/slow') response.write('begun');
    else response.end('answered');
  });
  shareConnections(server, most);
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function hold(port: number, count: number, words = ''): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) if (words !== '') socket.write(words);
  return sockets;
}

async function ask(port: number, path = '/') {
  const [answer] = await once(get({ port, path, agent: false }), 'response');
  return answer;
}

it.each([
  ['say nothing', ''],
  ['never end their headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-A: '],
])('is answered while others %s', async (_, words) => {
  const port = await serverOf(5);
  const held = await hold(port, 30, words);
  await sleep(50);
  expect(await text(await ask(port))).toBe('answered');
  expect(held.filter(({ readyState }) => readyState === 'open').length).toBeLessThanOrEqual(5);
});

it('cuts no request off that is being answered', async () => {
  const port = await serverOf(5);
  const slow = await ask(port, '/slow');
  await hold(port, 30);
  await sleep(50);
  expect(await text(await ask(port))).toBe('answered');
  expect(slow.destroyed).toBe(false);
});
