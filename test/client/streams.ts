/** What the tests of streamed answers share. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** All that an iteration gives. */
export async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A server that answers everything with these bytes, said to be of this encoding, and then ends the answer as if it were whole. */
export function serverOfBytes(bytes: Uint8Array, encoding: string, status = 200): Promise<string> {
  return serverOf(bytes, { 'content-encoding': encoding }, status);
}

/** A server that answers everything with these bytes and headers. */
export async function serverOf(bytes: Uint8Array, headers: Record<string, string>, status = 200): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status, headers).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
