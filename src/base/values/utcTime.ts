/** A moment as people read it, in ISO 8601 without fractions: `2026-07-01T10:00:00.000Z` as `2026-07-01T10:00:00Z`. */
export function utcTime(iso: string): string {
  return iso.replace(/^(\S+T\d\d:\d\d:\d\d)\.\d+Z$/, '$1Z');
}
