/** The service of the sample kind: `GET`, `PUT` and `DELETE /banners/NAME`, each banner a text. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BannerServer extends AsyncDisposable {
  url: string;
  banners: Map<string, string>;
}

export async function startBannerServer(): Promise<BannerServer> {
  const banners = new Map<string, string>();
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.method === 'PUT') banners.set(name, JSON.parse(body).text);
    if (request.method === 'DELETE') banners.delete(name);
    const text = banners.get(name);
    response.statusCode = request.method === 'GET' && text === undefined ? 404 : 200;
    response.end(JSON.stringify({ text: text ?? null }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    banners,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
