/**
 * A thousand requests at a time and a search of fifty pages, by one client in a process of its own, which says on stdout as JSON
 * what it saw. Runs with --expose-gc; the argument is the URL of the service.
 */
import { createClient } from '../../src/client/client.ts';

const client = createClient({
  url: process.argv[2] ?? '',
  apiKey: 'test-key-0123456789',
  profile: { searchEngineUrl: 'https://search.example.com' },
});
let sockets = 0;

await requests(100);
const before = heapMb();
const answered = await requests(1000);
const afterRequests = heapMb();
const ranks = await search(50);
const afterSearch = heapMb();
await client.close();
process.stdout.write(
  JSON.stringify({ answered, ranks, sockets, before, afterRequests, afterSearch, left: openSockets() }),
);

/** How many of so many requests, all sent at once, got the page that they asked for. */
async function requests(count: number): Promise<number> {
  const pages = await Promise.all(Array.from({ length: count }, (_, number) => page(number)));
  return pages.filter((text, number) => text.startsWith(`page ${number} `)).length;
}

async function page(number: number): Promise<string> {
  const url = `https://example.com/${number}`;
  const text = await client.request({ zone: 'checkout', url, format: 'raw', tag: `tag-${number}` });
  sockets = Math.max(sockets, openSockets());
  return text;
}

/** The ranks of the results, in the order in which they came. */
async function search(limit: number): Promise<unknown[]> {
  const ranks = [];
  for await (const { organic } of client.search.pages({ zone: 'results', query: 'coffee', limit })) {
    ranks.push(...organic.map(({ rank }) => rank));
    sockets = Math.max(sockets, openSockets());
  }
  return ranks;
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
}

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
