/** Who may deliver: the right authorization, and where asked for, an address of the service. */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { isFromPage } from '../http/allowedOrigins.ts';
import { sameText } from '../http/secret.ts';
import { deliverySourceIps } from '../service/areas/jobs/sourceIps.ts';
import { Refusal } from './refusal.ts';

export interface CheckOptions {
  /** The whole value that the `Authorization` header must have; undefined takes any. */
  authorization?: string | undefined;
  /** Takes only what comes from the addresses of the specification. */
  onlyServiceAddresses?: boolean | undefined;
  /** Believes the last entry of `X-Forwarded-For`: right only where every request comes through one's own proxy. */
  trustProxy?: boolean | undefined;
}

/** @throws Refusal, which does not say what would have been right */
export function check(request: IncomingMessage, options: CheckOptions): void {
  const { authorization, onlyServiceAddresses = false } = options;
  if (isFromPage(request)) {
    throw new Refusal(403, 'from-a-page', 'Deliveries are not taken from pages in a browser.');
  }
  if (onlyServiceAddresses && !deliverySourceIps.includes(sourceOf(request, options))) {
    throw new Refusal(403, 'wrong-address', 'Deliveries are not taken from this address.');
  }
  if (authorization !== undefined && !sameText(request.headers.authorization ?? '', authorization)) {
    throw new Refusal(401, 'wrong-authorization', 'The Authorization header is missing or wrong.');
  }
}

/** The address of whoever sent the request, or of the proxy's client; an IPv4 address in its usual form. */
export function sourceOf({ socket, headers }: IncomingMessage, { trustProxy = false }: CheckOptions): string {
  const direct = socket.remoteAddress ?? '';
  // Further to the left stands what the sender made up; without an entry the request did not come through the proxy.
  const hops = String(headers['x-forwarded-for'] ?? '').split(',');
  const address = trustProxy ? (hops.at(-1)?.trim() ?? '') : direct;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : '';
}
