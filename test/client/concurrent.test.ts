/** Many calls of one client at a time: each gets its own answer, over few connections, and nothing of them is kept. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { defaultConcurrency } from '../../src/client/transport/adaptiveConcurrency.ts';
import { loopback, type Received } from './loopback.ts';

interface Seen {
  answered: number;
  ranks: number[];
  /** The most that were open at a time, and those that were left after close(). */
  sockets: number;
  left: number;
  /** Heap in MB after a collection. */
  before: number;
  afterRequests: number;
  afterSearch: number;
}

test('a thousand requests at once, and a search of fifty pages', async () => {
  const server = await loopback(answerTo);
  const seen = await inOwnProcess(server.url);
  const { before, afterRequests, afterSearch } = seen;
  const heap = [before, afterRequests, afterSearch].map((mb) => `${mb.toFixed(1)} MB`).join(', then ');
  process.stdout.write(`sockets: ${seen.sockets}, at the service: ${server.mostOpen()}, heap: ${heap}\n`);

  expect(seen.answered).toBe(1000);
  expect(seen.ranks).toEqual(Array.from({ length: 500 }, (_, rank) => rank));
  expect(seen.sockets).toBeLessThanOrEqual(defaultConcurrency.max);
  expect(server.mostOpen()).toBeLessThanOrEqual(defaultConcurrency.max);
  expect(seen.left).toBe(0);
  // The pages alone were 20 MB, the results 5 MB.
  expect(afterRequests - before).toBeLessThan(2);
  expect(afterSearch - before).toBeLessThan(2);
});

/** A page of 20 KB with the tag of its request, sooner or later; or ten results. */
function answerTo({ body }: Received) {
  const { url, c_tag } = body as { url: string; c_tag: string };
  const { pathname, searchParams } = new URL(url);
  if (pathname === '/search') return { body: { organic: results(Number(searchParams.get('start'))) } };
  const number = Number(pathname.slice(1));
  return { body: `page ${number} ${'.'.repeat(20_000)}`, headers: { 'x-c-tag': c_tag }, delayMs: (number * 7) % 12 };
}

function results(start: number) {
  return Array.from({ length: 10 }, (_, index) => ({ rank: start + index, description: '.'.repeat(10_000) }));
}

async function inOwnProcess(url: string): Promise<Seen> {
  const script = fileURLToPath(new URL('concurrentCalls.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, url]);
  return JSON.parse(stdout);
}
