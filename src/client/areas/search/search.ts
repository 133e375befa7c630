/** Search pages and reviews of places (specification, G): proxied requests through a search zone. */
import { z } from 'zod';
import { assertNoProblems, ProblemError } from '../../../base/diagnostics/problem.ts';
import { valueProblems } from '../../../base/diagnostics/zodProblems.ts';
import type { ServiceProfile } from '../../profile.ts';
import type { Reader } from '../../reading/readers.ts';
import type { CallOptions } from '../../transport/transport.ts';
import { queryText } from '../../transport/wireRequest.ts';
import type { Fetcher, ProxiedRequest } from '../proxy/request.ts';
import type { ZoneTypes } from '../zones/zoneTypes.ts';
import { type ReviewPage, reviewPage, type SearchPage, searchPage } from './searchShapes.ts';

/** Zone and location of a search; `zone` is a search zone. */
type SearchOrigin = Omit<ProxiedRequest, 'url' | 'format'>;

interface Paged extends SearchOrigin {
  /** Number of results to skip: 0, the default, is the first page, 10 the second. */
  start?: number | undefined;
}

export interface SearchRequest extends Paged {
  query: string;
}

export interface ReviewsRequest extends Paged {
  /** Feature id of the place: `knowledge.fid` of a search page. */
  fid: string;
}

export interface PageLimit {
  /** Maximum number of pages; each is billed. Unlimited by default. */
  limit?: number | undefined;
}

export interface Search {
  /** Returns one page of results (G1). @throws ProblemError for invalid fields, ServiceError */
  page(request: SearchRequest, options?: CallOptions): Promise<SearchPage>;
  /** Yields pages in order until one is empty or equal to the previous one. @throws ProblemError, ServiceError */
  pages(request: SearchRequest & PageLimit, options?: CallOptions): AsyncGenerator<SearchPage, void, undefined>;
  /** Returns one page of the reviews of a place (G2). @throws ProblemError for invalid fields, ServiceError */
  reviews(request: ReviewsRequest, options?: CallOptions): Promise<ReviewPage>;
  /** Yields pages of reviews, as `pages` does. @throws ProblemError, ServiceError */
  reviewPages(request: ReviewsRequest & PageLimit, options?: CallOptions): AsyncGenerator<ReviewPage, void, undefined>;
}

interface SearchSettings {
  profile: ServiceProfile;
  zoneTypes: ZoneTypes;
}

/** Results per page. The specification says "usually". */
export const pageSize = 10;

export function createSearch(fetcher: Fetcher, { profile, zoneTypes }: SearchSettings): Search {
  async function fetched<T>(
    path: string,
    { query, fid, start, ...place }: Paged & Partial<SearchRequest & ReviewsRequest & { num: unknown }>,
    reader: Reader<T>,
    { signal }: CallOptions = {},
  ): Promise<T> {
    const problems = valueProblems(searchFields, { query, fid, start, num: place.num });
    assertNoProblems([...problems, ...wrongZone(place.zone, zoneTypes)]);
    const url = engineUrl(profile, path, { q: query, fid, start: start?.toString() });
    return fetcher.value({ ...place, url, format: 'raw' }, reader, { signal, fixes });
  }

  const page: Search['page'] = (request, options) => fetched('search', request, searchPage, options);
  const reviews: Search['reviews'] = (request, options) => fetched('reviews', request, reviewPage, options);
  return {
    page,
    pages: ({ limit, start, ...request }, options) =>
      inTurn(
        (offset) => page({ ...request, start: offset }, options),
        ({ organic, images }) => [organic, images],
        start,
        limit,
      ),
    reviews,
    reviewPages: ({ limit, start, ...request }, options) =>
      inTurn(
        (offset) => reviews({ ...request, start: offset }, options),
        (found) => [found.reviews],
        start,
        limit,
      ),
  };
}

/** Yields pages until one has no results or repeats the previous one. Each page is billed, and such a search would never end. */
async function* inTurn<Page>(
  pageAt: (start: number) => Promise<Page>,
  resultsOf: (page: Page) => readonly (readonly unknown[])[],
  start = 0,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page, void, undefined> {
  let before = '';
  for (let asked = 0; asked < limit; asked += 1) {
    const page = await pageAt(start + asked * pageSize);
    const results = resultsOf(page);
    const now = JSON.stringify(results);
    if (results.every(({ length }) => length === 0) || now === before) return;
    yield page;
    before = now;
  }
}

function engineUrl(
  { searchEngineUrl, parsedSwitch }: ServiceProfile,
  path: string,
  query: Record<string, string | undefined>,
): string {
  if (searchEngineUrl === undefined) throw new ProblemError([noEngine]);
  const parameters = queryText({ ...query, [parsedSwitch.name]: parsedSwitch.value });
  return `${searchEngineUrl.replace(/\/+$/, '')}/${path}?${parameters}`;
}

const noEngine = {
  code: 'missing-key',
  found: 'the address of the search engine is not set',
  fix: 'set searchEngineUrl in the service profile (service.profile.searchEngineUrl in the file)',
};

const text = z.string().min(1).optional();

const searchFields = z.object({
  query: text,
  fid: text,
  start: z.int().min(0).optional(),
  num: z.undefined('must be left out, because it is deprecated since 11 September 2025: page with `start`').optional(),
});

function wrongZone(zone: string, zoneTypes: ZoneTypes) {
  const type = Object.hasOwn(zoneTypes, zone) ? zoneTypes[zone] : undefined;
  if (type === undefined || type === 'search') return [];
  return [
    {
      code: 'not-allowed',
      found: `a search through the zone ${zone}, which is of type ${type}`,
      allowed: 'a zone of type search',
      fix: 'use a search zone, or correct the declared type of this one',
      path: ['zone'],
    },
  ];
}

const fixes = {
  'unexpected-answer':
    'Check that the zone is a search zone. If this service requests parsed results in another way, set parsedSwitch in the service profile.',
};
