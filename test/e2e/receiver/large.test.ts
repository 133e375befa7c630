/**
 * A delivery that is larger than memory should be, received by the built receiver in a process of its own.
 * WEBDATA_LARGE=1 sends a gigabyte, the largest that the specification speaks of; nothing but a person sets it.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { filesIn, record, sending } from '../../receiver/helpers.ts';
import { startProcess, stop, temporaryFolder } from './process.ts';

const megabyte = 1024 * 1024;
const size = (process.env.WEBDATA_LARGE === '1' ? 1024 : 128) * megabyte;
const allowedMb = 150;
const patienceMs = 5 * 60_000;

describe.skipIf(process.platform !== 'linux')(`${size / megabyte} MB`, () => {
  const table: string[] = [];
  afterAll(() => {
    process.stdout.write(`${table.join('\n')}\n`);
  });

  it.each(['gzip', 'plain'])(
    'delivered as %s is kept whole, in little memory',
    async (encoding) => {
      await using folder = await temporaryFolder();
      const receiver = await startProcess(folder.path, ['--folder', 'kept']);
      const delivery = await prepared(folder.path, encoding);
      const { sha256 } = delivery;
      const seconds = await send(receiver.url, delivery);
      const peakMb = await peakOf(receiver.child.pid ?? 0);
      await stop(receiver);
      table.push(`${encoding}: ${peakMb} MB at its peak, ${seconds.toFixed(1)} s`);

      const kept = join(folder.path, 'kept');
      expect(await filesIn(kept)).toEqual([`${sha256}.json`, 'received.jsonl'].toSorted());
      expect(await digestOf(join(kept, `${sha256}.json`))).toBe(sha256);
      expect(await record(kept)).toMatchObject([{ bytes: size, sha256, again: false }]);
      expect(peakMb).toBeLessThan(allowedMb);
    },
    patienceMs,
  );
});

interface Prepared {
  file: string;
  headers: Record<string, string | number>;
  sha256: string;
}

/** Made beforehand, so that only the receiver is measured. */
async function prepared(folder: string, encoding: string): Promise<Prepared> {
  const hash = createHash('sha256');
  const file = join(folder, 'delivery');
  const pieces = Readable.from(hashed(bytes(), hash));
  const output = createWriteStream(file);
  await (encoding === 'gzip'
    ? pipeline(pieces, createGzip({ level: constants.Z_BEST_SPEED }), output)
    : pipeline(pieces, output));
  const headers = { 'content-length': (await stat(file)).size };
  return {
    file,
    headers: encoding === 'gzip' ? { ...headers, 'content-encoding': 'gzip' } : headers,
    sha256: hash.digest('hex'),
  };
}

/** Until it is acknowledged, in seconds. */
async function send(url: string, { file, headers }: Prepared): Promise<number> {
  const begun = performance.now();
  const { outgoing, answer } = sending(url, { headers });
  await pipeline(createReadStream(file), outgoing);
  expect(await answer).toMatchObject({ status: 200, text: 'Kept.\n' });
  return (performance.now() - begun) / 1000;
}

/** An array of rows, padded with space at its end. */
function* bytes(): Generator<Buffer> {
  const many = Buffer.from(JSON.stringify(Array.from({ length: 500 }, (_, index) => row(index))).slice(1, -1));
  let left = size - many.length - 2;
  yield Buffer.from('[');
  yield many;
  for (; left > many.length; left -= many.length + 1) {
    yield Buffer.from(',');
    yield many;
  }
  yield Buffer.from(`]${' '.repeat(left)}`);
}

function row(index: number) {
  const url = `https://shop.example.com/products/${index}?ref=list`;
  return { name: `Product ${index} – Größe „M“`, url, random: Array.from({ length: 20 }, Math.random), input: { url } };
}

function* hashed(pieces: Iterable<Buffer>, hash: ReturnType<typeof createHash>): Generator<Buffer> {
  for (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
}

async function peakOf(pid: number): Promise<number> {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
