/**
 * Downloads a snapshot as ndjson, row by row or to a file, with the client of the package (`ours`) or with undici and zlib alone (`floor`),
 * and prints the time, the number of rows or bytes, and the peak memory. Arguments: ours or floor, the URL, the snapshot, rows or file.
 */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ownPeakMemory } from '../frame/peakMemory.mjs';

const [which, url, snapshot, place] = process.argv.slice(2);
const file = `saved-${which}`;

const read = await { ours, floor }[which]();
const started = performance.now();
const count = await read[place]();
const ms = performance.now() - started;
await rm(file, { force: true });
console.log(JSON.stringify({ ms, count, peak: ownPeakMemory() }));

async function ours() {
  const { createClient } = await import('pulumi-webdata');
  const { datasets } = createClient({ url, apiKey: 'bench' });
  return {
    async rows() {
      const { rows } = await datasets.download(snapshot, { format: 'ndjson' });
      return counted(rows);
    },
    async file() {
      return (await datasets.save(snapshot, file, { format: 'ndjson' })).bytes;
    },
  };
}

async function floor() {
  const { request } = await import('undici');
  const body = async () => {
    const headers = { authorization: 'Bearer bench', 'accept-encoding': 'gzip' };
    const answer = await request(`${url}/datasets/snapshots/${snapshot}/download?format=ndjson`, { headers });
    return answer.body;
  };
  return {
    async rows() {
      const unzip = createGunzip();
      const done = pipeline(await body(), unzip);
      const count = await counted(rowsIn(unzip));
      await done;
      return count;
    },
    async file() {
      const output = createWriteStream(file, { flush: true });
      await pipeline(await body(), createGunzip(), output);
      return output.bytesWritten;
    },
  };
}

async function* rowsIn(pieces) {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
  if (rest !== '') yield JSON.parse(rest);
}

async function counted(rows) {
  let count = 0;
  for await (const row of rows) count += typeof row === 'object' ? 1 : 0;
  return count;
}
