/** Search pages and reviews (G): answers to the search engine's URLs through a search zone. */

import type { TargetPage } from '../account/pages.ts';
import { Refusal } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import { parsedQuery } from '../http/route.ts';
import { type PageRequest, reviewsOf, searchForm, searchResults } from './searchResults.ts';

/** Returns the page of the search engine at this URL; undefined for the URL of another host. @throws Refusal */
export function searchPageAt(url: string, zone: string, { dialect, zones, clock }: World): TargetPage | undefined {
  const { origin, pathname, search } = new URL(url);
  const parameters = parsedQuery(search.slice(1), dialect.plusInQueries);
  const engine = new URL(dialect.searchEngineUrl);
  const path = `${engine.origin}${engine.pathname.replace(/\/+$/, '')}`;
  const isSearch = `${origin}${pathname}` === `${path}/search`;
  if (!isSearch && `${origin}${pathname}` !== `${path}/reviews`) return undefined;
  if (zones.get(zone)?.type !== 'search') throw new Refusal('invalid-request', `url: ${zone} is not a search zone`);

  const asked: PageRequest = { url, start: startOf(parameters) };
  const results = isSearch
    ? searchResults(required(parameters, 'q'), asked, clock())
    : reviewsOf(required(parameters, 'fid'), asked);
  const isParsed = parameters[dialect.parsedSwitch.name] === dialect.parsedSwitch.value;
  return isParsed
    ? {
        status: 200,
        type: 'application/json; charset=utf-8',
        text: JSON.stringify(searchForm(results, dialect.searchPages)),
      }
    : { status: 200, type: 'text/html; charset=utf-8', text: htmlOf(results) };
}

type Parameters = ReturnType<typeof parsedQuery>;

function required(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new Refusal('invalid-request', `url: the query parameter ${name} is missing`);
}

function startOf(parameters: Parameters): number {
  const start = `${parameters.start ?? '0'}`;
  if (!/^\d{1,6}$/.test(start)) throw new Refusal('invalid-request', `url: start is ${start}, not a whole number`);
  return Number(start);
}

/** Formats results as an HTML list. */
function htmlOf(results: ReturnType<typeof searchResults> | ReturnType<typeof reviewsOf>): string {
  const items =
    'organic' in results
      ? results.organic.map(({ link, title }) => `<a href="${escaped(link)}">${escaped(title)}</a>`)
      : results.reviews.map(({ rating, comment }) => `${rating} ${escaped(comment)}`);
  return `<!doctype html>\n<title>Search</title>\n<ol>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ol>\n`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
