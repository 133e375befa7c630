/** Results and reviews for any query and any place, in the shapes of the specification (G). They are fake and deterministic. */

import { isMapValue } from '../../base/values/plain.ts';
import { type FakeData, fakeDataFrom } from '../core/fakeData.ts';
import type { Dialect } from '../dialect/dialect.ts';

/** A 1 × 1 pixel, because results contain their pictures as data URIs. */
const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

const topics = ['guide', 'prices', 'reviews', 'news', 'shop', 'map'] as const;
const pageSize = 10;

export interface PageRequest {
  /** Complete URL of the page. */
  url: string;
  start: number;
}

/** Returns a page of results (G1): four or five pages have results, later ones none. Pictures and the place are on the first page. */
export function searchResults(query: string, { url, start }: PageRequest, now: Date) {
  const fake = fakeDataFrom(query);
  const total = 41 + fake.number('total', 10);
  const isFirst = start === 0;
  return {
    general: {
      search_engine: 'emulated',
      query,
      language: 'en',
      location: 'nowhere',
      search_type: 'text',
      page_title: `${query} - search`,
      results_cnt: total,
      search_time: fake.number('time', 100) / 100,
      mobile: false,
      basic_view: false,
      timestamp: now.toISOString(),
    },
    input: { original_url: url, request_id: fakeDataFrom(url).hex('request') },
    navigation: topics.slice(0, 3).map((topic) => ({ title: topic, href: `/search?q=${topic}` })),
    organic: ranksOf(start, total).map((rank) => organic(query, fake, rank, start)),
    images: isFirst ? [0, 1, 2].map((rank) => image(query, fake, rank)) : [],
    ...(isFirst && { knowledge: { name: query, fid: fidOf(query) } }),
  };
}

/** Returns reviews of a place that a search showed, and none for any other place (G2). */
export function reviewsOf(fid: string, { start }: PageRequest) {
  const fake = fakeDataFrom(fid);
  const total = isFid(fid) ? 21 + fake.number('total', 20) : 0;
  return { reviews: ranksOf(start, total).map((rank) => review(fake, rank)) };
}

/** Returns a feature id. The second half of the id proves that this emulator made it. */
function fidOf(query: string): string {
  const half = fakeDataFrom(query).hex('fid');
  return `0x${half}:0x${fakeDataFrom(half).hex('proof')}`;
}

function isFid(fid: string): boolean {
  const [, half = '', proof] = /^0x([\da-f]{16}):0x([\da-f]{16})$/.exec(fid) ?? [];
  return proof === fakeDataFrom(half).hex('proof');
}

function ranksOf(start: number, total: number): number[] {
  const count = Math.max(0, Math.min(pageSize, total - start));
  return Array.from({ length: count }, (_, index) => start + index);
}

function organic(query: string, fake: FakeData, rank: number, start: number) {
  const host = `site-${fake.number(`host ${rank}`, 1000)}.example`;
  const topic = fake.pick(`topic ${rank}`, topics);
  const link = `https://${host}/${topic}/${fake.hex(`path ${rank}`)}`;
  const isVideo = fake.number(`video ${rank}`, 5) === 0;
  return {
    link,
    source: host,
    display_link: `https://${host} > ${topic}`,
    title: `${query}: ${topic}`,
    description: `Page ${rank + 1} of ${host} about ${query}.`,
    icon: pixel,
    ...(isVideo && { image: pixel, image_base64: pixel, duration: '1:30', duration_sec: 90 }),
    ...(rank % 3 === 0 && { snippet_highlighted_words: [query] }),
    ...(rank % 4 === 0 && { extensions: [{ inline: true, type: 'text', text: `${rank + 1} pages`, rank: 1 }] }),
    rank: rank - start + 1,
    global_rank: rank + 1,
  };
}

function image(query: string, fake: FakeData, rank: number) {
  const host = `pictures-${fake.number(`pictures ${rank}`, 1000)}.example`;
  return {
    original_image: `https://${host}/${fake.hex(`image ${rank}`)}.jpg`,
    link: `https://${host}/`,
    title: `${query}, picture ${rank + 1}`,
    source: host,
    source_logo: pixel,
    image: pixel,
    image_alt: query,
    image_base64: pixel,
    ...(rank === 0 && { recipe: recipe(query) }),
    rank: rank + 1,
    global_rank: rank + 1,
  };
}

function recipe(query: string) {
  const length = { duration: '30 min', duration_sec: 1800 };
  const words = { title: `${query}, cooked`, summary: 'Stir.', volume: '1 l', ingredients: ['water', 'salt'] };
  return { rating: 4.5, reviews_cnt: 12, ...words, ...length };
}

function review(fake: FakeData, rank: number) {
  const id = fake.hex(`review ${rank}`);
  const stars = 1 + fake.number(`stars ${rank}`, 5);
  const isAnswered = fake.number(`reply ${rank}`, 3) === 0;
  return {
    review_id: id,
    reviewer: {
      profile_photo_url: `https://people.example/${id}.jpg`,
      display_name: `Visitor ${rank + 1}`,
      link: `https://people.example/${id}`,
    },
    link: `https://reviews.example/${id}`,
    source: 'reviews.example',
    source_logo: pixel,
    rating: `${stars}/5`,
    created: `${rank + 1} weeks ago`,
    ...(rank % 2 === 0 && { date: '2026-01-15' }),
    comment: `It is worth ${stars} of 5.`,
    ...(isAnswered && { review_reply: 'Thank you.', review_reply_created: `${rank + 1} weeks ago` }),
    ...(rank % 5 === 0 && { photos: [`https://reviews.example/${id}/1.jpg`] }),
    details: [
      { id: 'HOTELS_ASPECT_ROOMS', name: 'Rooms', description: 'The rooms', value: stars },
      { id: 'HOTELS_PILOT_TRIP_TYPE', name: 'Trip type', description: 'Kind of trip', value: 'Holiday' },
    ],
  };
}

type SearchPages = Dialect['searchPages'];

/** Returns a page in the form that the dialect gives it. */
export function searchForm(page: object, dialect: SearchPages): unknown {
  if (dialect.error !== undefined) return dialect.error;
  const kept = Object.entries(page).filter(([name]) => !dialect.leftOut.some((field) => field === name));
  return deviant(Object.fromEntries(kept), dialect);
}

function deviant(value: unknown, dialect: SearchPages, name = ''): unknown {
  if (typeof value === 'number') return numberForm(value, dialect.numbers);
  if (Array.isArray(value)) return value.map((item) => deviant(item, dialect, name));
  if (!isMapValue(value)) return dialect.nulls && nullable.has(name) ? null : value;
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const isEmpty = Array.isArray(item) && item.length === 0;
    if (isEmpty && dialect.emptyLists === 'missing') return [];
    if (isEmpty && dialect.emptyLists === 'null') return [[key, null]];
    return [[key, deviant(item, dialect, key)]];
  });
  const absent = dialect.nulls && 'link' in value ? optional.filter((key) => !(key in value)) : [];
  return Object.fromEntries([...entries, ...absent.map((key) => [key, null] as const)]);
}

/** Fields that the dialect may set to null. */
const nullable: ReadonlySet<string> = new Set(['description', 'display_link', 'language', 'icon', 'profile_photo_url']);
const optional = ['image', 'duration', 'duration_sec', 'extensions', 'snippet_highlighted_words', 'photos', 'date'];

function numberForm(value: number, form: SearchPages['numbers']): unknown {
  if (form === 'texts') return `${value}`;
  return form === 'fractions' ? value + 0.5 : value;
}
