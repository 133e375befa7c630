import type { Pause } from '../../client/transport/requestedPauses.ts';

/** Returns the message of calls that wait because a server limits requests. */
export function pauseText({ server, ms }: Pause): string {
  if (ms === undefined) return `sending fewer calls: ${server} limits requests (429)`;
  return `waiting ${Math.ceil(ms / 1000)} s: ${server} limits requests (Retry-After)`;
}
