/** Requests through a proxy. The names of its servers exist only for the proxy, which is a real one on loopback. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openHarness } from '../harness.ts';

interface Proxy extends AsyncDisposable {
  url: string;
  /** `GET http://host/path` and `CONNECT host:port`, and the credentials. */
  seen: string[];
}

/** Forwards http requests for any host to this server, and refuses tunnels. */
async function openProxy(target: string): Promise<Proxy> {
  const seen: string[] = [];
  const note = ({ method, url, headers }: IncomingMessage) => {
    const credentials = headers['proxy-authorization'] ?? '';
    seen.push(`${method} ${url} ${Buffer.from(credentials.replace('Basic ', ''), 'base64')}`.trim());
  };
  const server = createServer((incoming: IncomingMessage, response: ServerResponse) => {
    note(incoming);
    const { pathname, search } = new URL(incoming.url ?? '/');
    const { method } = incoming;
    // The emulator answers to names of this machine only.
    const headers = { ...incoming.headers, host: new URL(target).host };
    const onward = request(target + pathname + search, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(onward);
  });
  server.on('connect', (incoming, socket) => {
    note(incoming);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const patience = ['--retries', '0', '--timeout', '20'];

describe('requests through a proxy', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])('%s carries them, with its credentials', async (name) => {
    await using harness = await openHarness('plain');
    await using proxy = await openProxy(harness.emulator.apiUrl);
    const env = { WEBDATA_API_URL: 'http://service.invalid', [name]: `http://me:hunter2@${proxy.url}` };
    const shown = await harness.webdataWith({ env }, 'show', '--zone', 'checkout', ...patience);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/^checkout {2}8/m) });
    expect(proxy.seen).toEqual(['GET http://service.invalid/zone/ips?zone=checkout me:hunter2']);
    const doctor = await harness.webdataWith({ env }, 'doctor', ...patience);
    expect(doctor.stdout).toContain(`http://service.invalid is reached through http://${proxy.url} (${name})`);
    expect(doctor.stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+ is reached directly/);
    expect(doctor.stdout).not.toContain('hunter2');
  });

  it('an https URL needs a tunnel, and a refused one is an error that names the proxy', async () => {
    await using harness = await openHarness('plain');
    await using proxy = await openProxy(harness.emulator.apiUrl);
    const env = { WEBDATA_API_URL: 'https://service.invalid', HTTPS_PROXY: proxy.url };
    const { code, stderr } = await harness.webdataWith({ env }, 'show', ...patience);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`through the proxy http://${proxy.url}`),
    });
    expect(proxy.seen).toEqual(['CONNECT service.invalid:443']);
  });

  it('this machine is never reached through one', async () => {
    await using harness = await openHarness('plain');
    await using proxy = await openProxy(harness.emulator.apiUrl);
    const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
    expect(await harness.webdataWith({ env }, 'show')).toMatchObject({ code: 0 });
    expect(proxy.seen).toEqual([]);
  });

  it('a variable that is no address is refused, without its password', async () => {
    await using harness = await openHarness('plain');
    const env = { WEBDATA_API_URL: 'http://service.invalid', HTTP_PROXY: '"http://me:hunter2@proxy:3128"' };
    const { code, stderr } = await harness.webdataWith({ env }, 'show', ...patience);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('HTTP_PROXY is in quotation marks') });
    expect(stderr).not.toContain('hunter2');
  });
});
