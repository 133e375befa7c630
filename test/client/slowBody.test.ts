/** Answers that would never end: given up in bounded time. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { clientOf, failureOf } from './setup.ts';

/** No busy machine pauses for so long between two pieces. */
const timeoutMs = 400;

async function answering(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function drip(response: ServerResponse, piece: string): Promise<void> {
  while (!response.destroyed) {
    response.write(piece);
    await sleep(10);
  }
}

it('an endless answer of a few bytes at a time is abandoned after the timeout', async () => {
  const url = await answering((response) => void drip(response.writeHead(200), ' '));
  const client = clientOf(url, { timeoutMs, retry: { retries: 0 } });
  expect(await failureOf(client.zones.ips('checkout'))).toMatchObject({
    code: 'timed-out',
    message: expect.stringMatching(/was answered 200, but too slowly \(\d+ bytes in 0\.4 s\)$/),
  });
});

it('an answer that takes longer than the timeout is read if it is fast enough', async () => {
  const url = await answering(async (response) => {
    const until = performance.now() + 3 * timeoutMs;
    response.writeHead(200);
    while (performance.now() < until) {
      response.write(' '.repeat(1000));
      await sleep(10);
    }
    response.end('{"ips":[]}');
  });
  expect(await clientOf(url, { timeoutMs, retry: { retries: 0 } }).zones.ips('checkout')).toEqual([]);
});

it('an answer whose content-length exceeds the limit is refused at once', async () => {
  const url = await answering((response) => response.writeHead(200, { 'content-length': `${10 ** 12}` }).write('['));
  const client = clientOf(url, { timeoutMs: 20_000, retry: { retries: 0 } });
  expect(await failureOf(client.zones.ips('checkout'))).toMatchObject({
    code: 'unexpected-answer',
    message: expect.stringMatching(/was answered with more than \d+ bytes$/),
  });
});
