/** Reads the address of the client from `X-Forwarded-For`, which proxies add. */
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * Returns the address that the first of `hops` own proxies saw: IPv4 in dotted form. Undefined if the header does not name one. Each proxy
 * appends an entry, so the client can only fake entries further to the left.
 */
export function forwardedAddress(headers: IncomingHttpHeaders, hops: number): string | undefined {
  // A proxy that writes `Forwarded` passes on the other header as the client sent it.
  if (headers.forwarded !== undefined) return undefined;
  return plainAddress(forwardedFor(headers).split(',').at(-hops)?.trim() ?? '');
}

/** Returns the header as it was sent; empty if there is none. */
export function forwardedFor(headers: IncomingHttpHeaders): string {
  return [headers['x-forwarded-for'] ?? ''].flat().join(', ');
}

/** Returns an address without port, brackets and zone; IPv4 in dotted form, also where it is mapped to IPv6. */
export function plainAddress(text: string): string | undefined {
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  const address = (bracketed ?? withPort ?? text).split('%')[0] ?? '';
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined;
}
