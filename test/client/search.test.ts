/** Area G: exactly the documented request, the documented values, and pages in order. */
import { describe, expect, test } from 'vitest';
import { ProblemError } from '../../src/base/diagnostics/problem.ts';
import { loopback, type Received } from './loopback.ts';
import { clientOf, failureOf } from './setup.ts';
import { collected } from './streams.ts';

const profile = { searchEngineUrl: 'https://search.example.com' };
const zone = 'results';

/** The URL that each request was for. */
const urlsOf = (requests: Received[]) => requests.map(({ body }) => new URL((body as { url: string }).url));

test('the address, the switch and the place of a search are those that were set', async () => {
  const server = await loopback({ body: { organic: [] } });
  const odd = { searchEngineUrl: 'http://engine.example/base/', parsedSwitch: { name: 'out', value: 'data' } };
  const { search } = clientOf(server.url, { profile: odd, zoneTypes: { results: 'search' } });
  await search.page({ zone, query: 'a&b=c', country: 'us', session: 's' });
  expect(server.requests[0]?.body).toMatchObject({ country: 'us', session: 's' });
  expect(urlsOf(server.requests).map(({ href }) => href)).toEqual([
    'http://engine.example/base/search?q=a%26b%3Dc&out=data',
  ]);
});

test('missing fields of a page are empty or undefined, and unknown fields are kept', async () => {
  const server = await loopback({ body: { organic: [{ title: 'one', stars: 5 }], ads: [1] } });
  const { search } = clientOf(server.url, { profile });
  expect(await search.page({ zone, query: 'a' })).toEqual({
    organic: [{ title: 'one', stars: 5 }],
    ads: [1],
    images: [],
    navigation: [],
  });
});

test.each([
  ['4/5', 4],
  ['4.5/5', 4.5],
  ['4/10', undefined],
  ['good', undefined],
  [undefined, undefined],
])('a rating of %s is %s, and an unknown detail is kept', async (rating, value) => {
  const details = [{ id: 'PARKING', value: 'free', floor: 2 }];
  const server = await loopback({ body: { reviews: [{ rating, details }] } });
  const { reviews } = await clientOf(server.url, { profile }).search.reviews({ zone, fid: 'f' });
  expect(reviews).toEqual([{ rating, details, ratingValue: value }]);
});

describe('a billed page is kept', () => {
  test.each<[string, object, object]>([
    [
      'with nulls',
      { organic: [{ title: null, rank: null }], images: null },
      { organic: [{ title: null, rank: null }], images: [], navigation: [] },
    ],
    [
      'with numbers as text, and fractions',
      { organic: [{ rank: '3', duration_sec: 1.5 }] },
      { organic: [{ rank: 3, duration_sec: 1.5 }], images: [], navigation: [] },
    ],
    [
      'with fields of other forms',
      { organic: [{ title: { text: 'a' } }, 'bare'] },
      { organic: [{ title: { text: 'a' } }, 'bare'], images: [], navigation: [] },
    ],
    ['without a list', { general: { query: 7 } }, { general: { query: '7' }, organic: [], images: [], navigation: [] }],
    [
      'with results beside an error',
      { error: 'slow', organic: [{ rank: 1 }] },
      { error: 'slow', organic: [{ rank: 1 }], images: [], navigation: [] },
    ],
  ])('%s', async (_what, body, kept) => {
    const server = await loopback({ body });
    expect(await clientOf(server.url, { profile }).search.page({ zone, query: 'a' })).toEqual(kept);
  });

  test.each<[string, unknown, string]>([
    ['an error object', { error: { message: 'blocked' }, input: {} }, 'blocked'],
    ['an answer without a known field', { results: [{ rank: 1 }] }, '{"results":[{"rank":1}]}'],
    ['null', null, 'null'],
    ['an HTML page', '<!doctype html><title>Captcha</title>', 'Captcha'],
    ['text', 'try again', 'try again'],
  ])('but %s is an error that shows it', async (_what, body, shown) => {
    const server = await loopback({ body });
    const { search } = clientOf(server.url, { profile });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    for (const call of [() => search.page({ zone, query: 'a' }), () => search.reviews({ zone, fid: 'f' })]) {
      await expect(call()).rejects.toMatchObject({
        code: 'unexpected-answer',
        message: expect.stringContaining(shown),
        body: text,
        status: 200,
      });
    }
  });
});

describe('pages', () => {
  /** Answers with this many results in all, ten a page. */
  const engine = (total: number) =>
    loopback(({ body }) => {
      const start = Number(new URL((body as { url: string }).url).searchParams.get('start'));
      const ranks = Array.from({ length: total }, (_, rank) => rank).slice(start, start + 10);
      return {
        body: {
          organic: ranks.map((rank) => ({ rank })),
          reviews: ranks.map((rank) => ({ review_id: `${rank}` })),
        },
      };
    });

  const startsOf = (requests: Received[]) => urlsOf(requests).map((url) => url.searchParams.get('start'));

  test('come in order until one is empty', async () => {
    const server = await engine(23);
    const { search } = clientOf(server.url, { profile });
    const ranks = [];
    for await (const { organic } of search.pages({ zone, query: 'a' })) ranks.push(...organic.map(({ rank }) => rank));
    expect(ranks).toEqual(Array.from({ length: 23 }, (_, rank) => rank));
    expect(startsOf(server.requests)).toEqual(['0', '10', '20', '30']);
  });

  test('begin at start and end at the limit', async () => {
    const server = await engine(100);
    const { search } = clientOf(server.url, { profile });
    const pages = await collected(search.reviewPages({ zone, fid: 'f', start: 20, limit: 2 }));
    expect(pages.map(({ reviews }) => reviews[0]?.review_id)).toEqual(['20', '30']);
    expect(startsOf(server.requests)).toEqual(['20', '30']);
  });

  test('are requested only when the loop reaches them', async () => {
    const server = await engine(100);
    const { search } = clientOf(server.url, { profile });
    for await (const _ of search.pages({ zone, query: 'a' })) break;
    expect(server.requests).toHaveLength(1);
  });

  test('end when the service repeats a page', async () => {
    const server = await loopback({ body: { organic: [{ rank: 1 }] } });
    const { search } = clientOf(server.url, { profile });
    expect(await collected(search.pages({ zone, query: 'a' }))).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  });
});

describe('what is refused before it is sent', () => {
  async function problemOf(more: object, settings: object = { profile }) {
    const server = await loopback({ body: {} });
    const call = clientOf(server.url, settings).search.page({ zone, query: 'a', ...more });
    const error = await call.catch((reason: unknown) => reason);
    expect(server.requests).toEqual([]);
    expect(error).toBeInstanceOf(ProblemError);
    return (error as ProblemError).problems[0];
  }

  test.each([
    [{ num: 20 }, '`num` is a number 20', 'num'],
    [{ start: -1 }, '`start` is a number -1', 'start'],
    [{ start: 1.5 }, '`start` is a number 1.5', 'start'],
    [{ start: Number.NaN }, '`start` is a number NaN', 'start'],
    [{ query: '' }, '`query` has 0 characters', 'query'],
  ])('%j', async (fields, found, field) => {
    expect(await problemOf(fields)).toMatchObject({ found, allowed: expect.any(String), path: [field] });
    if (field === 'num') expect((await problemOf(fields))?.allowed).toContain('page with `start`');
  });

  test('a zone that is declared as another type than search', async () => {
    expect(await problemOf({}, { profile, zoneTypes: { results: 'isp' } })).toEqual({
      code: 'not-allowed',
      found: 'a search through the zone results, which is of type isp',
      allowed: 'a zone of type search',
      fix: 'use a search zone, or correct the declared type of this one',
      path: ['zone'],
    });
  });

  test('a search without the address of the engine', async () => {
    expect(await problemOf({}, {})).toEqual({
      code: 'missing-key',
      found: 'the address of the search engine is not set',
      fix: 'set searchEngineUrl in the service profile (service.profile.searchEngineUrl in the file)',
    });
  });
});

test('a page of HTML says what to set', async () => {
  const server = await loopback({ body: '<html><title>Search</title></html>' });
  expect(await failureOf(clientOf(server.url, { profile }).search.page({ zone, query: 'a' }))).toMatchObject({
    code: 'unexpected-answer',
    message: `POST ${server.url}/request was answered 200 with an HTML page instead of JSON: Search`,
    fix: expect.stringContaining('set parsedSwitch in the service profile'),
  });
});
