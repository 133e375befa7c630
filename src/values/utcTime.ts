/** A moment as people read it: `2026-07-01T10:00:00.000Z` as `2026-07-01 10:00:00 UTC`. */
export function utcTime(iso: string): string {
  return iso.replace(/^(\S+)T(\d\d:\d\d:\d\d)(\.\d+)?Z$/, '$1 $2 UTC');
}
