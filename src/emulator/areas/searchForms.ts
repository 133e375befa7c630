/** Parsed search pages and reviews in the form of the dialect (G). */
import { isMapValue } from '../../values/plain.ts';
import type { Dialect } from '../dialect/dialect.ts';

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
