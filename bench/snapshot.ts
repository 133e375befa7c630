/** Large snapshots: rows one by one, and whole files, against undici and zlib alone. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Benchmark, type Row, type Stage, unlessReached } from './frame/benchmark.ts';
import { atMost, compared, pairs } from './frame/pairs.ts';
import { runProcess, startServer } from './frame/process.ts';
import { inMegabytes, inTime } from './frame/units.ts';

const megabyte = 1e6;

/** A pair of a gigabyte takes half a minute, so only the memory is measured with it, and times with less. */
const sizes = { time: 128 * megabyte, memory: 1000 * megabyte } as const;
const mostMemory = 200 * megabyte;

const program = join(import.meta.dirname, 'floors/snapshot.mjs');
const server = join(import.meta.dirname, 'floors/snapshotServer.mjs');

/** The destinations of the rows. */
const places = { rows: 'row by row', file: 'to a file' } as const;
type Place = keyof typeof places;

export const benchmark: Benchmark = {
  name: 'snapshot',
  about:
    '**snapshot**: reading gzip-compressed ndjson row by row, and saving it to a file that is synced to disk, against undici and zlib alone; row by row, they also split and parse the lines. Memory is measured with one gigabyte.',
  async run(stage) {
    const counts = {
      time: await writeSnapshot(join(stage.folder, 'time'), sizes.time),
      memory: await writeSnapshot(join(stage.folder, 'memory'), sizes.memory),
    };
    const url = await startServer(stage, [process.execPath, server, stage.folder]);
    const rows: Row[] = [];
    for (const place of ['rows', 'file'] as const) {
      const read = (which: 'ours' | 'floor', size: keyof typeof sizes) =>
        readOnce(stage, [which, url, size, place], counts[size][place]);
      const timed = await pairs(
        async () => (await read('ours', 'time')).ms,
        async () => (await read('floor', 'time')).ms,
      );
      rows.push(compared(`snapshot, ${inMegabytes(sizes.time)}, ${places[place]}`, timed, atMost(1.25), inTime));
      const memory = { ours: (await read('ours', 'memory')).peak, floor: (await read('floor', 'memory')).peak };
      rows.push(unlessReached(memoryRow(places[place], memory), youngGeneration));
    }
    return rows;
  },
};

const youngGeneration =
  'V8 enlarges its space for new objects when more of them survive a collection, which differs from run to run';

function memoryRow(place: string, { ours, floor }: Record<'ours' | 'floor', number>): Row {
  return {
    what: `snapshot, memory at ${inMegabytes(sizes.memory)}, ${place}`,
    ours: inMegabytes(ours),
    floor: inMegabytes(floor),
    must: `≤ ${inMegabytes(mostMemory)}`,
    reached: ours <= mostMemory,
  };
}

interface Read {
  ms: number;
  /** The number of rows or bytes. */
  count: number;
  /** The peak memory of the process, in bytes. */
  peak: number;
}

/** Reads the snapshot once. @throws Error unless all of it was read */
async function readOnce(stage: Stage, args: readonly string[], expected: number): Promise<Read> {
  const { stdout } = await runProcess(stage, [process.execPath, program, ...args]);
  const read = JSON.parse(stdout) as Read;
  if (read.count !== expected) throw new Error(`${args.join(' ')}: ${read.count} came instead of ${expected}`);
  return read;
}

/** The amount of data, in the unit of each destination. */
async function writeSnapshot(file: string, bytes: number): Promise<Record<Place, number>> {
  const written = { rows: 0, file: 0 };
  await pipeline(Readable.from(linesOf(bytes, written)), createGzip({ level: 1 }), createWriteStream(file));
  return written;
}

/** Yields products of a shop, about 1 KB each: the same 16 MB repeatedly, which is more than the window of gzip. */
function* linesOf(bytes: number, written: Record<Place, number>): Generator<Buffer> {
  const rows = 16_384;
  const piece = Buffer.from(Array.from({ length: rows }, (_, index) => `${JSON.stringify(product(index))}\n`).join(''));
  while (written.file < bytes) {
    written.rows += rows;
    written.file += piece.length;
    yield piece;
  }
}

function product(number: number): Record<string, unknown> {
  return {
    name: `Product ${number} – Größe „M“`,
    url: `https://shop.example.com/products/${number}?ref=list`,
    description: `${(number * 2_654_435_761) % 4_294_967_296} `.repeat(50),
    price: { amount: (number % 9973) / 100, currency: 'EUR' },
    isAvailable: number % 3 > 0,
    offers: [1, 2, 3, 4, 5].map((seller) => ({
      seller,
      price: ((number * seller) % 997) + 0.25,
      stock: number % seller,
    })),
    input: { url: 'https://shop.example.com/' },
  };
}
