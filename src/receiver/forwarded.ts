/** Reads the address of the client from the headers that proxies add. */
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * Returns the address that the first of `hops` own proxies saw: IPv4 in dotted form. Undefined if the headers do not name one. Each proxy appends
 * an entry, so the client can only fake entries further to the left. A proxy maintains one of the two headers and passes on the other one as
 * the client sent it: if both are present, they must agree.
 */
export function forwardedAddress(headers: IncomingHttpHeaders, hops: number): string | undefined {
  const entries = [forwardedForEntries(headers), forwardedEntries(headers)].filter((list) => list !== undefined);
  const [address, ...others] = entries.map((list) => plainAddress(list.at(-hops) ?? ''));
  return others.every((other) => other === address) ? address : undefined;
}

/** Returns the headers as they were sent, for the log; empty if there are none. */
export function forwardedText(headers: IncomingHttpHeaders): string {
  return [forwardedFor(headers), headers.forwarded].filter((text) => text !== undefined).join(' / ');
}

/** Returns an address without port, brackets and zone; IPv4 in dotted form, also where it is mapped to IPv6. */
export function plainAddress(text: string): string | undefined {
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  const address = (bracketed ?? withPort ?? text).split('%')[0] ?? '';
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined;
}

function forwardedFor(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['x-forwarded-for'];
  return typeof value === 'object' ? value.join(', ') : value;
}

function forwardedForEntries(headers: IncomingHttpHeaders): string[] | undefined {
  return forwardedFor(headers)
    ?.split(',')
    .map((entry) => entry.trim());
}

/** Parses `for="[2001:db8::1]:4711";proto=https, for=192.0.2.60`. An unclosed quotation mark could hide the last entry, so it makes all of them unknown. */
function forwardedEntries({ forwarded }: IncomingHttpHeaders): string[] | undefined {
  if (forwarded === undefined) return undefined;
  if (!/^(?:"(?:[^"\\]|\\.)*"|[^"])*$/.test(forwarded)) return [];
  const elements = forwarded.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? [];
  return elements.map((element) => {
    const [, quoted, plain = ''] = /(?:^|;)\s*for\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/i.exec(element) ?? [];
    return quoted ?? plain;
  });
}
