/**
 * Answers that are larger than memory should be: read by the built client in a process of its own, from an emulator in another.
 * WEBDATA_LARGE=1 reads a gigabyte, the largest that the specification speaks of; nothing but a person sets it.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountSchema } from '../../src/emulator/account/account.ts';
import { rowText } from '../../src/emulator/jobs/rowText.ts';
import { type Running, start } from './process.ts';

const megabyte = 1024 * 1024;
const isFull = process.env.WEBDATA_LARGE === '1';
const size = (isFull ? 1024 : 128) * megabyte;
/** Node frees the buffers of a socket late: 90 for the client, and about 100 of these whatever the size. */
const allowedMb = 220;
const patienceMs = 10 * 60_000;

/** Something like a product of a shop, of some 4 KB. */
const row = {
  name: 'Product {n} – Größe „M“',
  url: 'https://shop.example.com/products/{n}?ref=list',
  description: 'A text, with "quotes" and [brackets], that says again and again what it is. '.repeat(45),
  offers: [1, 2, 3, 4, 5, 6].map((seller) => ({ seller, price: 1.25 * seller, stock: true })),
};
const inputs = [{ url: 'https://shop.example.com/' }];
const bytesOfRow = Buffer.byteLength(JSON.stringify({ ...row, input: inputs[0] }));
const source = { row, rows: Math.ceil(size / bytesOfRow) };
const account = {
  id: 'hl_large',
  zones: {},
  datasets: { gd_large: source },
  collectors: { c_large: source },
};

describe(`${size / megabyte} MB`, () => {
  let folder: string;
  let emulator: Running;
  let url: string;
  let key: string;
  /** The emulator again, as a service that does not compress. */
  let plain: Awaited<ReturnType<typeof uncompressed>>;
  let expected: ReturnType<typeof digests>;
  const table: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'webdata-large-'));
    await writeFile(join(folder, 'account.yaml'), JSON.stringify(account));
    const options = ['--account', 'account.yaml', '--manager-port', '0', '--ready-file', 'ready.json'];
    emulator = start(['emulator', ...options], { cwd: folder, env: {} });
    const ready = await untilReady(join(folder, 'ready.json'));
    url = ready.apiUrl;
    key = ready.keys.user;
    plain = await uncompressed(url);
    expected = digests();
  }, patienceMs);

  afterAll(async () => {
    plain.close();
    emulator.child.kill('SIGTERM');
    await emulator.finished;
    await rm(folder, { recursive: true });
    process.stdout.write(`${table.join('\n')}\n`);
  });

  async function read(encoding: string, into: string, format: string, from: string) {
    const address = encoding === 'gzip' ? url : plain.url;
    const result = await inOwnProcess([address, key, from, format, into]);
    const what = into === 'rows' ? 'rows' : 'save';
    table.push(
      `${from} ${what} ${format} ${encoding}: ${Math.round(result.peakMb)} MB, ${result.seconds.toFixed(1)} s`,
    );
    return result;
  }

  const pairs = (['json', 'ndjson'] as const).flatMap((format) => [
    [format, 'gzip'] as const,
    [format, 'plain'] as const,
  ]);

  /** All pairs of format and encoding where there is time. */
  it.each(isFull ? pairs : [['json', 'gzip'] as const])(
    'a snapshot as %s, %s, is saved in little memory',
    async (format, encoding) => {
      const file = join(folder, 'saved');
      const { bytes, peakMb } = await read(encoding, file, format, 'gd_large');
      expect(await digestOfFile(file)).toBe(expected[format]);
      expect(bytes).toBe((await stat(file)).size);
      expect(bytes).toBeGreaterThan(size);
      expect(peakMb).toBeLessThan(allowedMb);
    },
    patienceMs,
  );

  it.each([
    ...(isFull ? pairs : [['ndjson', 'plain'] as const]).map((pair) => ['a snapshot', ...pair, 'gd_large'] as const),
    ['the result of a run', 'json', 'gzip', 'c_large'] as const,
  ])(
    '%s as %s, %s, is read row by row in little memory',
    async (_what, format, encoding, from) => {
      const { count, digest, peakMb } = await read(encoding, 'rows', format, from);
      expect({ count, digest }).toEqual({ count: source.rows, digest: expected.ndjson });
      expect(peakMb).toBeLessThan(allowedMb);
    },
    patienceMs,
  );
});

interface Result {
  count?: number;
  digest?: string;
  bytes?: number;
  seconds: number;
  peakMb: number;
}

/** Runs the reader without its types: Node would take them out in its process, in memory of some 15 MB. */
async function inOwnProcess(args: string[]): Promise<Result> {
  const code = stripTypeScriptTypes(await readFile(new URL('largeReader.ts', import.meta.url), 'utf8'));
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code, ...args]);
  return JSON.parse(stdout);
}

async function untilReady(file: string): Promise<{ apiUrl: string; keys: { user: string } }> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined) return JSON.parse(text);
    await sleep(20);
  }
}

/** In front of the service: takes out what asks for a compressed answer. */
async function uncompressed(service: string) {
  const server = createServer((incoming, outgoing) => {
    const { 'accept-encoding': _, ...headers } = incoming.headers;
    const onward = request(new URL(incoming.url ?? '', service), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      void pipeline(answer, outgoing).catch(() => undefined);
    });
    void pipeline(incoming, onward).catch(() => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** Of what the emulator has to say, in each format. */
function digests() {
  const { gd_large } = accountSchema.parse(account).datasets;
  if (gd_large === undefined) throw new Error('the account has no dataset');
  const run = { source: gd_large, inputs };
  const digestOf = (format: 'json' | 'ndjson') => {
    const hash = createHash('sha256');
    let text = '';
    for (const part of rowText(run, format)) {
      text += part;
      if (text.length < 100_000) continue;
      hash.update(text);
      text = '';
    }
    return hash.update(text).digest('hex');
  };
  return { json: digestOf('json'), ndjson: digestOf('ndjson') };
}

async function digestOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
