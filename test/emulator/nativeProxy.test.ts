/** The native proxy on the wire: who may use it, which pages and targets it has, tunnels, and what is left when it closes. */
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type AccountInput, type Emulator, writeReadyFile } from '../../src/emulator/index.ts';
import { loopback } from '../client/loopback.ts';
import { small, start } from './helpers.ts';

const account: AccountInput = {
  ...small,
  zones: { ...small.zones, results: { type: 'search', password: 'results-password' } },
  pages: {
    'http://example.com/': { body: 'Example page' },
    'http://example.com/gone': { body: 'Gone', status: 410, type: 'text/plain' },
  },
};

const user = 'svc-customer-hl_example-zone-checkout';
const good = basic(`${user}:checkout-password`);

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

async function ask(emulator: Emulator, path: string, authorization: string | undefined = good, method = 'GET') {
  const { hostname, port } = new URL(emulator.proxyUrl ?? '');
  const headers = authorization === '' ? {} : { 'proxy-authorization': authorization };
  return new Promise<Got>((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const got = (chunks: Buffer[]): Got => {
        const text = Buffer.concat(chunks).toString();
        return { status: response.statusCode ?? 0, headers: response.headers, text };
      };
      response.toArray().then((chunks) => resolve(got(chunks)), reject);
    });
    asked.on('error', reject).end();
  });
}

/** A tunnel, or what was answered in its place. */
async function tunnel(emulator: Emulator, target: string, authorization = good) {
  const { hostname, port } = new URL(emulator.proxyUrl ?? '');
  const asked = request({
    ...{ hostname, port, path: target, method: 'CONNECT', agent: false },
    headers: { 'proxy-authorization': authorization },
  }).end();
  const [{ statusCode, headers }, socket] = (await once(asked, 'connect')) as [
    { statusCode: number; headers: IncomingHttpHeaders },
    Socket,
    Buffer,
  ];
  onTestFinished(() => void socket.destroy());
  return { status: statusCode, headers, socket };
}

async function through(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  return Buffer.concat(await socket.toArray()).toString();
}

/** A server that answers nothing, and the sockets that reached it. */
async function silent() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { target: `127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

const proxied = (more: AccountInput = account) => start(more, { proxyPort: 0 });

describe('who may use it', () => {
  test.each([
    ['nothing', ''],
    ['no Basic', 'Bearer checkout-password'],
    ['the password of another zone', basic(`${user}:results-password`)],
    ['no password', basic(user)],
    ['a password in other case', basic(`${user}:Checkout-password`)],
    ['a zone that there is not', basic('svc-customer-hl_example-zone-chekout:checkout-password')],
    ['a zone in other case', basic('svc-customer-hl_example-zone-Checkout:checkout-password')],
    ['another account', basic('svc-customer-hl_other-zone-checkout:checkout-password')],
    ['a space in the user name', basic('svc-customer-hl_example-zone-checkout :checkout-password')],
    ['a name without a value', basic(`${user}-country:checkout-password`)],
    ['a name of every object', basic('svc-customer-hl_example-zone-constructor:undefined')],
  ])('%s: 407 on both ways, and nothing is connected to', async (_, authorization) => {
    const { target, sockets } = await silent();
    const emulator = await proxied();
    const plain = await ask(emulator, 'http://example.com/', authorization);
    expect([plain.status, plain.headers['proxy-authenticate']]).toEqual([407, 'Basic realm="native proxy"']);
    const { status, headers } = await tunnel(emulator, target, authorization);
    expect([status, headers['proxy-authenticate']]).toEqual([407, 'Basic realm="native proxy"']);
    expect(sockets).toEqual([]);
  });

  test('the log shows the requests, and no credentials', async () => {
    const emulator = await proxied();
    await ask(emulator, 'http://someone:hidden-one@example.com/?q=1');
    await ask(emulator, 'http://example.com/', basic(`${user}:wrong-password`));
    await tunnel(emulator, 'example.com:443');
    expect(emulator.requests()).toMatchObject([
      { server: 'proxy', method: 'GET', path: 'http://example.com/', query: { q: '1' } },
      { server: 'proxy', method: 'GET', path: 'http://example.com/', status: 407 },
      { server: 'proxy', method: 'CONNECT', path: 'example.com:443', status: 403 },
    ]);
    expect(JSON.stringify(emulator.requests())).not.toMatch(/password|hidden-one|c3ZjLWN1c3RvbWVy|svc-customer/);
  });
});

describe('plain requests', () => {
  test('return the pages of the account with their status, whatever options the user name has', async () => {
    const emulator = await proxied();
    const page = await ask(emulator, 'http://example.com/');
    expect(page).toMatchObject({ status: 200, text: 'Example page' });
    const german = basic(`${user}-country-de:checkout-password`);
    expect(await ask(emulator, 'http://example.com/', german)).toMatchObject({ status: 200, text: 'Example page' });
    expect(await ask(emulator, 'http://example.com/gone')).toMatchObject({ status: 410, text: 'Gone' });
    expect(await ask(emulator, 'http://example.com/', good, 'HEAD')).toMatchObject({ status: 200, text: '' });
  });

  test('are refused with the texts of the dialect', async () => {
    const errors = { 'invalid-request': { status: 418, body: { reason: 'odd: {detail}' } } };
    const emulator = await proxied({ ...account, dialect: { errors } });
    const { status, headers, text } = await ask(emulator, 'http://elsewhere.example.com/');
    expect([status, headers['content-type']]).toEqual([418, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toEqual({ reason: expect.stringMatching(/^odd: url: http:\/\/elsewhere/) });
  });

  test('fetch only from the targets', async () => {
    const target = await loopback({ body: 'from the target' });
    const emulator = await proxied();
    expect(await ask(emulator, `${target.url}/a`)).toMatchObject({ status: 200, text: 'from the target' });
    const closed = await proxied({ ...account, targets: ['example.com'] });
    expect(await ask(closed, `${target.url}/b`)).toMatchObject({ status: 400 });
    expect(target.requests.map(({ path }) => path)).toEqual(['/a']);
  });

  test.each([
    ['/', 'GET', 400],
    ['ftp://example.com/', 'GET', 400],
    ['http://', 'GET', 400],
    ['http://example.com/', 'POST', 405],
  ])('%s by %s is answered %i', async (path, method, status) => {
    expect(await ask(await proxied(), path, good, method)).toMatchObject({ status });
  });
});

describe('tunnels', () => {
  test('carry data in both directions, and end when the target ends', async () => {
    const target = await loopback({ body: 'x'.repeat(1_000_000), headers: { connection: 'close' } });
    const emulator = await proxied();
    const { status, socket } = await tunnel(emulator, `127.0.0.1:${target.port}`);
    expect(status).toBe(200);
    const answer = await through(socket, 'GET /deep HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe('x'.repeat(1_000_000));
    expect(target.requests).toMatchObject([{ path: '/deep' }]);
    expect(target.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
    expect(emulator.requests()).toMatchObject([{ method: 'CONNECT', status: 200 }]);
  });

  test.each([
    'example.com:443',
    '127.0.0.2:80',
    '127.0.0.1',
    '127.0.0.1:0',
    '127.0.0.1:99999',
    'a@127.0.0.1:80',
  ])('%s is refused', async (target) => {
    expect(await tunnel(await proxied(), target)).toMatchObject({ status: 403 });
  });

  test('a target without a listener is a bad gateway', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const emulator = await proxied();
    expect(await tunnel(emulator, `127.0.0.1:${port}`)).toMatchObject({ status: 502 });
    expect(emulator.requests()).toMatchObject([{ status: 502 }]);
  });
});

test('closing cuts a tunnel that hangs, at both its ends, and frees the port', async () => {
  const { target, sockets } = await silent();
  const emulator = await proxied();
  const { socket } = await tunnel(emulator, target);
  await expect.poll(() => sockets.length).toBe(1);
  for (const end of [socket, ...sockets]) end.on('error', () => undefined).resume();
  const ends = [socket, ...sockets].map((end) => once(end, 'close'));
  await emulator.close();
  await Promise.all(ends);
  const { hostname, port } = new URL(emulator.proxyUrl ?? '');
  const [error] = await once(connect(Number(port), hostname), 'error').catch((fault: unknown) => [fault]);
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

test('listens only if it is enabled, and is then in the ready file', async () => {
  const file = join(tmpdir(), `ready-${process.pid}-proxy.json`);
  onTestFinished(() => rm(file, { force: true }));
  const without = await start(account);
  expect(without.proxyUrl).toBeUndefined();
  await writeReadyFile(without, file);
  expect(JSON.parse(await readFile(file, 'utf8'))).not.toHaveProperty('proxyUrl');
  const emulator = await proxied();
  await writeReadyFile(emulator, file);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ proxyUrl: emulator.proxyUrl });
});
