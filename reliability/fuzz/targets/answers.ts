/** Answers of the service, the manager and the trigger service, as bytes on a socket, which the clients read. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createManager } from '../../../src/client/areas/manager/manager.ts';
import { createClient } from '../../../src/client/client.ts';
import { createTriggersClient } from '../../../src/triggers/client.ts';
import { gzipBomb, jsonBomb } from '../bombs.ts';
import { answers } from '../examples.ts';
import { mutatedJson, mutatedText, oddTexts } from '../mutate.ts';
import type { Random } from '../random.ts';
import { canary, type FuzzTarget, shown } from '../target.ts';

interface Input {
  call: number;
  answer: Buffer;
}

type Peers = ReturnType<typeof peersAt>;

export async function openAnswers(): Promise<FuzzTarget<Input>> {
  let answer: Buffer = Buffer.of();
  const server = createServer((socket) => serve(socket, () => answer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const peers = peersAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const bodies = [...answers(), ...ofTriggers];
  return {
    make: (random, number) => ({ call: random.below(calls.length), answer: answerFrom(random, number, bodies) }),
    async take(input) {
      answer = input.answer;
      return JSON.stringify((await calls[input.call]?.(peers)) ?? '').slice(0, 0);
    },
    show: (input) => `${calls[input.call]} ${shown(input.answer.toString('latin1'))}`,
    async [Symbol.asyncDispose]() {
      await Promise.all([peers.client.close(), peers.manager.close(), peers.triggers.close()]);
      server.close();
    },
  };
}

function peersAt(url: string) {
  const options = { url, retry: { retries: 0, maxRetryAfterMs: 1 }, timeoutMs: 4000, maxBodyBytes: 8 * 2 ** 20 };
  const profile = { searchEngineUrl: 'https://search.example.com', manager: { ports: { route: '/api/ports' } } };
  return {
    client: createClient({ ...options, apiKey: canary, profile }),
    manager: createManager({ ...options, profile, token: canary }),
    triggers: createTriggersClient({ ...options, token: canary }),
  };
}

/** Sends the same answer to every request and closes, so that no client waits for the rest. */
function serve(socket: Socket, answer: () => Buffer): void {
  socket.on('error', () => undefined);
  socket.once('data', () => socket.end(answer()));
}

const page = { zone: 'checkout', url: 'https://example.com/' } as const;
const search = { zone: 'serp', query: 'coffee' };

const calls: readonly ((peers: Peers) => Promise<unknown>)[] = [
  ({ client }) => client.zones.ips('checkout'),
  ({ client }) => client.zones.countries('checkout'),
  ({ client }) => client.zones.recentIps('*'),
  ({ client }) => client.zones.migrate({ from: 'a', to: 'b', ips: ['192.0.2.1'] }),
  ({ client }) => client.request({ ...page, format: 'raw' }),
  ({ client }) => client.request({ ...page, format: 'json' }),
  ({ client }) => client.collectors.trigger({ collector: 'c_prices', inputs: [{ url: 'https://shop.example.com/' }] }),
  async ({ client }) => rowsOf(await client.collectors.dataset('j_1')),
  ({ client }) => client.datasets.trigger({ datasetId: 'gd_1', inputs: [{ url: 'https://shop.example.com/' }] }),
  async ({ client }) => rowsOf(await client.datasets.download('s_1')),
  async ({ client }) => rowsOf(await client.datasets.download('s_1', { format: 'ndjson' })),
  ({ client }) => client.reseller.asns('checkout'),
  ({ client }) => client.search.page(search),
  ({ client }) => client.search.reviews({ zone: 'serp', fid: '0x1' }),
  ({ manager }) => manager.readSettings(),
  ({ manager }) => manager.updateSettings({ logs: 5 }),
  ({ manager }) => manager.deletePorts([24000]),
  ({ manager }) => manager.recentStats(),
  ({ manager }) => manager.ports(),
  ({ triggers }) => triggers.records('acme'),
  ({ triggers }) => triggers.schedules(),
  ({ triggers }) => triggers.runs(),
  ({ triggers }) => triggers.totals(),
  ({ triggers }) => triggers.setPaused('acme', 'nightly', true),
];

async function rowsOf(result: object): Promise<number> {
  let count = 0;
  if ('rows' in result) for await (const _ of result.rows as AsyncIterable<unknown>) count += 1;
  return count;
}

const ofTriggers = [
  {
    name: 'records',
    body: {
      deliveries: [],
      schedules: [{ owner: 'a', name: 'b', spec: {}, changedAt: 1, nextTickAt: 1, lastRun: null }],
    },
  },
  { name: 'problems', body: { error: [{ code: 'unknown-schedule', found: 'acme has no schedule', path: ['a', 0] }] } },
  { name: 'totals', body: { now: 1, schedules: 1, paused: 0, deliveries: 0, runs: {}, lateNow: 0, lastEvent: 1 } },
];

function answerFrom(random: Random, number: number, bodies: readonly { body: unknown }[]): Buffer {
  const plain = bodyFrom(random, number, bodies);
  const isGzip = random.oneIn(6);
  const body = number % 2000 === 7 ? gzipBomb(64) : isGzip && !random.oneIn(5) ? gzipSync(plain) : plain;
  const encoding =
    isGzip || body !== plain ? [`content-encoding: ${random.oneIn(8) ? random.pick(oddTexts) : 'gzip'}`] : [];
  const length = random.oneIn(25)
    ? random.pick(['0', '-1', '1e9', '5', String(body.length + 10)])
    : String(body.length);
  const framing = random.oneIn(10) ? 'transfer-encoding: chunked' : `content-length: ${length}`;
  const head = [
    random.oneIn(20) ? random.pick(statusLines) : `HTTP/1.1 ${random.oneIn(3) ? random.pick(statuses) : 200} OK`,
    `content-type: ${random.oneIn(6) ? random.pick(contentTypes) : 'application/json'}`,
    ...encoding,
    framing,
    ...(random.oneIn(6) ? [random.pick(headers)] : []),
  ].join('\r\n');
  const text = random.oneIn(40) ? mutatedText(random, [head], ['\r\n', '\r\n\r\n', '\u0000', ...oddTexts]) : head;
  const whole = Buffer.concat([Buffer.from(`${text}\r\n\r\n`, 'latin1'), body]);
  return random.oneIn(20) ? whole.subarray(0, random.below(whole.length + 1)) : whole;
}

function bodyFrom(random: Random, number: number, bodies: readonly { body: unknown }[]): Buffer {
  if (number % 1000 === 3) return Buffer.from(jsonBomb(random));
  const { body } = random.pick(bodies);
  if (random.oneIn(30)) return Buffer.from(Array.from({ length: random.below(300) }, () => random.below(256)));
  if (random.oneIn(6)) return Buffer.from(mutatedText(random, [JSON.stringify(body) ?? '', ...texts], oddTexts));
  return Buffer.from(mutatedJson(random, body));
}

const texts = [
  '<!doctype html><html><head><title>x</title></head></html>',
  'Snapshot is building, try again',
  '{"a":1}\n{"a":2}\n',
  '[{"a":1},',
];
const statuses = [
  100, 101, 201, 202, 204, 206, 301, 302, 304, 307, 400, 401, 403, 404, 408, 409, 418, 422, 429, 500, 501, 502, 503,
  504, 599, 600, 999,
];
const statusLines = [
  'HTTP/1.0 200 OK',
  'HTTP/1.1 200',
  'HTTP/2 200 OK',
  'HTTP/1.1 99 X',
  'HTTP/1.1 20x OK',
  'ICY 200 OK',
  '',
  'HTTP/1.1 200 OK\r\nHTTP/1.1 200 OK',
];
const contentTypes = [
  'text/html',
  'text/plain; charset=utf-16',
  'application/json; charset=nonsense',
  'text/csv; charset=""',
  '',
  'application/x-ndjson',
];
const headers = [
  ...[
    'retry-after: 999999999999',
    'retry-after: -1',
    'retry-after: Fri, 31 Dec 9999 23:59:59 GMT',
    'retry-after: soon',
  ],
  ...[
    'location: http://169.254.169.254/',
    'location: //elsewhere.example',
    'set-cookie: a=b',
    'connection: upgrade',
    'upgrade: h2c',
  ],
  ...[
    'content-length: 3',
    'transfer-encoding: gzip, chunked',
    'x: \u001b[2J',
    `x: ${'y'.repeat(20_000)}`,
    'trailer: x',
    '__proto__: x',
    'constructor: x',
  ],
];
