/** Deliveries to the receiver: paths, headers and bodies, as bytes on a socket. Its files must stay in its folder. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { printableJson } from '../../../src/base/values/printable.ts';
import { openFolder } from '../../../src/keeping/folder.ts';
import { startReceiver } from '../../../src/receiver/receiver.ts';
import { RefusedDelivery } from '../../../src/receiver/refusal.ts';
import { fileNameOf, safeName, targetOf } from '../../../src/receiver/target.ts';
import { gzipBomb, jsonBomb } from '../bombs.ts';
import { answers } from '../examples.ts';
import { mutatedJson, mutatedText, oddTexts } from '../mutate.ts';
import type { Random } from '../random.ts';
import { rawRequest } from '../raw.ts';
import { canary, type FuzzGround, type FuzzTarget, shown } from '../target.ts';

type Input = { path: string; run: string } | { bytes: Buffer };

const limits = { maxBytes: 2 * 2 ** 20, idleMs: 1000, totalMs: 4000 };

export async function openWebhooks({ folder }: FuzzGround): Promise<FuzzTarget<Input>> {
  const kept = join(folder, 'kept');
  const destination = await openFolder(kept);
  let log = '';
  /** Writes the log as the command does. */
  const write = (text: string) => (log += printableJson(text));
  const receiver = await startReceiver({ destination, write, limits, authorizations: [`Bearer ${canary}`] });
  const bodies = answers();
  return {
    make: (random, number) =>
      number % 3 === 0
        ? { bytes: requestFrom(random, number, bodies) }
        : { path: mutatedText(random, paths, pathTokens), run: random.pick(oddTexts) },
    async take(input) {
      if ('path' in input) return kept1(input);
      log = '';
      const answer = await rawRequest(receiver.url, input.bytes, 3000);
      return log.includes('"reason":"internal"') ? `internal error ${log}` : `${answer.replaceAll('\r', '')}${log}`;
    },
    /** Checks that there are only folders and files of its own, and removes them. */
    async inspect() {
      const left = await leftIn(destination.spoolFolder);
      const all = await readdir(kept, { recursive: true, withFileTypes: true });
      const large = all.filter(({ name }) => name.length > 300 || name === '..').map(({ name }) => `kept as ${name}`);
      for (const entry of await readdir(kept))
        if (entry !== '.receiving') await rm(join(kept, entry), { recursive: true });
      return [...large, ...left.map((name) => `${name} is left behind`)];
    },
    show: (input) => ('path' in input ? shown(JSON.stringify(input)) : shown(input.bytes.toString('latin1'))),
    async [Symbol.asyncDispose]() {
      await receiver.close();
      await destination.close();
    },
  };
}

/** Returns files that are left when no delivery can be in progress. */
async function leftIn(spoolFolder: string): Promise<string[]> {
  const end = performance.now() + 2 * limits.totalMs;
  let left = await readdir(spoolFolder);
  while (left.length > 0 && performance.now() < end) {
    await sleep(100);
    left = await readdir(spoolFolder);
  }
  return left;
}

/** Checks the name that a delivery would get: each part names a file or folder, and none leads elsewhere. */
function kept1({ path, run }: { path: string; run: string }): string {
  try {
    const target = targetOf(path);
    const parts = [
      ...target.folders,
      fileNameOf(target.label.length > 0 ? target.label : [safeName(run)], 'a'.repeat(64), 'json'),
    ];
    const wrong = parts.filter((part) => !/^[\w][\w.-]*$/.test(part) || part === 'received.jsonl' || part.length > 255);
    return wrong.length > 0 ? `internal error: it would be kept as ${parts.join('/')}` : '';
  } catch (error) {
    if (error instanceof RefusedDelivery) return error.message;
    throw error;
  }
}

function requestFrom(random: Random, number: number, bodies: readonly { body: unknown }[]): Buffer {
  const plain = Buffer.from(
    number % 900 === 0
      ? jsonBomb(random)
      : random.oneIn(4)
        ? mutatedText(random, texts, oddTexts)
        : mutatedJson(random, random.pick(bodies).body),
  );
  const isGzip = random.oneIn(2);
  const isBomb = number % 600 === 3;
  const body = isBomb ? gzipBomb(64) : isGzip && !random.oneIn(8) ? gzipSync(plain, { level: 1 }) : plain;
  const head = [
    `${random.oneIn(15) ? random.pick(['GET', 'PUT', 'TRACE', 'CONNECT', 'post', '\u0000']) : 'POST'} ${pathFrom(random)} HTTP/1.1`,
    'host: receiver',
    ...(random.oneIn(8) ? [] : [`authorization: Bearer ${canary}`]),
    ...(isGzip || isBomb
      ? [`content-encoding: ${random.oneIn(10) ? random.pick(['br', 'x-gzip', 'gzip, gzip', 'GZIP ']) : 'gzip'}`]
      : []),
    `content-type: ${random.pick(['application/json', 'text/csv', 'application/x-ndjson', '', random.pick(oddTexts)])}`,
    random.oneIn(20)
      ? 'transfer-encoding: chunked'
      : `content-length: ${random.oneIn(30) ? random.pick(lengths) : body.length}`,
    'connection: close',
  ].join('\r\n');
  const text = random.oneIn(30) ? mutatedText(random, [head], ['\r\n', '\r\n\r\n', ...oddTexts]) : head;
  const whole = Buffer.concat([Buffer.from(`${text}\r\n\r\n`, 'latin1'), body]);
  return random.oneIn(15) ? whole.subarray(0, random.below(whole.length + 1)) : whole;
}

/** Returns a path, occasionally one that no request line can contain. */
function pathFrom(random: Random): string {
  const path = mutatedText(random, paths, pathTokens).slice(0, 3000);
  return random.oneIn(20) ? path : encodeURI(path.toWellFormed().replaceAll(/[\s\p{Cc}]/gu, '_'));
}

const lengths = ['0', '-1', '1e9', '999999999999999', '5', '0x5', ''];
const paths = [
  '/',
  '/acme/results',
  '/acme/results?run=j_1',
  '/a/b/c/d/e/f/g/h',
  '/%2e%2e/%2e%2e/etc/passwd',
  'http://elsewhere/x',
  '*',
];
const pathTokens = [
  '/',
  '..',
  '%2f',
  '%5c',
  '%00',
  '?run=',
  '&run=',
  '//',
  '\\',
  '%',
  '%zz',
  'received.jsonl',
  '.receiving',
  ...oddTexts,
];
const texts = [
  'a,b\n1,2\n',
  '{"a":1}\n{"a":2}\n',
  '{"collection_id":"j_1","status":"done"}',
  '[{"url":"x"}]',
  ' ',
  '{"id":"../../x"}',
];
