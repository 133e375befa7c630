/** A proxy of the trigger service whose answers to changes are lost. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Passes requests on, and answers those that change something with this status, or not at all. */
export async function openDeafProxy(target: string, status?: number): Promise<AsyncDisposable & { url: string }> {
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const { method = 'GET', url = '/', headers } = request;
    const passed = { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' };
    const body = sent.length > 0 ? { body: new Uint8Array(sent) } : {};
    const answer = await fetch(target + url, { method, headers: passed, ...body });
    const text = await answer.text();
    if (method === 'PUT') status === undefined ? response.destroy() : response.writeHead(status).end();
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
