/** Area G on the wire, and with the client. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AccountInput, Emulator } from '../../src/emulator/index.ts';
import { createClient } from '../../src/index.ts';
import { specFile } from '../client/specFile.ts';
import { collected } from '../client/streams.ts';
import { send, start } from './helpers.ts';

const account: AccountInput = { id: 'hl_example', zones: { results: { type: 'search' }, checkout: {} } };
const engine = 'https://search.example.com';

const ask = (emulator: Emulator, url: string, zone = 'results') =>
  send('POST', `${emulator.apiUrl}/request`, { key: emulator.keys.user, json: { zone, url, format: 'raw' } });

function clientOf(emulator: Emulator, profile = {}) {
  const settings = { searchEngineUrl: engine, ...profile };
  const client = createClient({ url: emulator.apiUrl, apiKey: emulator.keys.user, profile: settings });
  onTestFinished(() => client.close());
  return client;
}

async function fidIn(emulator: Emulator): Promise<string> {
  const { body } = await ask(emulator, `${engine}/search?q=grand+hotel&parsed=json`);
  return (body as { knowledge: { fid: string } }).knowledge.fid;
}

describe('the emulator answers with the shapes of the specification', () => {
  test.each(['searchPage', 'reviews'])('%s', async (name) => {
    const emulator = await start(account);
    const fid = encodeURIComponent(await fidIn(emulator));
    const values = { apiKey: emulator.keys.user, fid, parsedSwitch: 'parsed', parsedValue: 'json' };
    const { request, answer } = specFile(name, values);
    const received = await send(request.method, `${emulator.apiUrl}${request.path}`, {
      headers: request.headers,
      text: JSON.stringify(request.body),
    });
    expect(received.status).toBe(200);
    const [shown, known] = [leavesOf(received.body), leavesOf(answer.body)];
    expect([...shown].filter((leaf) => !known.has(leaf) && leaf !== 'knowledge.name: string')).toEqual([]);
    expect([...known].filter((leaf) => !shown.has(leaf))).toEqual([]);
  });
});

/** Every path to a value, and its type; of lists, the entries together. */
function leavesOf(value: unknown, path = ''): Set<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((item) => [...leavesOf(item, `${path}[]`)]));
  if (typeof value !== 'object' || value === null) return new Set([`${path}: ${typeof value}`]);
  const inside = Object.entries(value).flatMap(([key, item]) => [...leavesOf(item, path ? `${path}.${key}` : key)]);
  return new Set(inside);
}

describe('with the client', () => {
  test('any query has a few pages in rank order, the same each time and after a restart', async () => {
    const [one, two] = [await start(account), await start(account)];
    const pagesOf = (emulator: Emulator) =>
      collected(clientOf(emulator).search.pages({ zone: 'results', query: 'ünïcode & more' }));
    const pages = await pagesOf(one);
    expect(pages.length).toBe(5);
    const results = pages.flatMap(({ organic }) => organic);
    expect(results.map((result) => result.global_rank)).toEqual(results.map((_, index) => index + 1));
    expect(pages[0]?.general?.results_cnt).toBe(results.length);
    expect((await pagesOf(two)).flatMap(({ organic }) => organic)).toEqual(results);
    const other = await clientOf(one).search.page({ zone: 'results', query: 'other' });
    expect(other.organic).not.toEqual(pages[0]?.organic);
  });

  test('the place of the first page has reviews, and an invented place has none', async () => {
    const { search } = clientOf(await start(account));
    const [first, second] = await collected(search.pages({ zone: 'results', query: 'hotel', limit: 2 }));
    expect(second?.knowledge).toBeUndefined();
    const fid = first?.knowledge?.fid ?? '';
    const reviews = (await collected(search.reviewPages({ zone: 'results', fid }))).flatMap((page) => page.reviews);
    expect(reviews.length).toBeGreaterThan(20);
    expect(new Set(reviews.map(({ review_id }) => review_id)).size).toBe(reviews.length);
    for (const { rating, ratingValue } of reviews) expect(rating).toBe(`${ratingValue}/5`);
    expect(await search.reviews({ zone: 'results', fid: '0x1:0x2' })).toEqual({ reviews: [] });
  });

  test('both sides may be set to another engine and another switch', async () => {
    const odd = { searchEngineUrl: 'http://engine.example/base', parsedSwitch: { name: 'out', value: 'data' } };
    const emulator = await start({ ...account, dialect: odd });
    const search = { zone: 'results', query: 'a' };
    expect((await clientOf(emulator, odd).search.page(search)).organic).toHaveLength(10);
    const wrongSwitch = { searchEngineUrl: odd.searchEngineUrl };
    await expect(clientOf(emulator, wrongSwitch).search.page(search)).rejects.toThrow('an HTML page instead of JSON');
  });
});

describe('on the wire', () => {
  test('without the switch, the answer is an HTML page in which the query is escaped', async () => {
    const emulator = await start(account);
    const received = await ask(emulator, `${engine}/search?q=${encodeURIComponent('<script>')}`);
    expect(received.text).toContain('<li><a href="https://site-');
    expect(received.text).not.toContain('<script>');
  });

  test.each([
    ['search', 'results', 'url: the query parameter q is missing'],
    ['reviews?start=10', 'results', 'url: the query parameter fid is missing'],
    ['search?q=a&start=ten', 'results', 'url: start is ten, not a whole number'],
    ['search?q=a', 'checkout', 'url: checkout is not a search zone'],
  ])('%s through %s is refused', async (path, zone, detail) => {
    const emulator = await start(account);
    expect(await ask(emulator, `${engine}/${path}`, zone)).toMatchObject({
      status: 400,
      text: `Bad request: ${detail}`,
    });
  });
});
