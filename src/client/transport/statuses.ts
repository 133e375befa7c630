/** HTTP statuses: which allow a retry, and which prove that a request had no effect. */

/** 4xx that a retry may fix: the request came too slowly, too early or too often. */
const transientRefusals: ReadonlySet<number> = new Set([408, 425, 429]);

/** 5xx that a retry of a read does not fix: not implemented, HTTP version not supported. Triggers have a rule of their own (retries.ts). */
const permanentServerErrors: ReadonlySet<number> = new Set([501, 505]);

/** Returns true if the same request may succeed later. */
export function isTransientStatus(status: number): boolean {
  return status >= 500 ? !permanentServerErrors.has(status) : transientRefusals.has(status);
}

/** 4xx that a gateway may return for a request that it has passed on. */
const openRefusals: ReadonlySet<number> = new Set([408, 425]);

/** Returns true if the status proves that the request was not carried out. */
export function provesNoEffect(status: number): boolean {
  return status >= 400 && status < 500 && !openRefusals.has(status);
}

/** Returns the requested wait in milliseconds, at most `capMs`, or undefined if the header is missing or unreadable. */
export function retryAfterMs(header: string | undefined, capMs: number, now: number = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), capMs);
}
