/** `Retry-After` (RFC 9110, 10.2.3): seconds or a date. */

/** Returns the requested wait in milliseconds, at most `capMs`, or undefined if the header is missing or unreadable. */
export function retryAfterMs(header: string | undefined, capMs: number, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), capMs);
}
