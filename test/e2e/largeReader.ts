/**
 * Reads one large answer with the built client, in a process of its own, and says on stdout as JSON what that took. Arguments:
 * the URL of the API, the key, the dataset (`gd_…`) or collector (`c_…`), the format, and the file to save to, or `rows`.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClient, type Row } from 'pulumi-webdata';

const [url = '', apiKey = '', source = '', as = '', into = ''] = process.argv.slice(1);
const format = as === 'json' ? 'json' : 'ndjson';
const inputs = [{ url: 'https://shop.example.com/' }];
const client = createClient({ url, apiKey });

const started = performance.now();
const read =
  into === 'rows' ? await digestOf(await rows()) : await client.datasets.save(await snapshot(), into, { format });
const seconds = (performance.now() - started) / 1000;
await client.close();
process.stdout.write(JSON.stringify({ ...read, seconds, peakMb: peakMegabytes() }));

async function rows(): Promise<AsyncIterable<Row> | Row[]> {
  if (source.startsWith('gd_')) return (await client.datasets.wait(await snapshot(), { format })).rows;
  const { result } = await client.collectors.run({ collector: source, inputs });
  return result.state === 'ready' ? result.rows : [];
}

async function snapshot(): Promise<string> {
  return (await client.datasets.trigger({ datasetId: source, inputs })).snapshotId;
}

/** Of the rows as lines. */
async function digestOf(all: AsyncIterable<Row> | Row[]) {
  const hash = createHash('sha256');
  let count = 0;
  for await (const row of all) {
    hash.update(`${JSON.stringify(row)}\n`);
    count += 1;
  }
  return { count, digest: hash.digest('hex') };
}

/** On Linux, `maxRSS` would be at least the peak memory of the process that has started this one. */
function peakMegabytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
