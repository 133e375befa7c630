/** Checks the sender of a delivery: its authorization and, if required, its address. */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { isFromPage } from '../http/allowedOrigins.ts';
import { sameText } from '../http/secret.ts';
import { deliverySourceIps } from '../service/areas/jobs/delivery.ts';
import { RefusedDelivery } from './refusal.ts';

export interface CheckOptions {
  /** The required value of the `Authorization` header; undefined accepts any. */
  authorization?: string | undefined;
  /** Accepts only the source addresses of the specification. */
  onlyServiceAddresses?: boolean | undefined;
  /** Trusts the last entry of `X-Forwarded-For`: correct only if every request comes through your own proxy. */
  trustProxy?: boolean | undefined;
}

/** @throws RefusedDelivery, which never reveals what would have been accepted */
export function checkSender(request: IncomingMessage, options: CheckOptions): void {
  const { authorization, onlyServiceAddresses = false } = options;
  if (isFromPage(request)) {
    throw new RefusedDelivery(403, 'from-a-page', 'Deliveries from pages in a browser are not accepted.');
  }
  if (onlyServiceAddresses && !deliverySourceIps.includes(senderAddress(request, options))) {
    throw new RefusedDelivery(403, 'wrong-address', 'Deliveries from this address are not accepted.');
  }
  if (authorization !== undefined && !sameText(request.headers.authorization ?? '', authorization)) {
    throw new RefusedDelivery(401, 'wrong-authorization', 'The Authorization header is missing or wrong.');
  }
}

/** Returns the address of the sender, or of the proxy's client; IPv4 addresses in dotted form. */
export function senderAddress({ socket, headers }: IncomingMessage, { trustProxy = false }: CheckOptions): string {
  const direct = socket.remoteAddress ?? '';
  // Senders can fake entries further to the left. A request without any entry did not come through the proxy.
  const hops = String(headers['x-forwarded-for'] ?? '').split(',');
  const address = trustProxy ? (hops.at(-1)?.trim() ?? '') : direct;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : '';
}
