/** Pages of a search engine for accounts of the emulator: the results of one query, ten a page, and the reviews of one place. */
import type { AccountInput } from '../src/emulator/index.ts';

export const searchEngineUrl = 'https://search.example.com';

/** The place that the first page of results names. */
export const place = '0x1a:0x2b';

/** Further pages, and the reviews of other places, are empty. */
export function searchPages(query: string, total = 45): NonNullable<AccountInput['pages']> {
  const results = Array.from({ length: total }, (_, index) => {
    return { link: `https://site-${index}.example/`, rank: (index % 10) + 1, global_rank: index + 1 };
  });
  const reviews = results.slice(0, 25).map(({ global_rank }) => {
    return { review_id: `${global_rank}`, rating: `${(global_rank % 5) + 1}/5` };
  });
  return {
    ...pagesOf(`search?q=${encodeURIComponent(query)}`, results, (organic, isFirst) => {
      return { general: { query }, organic, ...(isFirst && { knowledge: { fid: place } }) };
    }),
    ...pagesOf(`reviews?fid=${encodeURIComponent(place)}`, reviews, (page) => ({ reviews: page })),
    [`${searchEngineUrl}/reviews*`]: pageOf({ reviews: [] }),
  };
}

function pagesOf<Item>(path: string, items: readonly Item[], page: (items: Item[], isFirst: boolean) => object) {
  const starts = Array.from({ length: Math.ceil(items.length / 10) }, (_, index) => index * 10);
  const entries = starts.map(
    (start) => [`&start=${start}&`, page(items.slice(start, start + 10), start === 0)] as const,
  );
  return Object.fromEntries(
    [...entries, ['', page([], false)] as const].map(([more, body]) => [
      `${searchEngineUrl}/${path}${more}*`,
      pageOf(body),
    ]),
  );
}

function pageOf(body: object) {
  return { body: JSON.stringify(body), type: 'application/json' };
}
