import type { Pause } from '../../client/transport/transport.ts';

/** Returns the message of calls that wait because a server asks for it. */
export function pauseText({ server, ms }: Pause): string {
  return `waiting ${Math.ceil(ms / 1000)} s: ${server} limits requests (Retry-After)`;
}
