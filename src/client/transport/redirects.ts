/** Redirects. Reads follow them within one host, because the key is sent along. Any other redirect is an error that shows the Location. */

import type { ServiceError } from '../errors.ts';
import type { ResponseHead } from './exchange.ts';
import type { PreparedCall } from './wireRequest.ts';

/**
 * Returns the answer of the call, or of the address that it redirects to. `giveUp` discards an answer that is not read.
 * @throws ServiceError for a redirect that is not followed
 */
export async function withRedirects<T extends ResponseHead>(
  call: PreparedCall,
  origin: string,
  ask: (origin: string, target: string) => Promise<T>,
  giveUp?: (answer: T) => Promise<void>,
): Promise<T> {
  let answer = await ask(origin, call.target);
  let at = origin + call.target;
  for (let hops = 1; ; hops += 1) {
    const to = locationOf(answer, at);
    if (to === undefined) return answer;
    await giveUp?.(answer);
    const isFollowed = call.method === 'GET' && isSameHost(new URL(at), to) && hops <= mostRedirects;
    if (!isFollowed) throw refused(answer.status, to, call);
    at = to.href;
    answer = await ask(to.origin, to.pathname + to.search);
  }
}

/** More redirects than a service needs to reach its own address. */
const mostRedirects = 5;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function locationOf({ status, header }: ResponseHead, from: string): URL | undefined {
  const location = redirects.has(status) ? header('location') : undefined;
  return location === undefined ? undefined : (URL.parse(location, from) ?? undefined);
}

/** Returns true if the key may be sent to the other address: the same origin, or the same host by https instead of http. */
function isSameHost(from: URL, to: URL): boolean {
  if (to.username !== '' || to.password !== '') return false;
  if (from.origin === to.origin) return true;
  return from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname;
}

function refused(status: number, to: URL, { method, fail, redact }: PreparedCall): ServiceError {
  const what = `was answered ${status} with a redirect to ${redact(to.href)}`;
  const why =
    method === 'GET' ? 'it leads to another host or forms a loop' : `a ${method} is not sent to another address`;
  const fix = `The redirect was not followed: ${why}. If you trust the address, set it as the URL.`;
  // A write that was carried out may also be answered 302 or 303.
  return fail('unexpected-answer', what, { status, fix, sent: status === 302 || status === 303 });
}
