/** Checks the sender of a delivery: its authorization and, if required, its address. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { isFromPage } from '../base/http/allowedOrigins.ts';
import { sameText } from '../base/http/secret.ts';
import { deliverySourceIps } from '../client/areas/jobs/delivery.ts';
import { RefusedDelivery } from './refusal.ts';

export interface CheckOptions {
  /** The accepted values of the `Authorization` header, several while a value is rotated. Empty accepts any. */
  authorizations?: readonly string[] | undefined;
  /** Accepts only the source addresses of the specification. */
  onlyServiceAddresses?: boolean | undefined;
  /** The number of own proxies that add the client to X-Forwarded-For: correct only if every request comes through all of them. */
  trustedProxies?: number | undefined;
}

/** @throws RefusedDelivery, which never reveals what would have been accepted */
export function checkSender(request: IncomingMessage, options: CheckOptions): void {
  const { authorizations = [], onlyServiceAddresses = false } = options;
  if (isFromPage(request)) {
    throw new RefusedDelivery(403, 'from-a-page', 'Deliveries from pages in a browser are not accepted.');
  }
  if (onlyServiceAddresses && !deliverySourceIps.includes(senderAddress(request, options) ?? '')) {
    throw new RefusedDelivery(403, 'wrong-address', 'Deliveries from this address are not accepted.');
  }
  const given = request.headers.authorization ?? '';
  // Compares with every value, so that the time does not depend on which one matches.
  const isKnown = authorizations.map((each) => sameText(given, each)).includes(true);
  if (authorizations.length > 0 && !isKnown) {
    throw new RefusedDelivery(401, 'wrong-authorization', 'The Authorization header is missing or wrong.');
  }
}

/** Returns the address of the sender in words: if the proxies do not name it, the header as it was sent. */
export function senderText(request: IncomingMessage, options: CheckOptions): string {
  const { socket, headers } = request;
  const text = forwardedFor(headers).slice(0, longestHeader);
  const unknown = text === '' ? 'no X-Forwarded-For' : `unclear: ${text}`;
  return senderAddress(request, options) ?? `${socket.remoteAddress ?? 'unknown'} (${unknown})`;
}

const longestHeader = 200;

function senderAddress({ socket, headers }: IncomingMessage, { trustedProxies = 0 }: CheckOptions): string | undefined {
  return trustedProxies > 0 ? forwardedAddress(headers, trustedProxies) : plainAddress(socket.remoteAddress ?? '');
}

/**
 * Returns the address that the first of `hops` own proxies saw: IPv4 in dotted form. Undefined if the header does not name one. Each proxy
 * appends an entry, so the client can only fake entries further to the left.
 */
function forwardedAddress(headers: IncomingHttpHeaders, hops: number): string | undefined {
  // A proxy that writes `Forwarded` passes on the other header as the client sent it.
  if (headers.forwarded !== undefined) return undefined;
  return plainAddress(forwardedFor(headers).split(',').at(-hops)?.trim() ?? '');
}

/** Returns the header as it was sent; empty if there is none. */
function forwardedFor(headers: IncomingHttpHeaders): string {
  return [headers['x-forwarded-for'] ?? ''].flat().join(', ');
}

/** Returns an address without port, brackets and zone; IPv4 in dotted form, also where it is mapped to IPv6. */
function plainAddress(text: string): string | undefined {
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  const address = (bracketed ?? withPort ?? text).split('%')[0] ?? '';
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined;
}
