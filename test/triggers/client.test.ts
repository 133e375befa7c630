/** The client of the trigger service, where something else answers in its place. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTriggersClient, type TriggersClient } from '../../src/index.ts';

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Sign in</title></html>');
});
let client: TriggersClient;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  client = createTriggersClient({ url: `http://127.0.0.1:${port}`, token: 'token' });
});

afterAll(async () => {
  await client.close();
  await new Promise((done) => server.close(done));
});

it.each(['deleteDelivery', 'deleteSchedule'] as const)('%s does not take a page for a removal', async (remove) => {
  await expect(client[remove]('acme', 'nightly')).rejects.toThrow('with an HTML page instead of JSON');
});
