/** A moment as people read it, in ISO 8601 without fractions: `2026-07-01T10:00:00.000Z` as `2026-07-01T10:00:00Z`. */
export function utcTime(iso: string): string {
  return iso.replace(/^(\S+T\d\d:\d\d:\d\d)\.\d+Z$/, '$1Z');
}

const instant =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Returns the milliseconds since the epoch of a time in ISO 8601. `Date.parse` reads February 30 as March 2, and 24:00 as the next day. */
export function parseInstant(text: string): number | undefined {
  const [, day] = instant.exec(text) ?? [];
  return day !== undefined && isDay(day) ? Date.parse(text) : undefined;
}

function isDay(day: string): boolean {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}
