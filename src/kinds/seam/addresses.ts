/** Addresses and networks as people and managers write them, brought to one spelling by `ipaddr.js`. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { problemIssue } from '../../base/diagnostics/zodProblems.ts';
import { isIPv4 } from '../../base/values/ipv4.ts';
import { addressNumber, addressText } from './ipOrder.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Returns the reason why a text is not an IPv4 address, or undefined if it is one. */
export function wrongIpv4(text: string): string | undefined {
  if (isIPv4(text)) return undefined;
  if (networkOf(text) && text.includes('/')) return 'a network, not an address';
  if (ipaddr.IPv6.isValid(text)) return 'an IPv6 address';
  return 'not an address';
}

/** The most addresses that a range or a network may stand for. A declaration with more is most likely a mistake. */
const mostInRange = 65_536;

/**
 * Returns the addresses of a range (`192.0.2.10-192.0.2.40`) or a network (`192.0.2.0/28`), with the first and the last one, or the
 * problem with it. Undefined for other text.
 */
export function rangeAddresses(text: string): string[] | Problem | undefined {
  // Most items of a long list are addresses.
  if (!text.includes('-') && !text.includes('/')) return undefined;
  const [first = '', last = ''] = text.includes('/') ? networkBounds(text) : text.split('-').map((end) => end.trim());
  const [from, to] = [addressNumber(first), addressNumber(last)];
  if (from === undefined || to === undefined) return undefined;
  if (text.includes('/') && !text.startsWith(`${first}/`)) {
    const network = `${first}${text.slice(text.indexOf('/'))}`;
    return wrongRange(text, 'is an address within a network', `the network, ${network}, or the address alone`);
  }
  if (to < from) return wrongRange(text, 'ends before it begins', `${last}-${first}`);
  if (to - from >= mostInRange) {
    return wrongRange(
      text,
      `has ${to - from + 1} addresses`,
      `at most ${mostInRange} addresses in one range or network`,
    );
  }
  return Array.from({ length: to - from + 1 }, (_, index) => addressText(from + index));
}

/** Returns the first and the last address of an IPv4 network. */
function networkBounds(text: string): string[] {
  const network = networkOf(text);
  if (network?.address.kind() !== 'ipv4') return [];
  const cidr = `${network.address}/${network.bits}`;
  return [ipaddr.IPv4.networkAddressFromCIDR(cidr), ipaddr.IPv4.broadcastAddressFromCIDR(cidr)].map(String);
}

function wrongRange(text: string, why: string, allowed: string): Problem {
  return { code: 'wrong-range', found: `${text} ${why}`, allowed };
}

/**
 * One spelling for what means the same: host bits are zeroed, `10.0.0.1/32` is `10.0.0.1`, IPv6 is compressed.
 * Undefined for anything that is neither an address nor a network.
 */
export function canonicalEntry(text: string): string | undefined {
  const network = networkOf(text);
  if (!network) return undefined;
  const { address, bits } = network;
  const first = firstOf(address, bits).toString();
  return bits === lengthOf(address) ? first : `${first}/${bits}`;
}

/** An entry of an allow list. */
export const allowedEntry = z
  .string()
  .superRefine((text, context) => {
    if (canonicalEntry(text) !== undefined) return;
    problemIssue(context, {
      code: 'not-an-address',
      found: `${text}, neither an address nor a network`,
      allowed: 'an address such as 10.0.0.5, or a network such as 10.0.0.0/8',
    });
  })
  .meta({ pattern: '^\\s*[0-9A-Fa-f.:]+(%[^/]*)?(/(0|[1-9][0-9]{0,2}))?\\s*$', examples: ['10.0.0.5', '10.0.0.0/8'] });

/** Returns true if an allow list admits an address. Entries that are not networks match no address. */
export function covers(list: readonly string[], address: string): boolean {
  return admission(list)(address).length > 0;
}

/** Returns the function that finds the entries of an allow list that admit an address. Entries that are not networks match no address. */
export function admission(list: readonly string[]): (address: string) => string[] {
  const networks = list.flatMap((entry) => {
    const network = networkOf(entry);
    return network === undefined ? [] : [{ entry, ...network }];
  });
  const isWhole = ({ address, bits }: { address: Address; bits: number }) => bits === lengthOf(address);
  const single = Map.groupBy(networks.filter(isWhole), ({ address }) => address.toString());
  const wide = networks.filter((network) => !isWhole(network));
  return (text) => {
    if (!ipaddr.isValid(text)) return [];
    const caller = ipaddr.process(text);
    const around = wide.filter(({ address, bits }) => address.kind() === caller.kind() && caller.match(address, bits));
    return [...(single.get(caller.toString()) ?? []), ...around].map(({ entry }) => entry);
  };
}

/** Returns true for an address or network, such as a private one, from which no server on the internet receives requests. */
export function isInternal(entry: string): boolean {
  const network = networkOf(entry);
  if (network === undefined || network.bits === 0) return false;
  return internalRanges.has(firstOf(network.address, network.bits).range());
}

const internalRanges = new Set<string>(['private', 'uniqueLocal', 'linkLocal', 'loopback', 'carrierGradeNat']);

function networkOf(text: string): { address: Address; bits: number } | undefined {
  const [host = '', prefix, ...more] = text.trim().split('/');
  if (more.length > 0 || !isAddress(host)) return undefined;
  const address = ipaddr.parse(host);
  if (prefix === undefined) return { address, bits: lengthOf(address) };
  const bits = /^(?:0|[1-9]\d{0,2})$/.test(prefix) ? Number(prefix) : Number.NaN;
  return bits >= 0 && bits <= lengthOf(address) ? { address, bits } : undefined;
}

/** Stricter than the library's own test, which takes `10.1` and `0x0a000001` for addresses. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(':') && ipaddr.IPv6.isValid(text));
}

function lengthOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}

function firstOf(address: Address, bits: number): Address {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff00 >> kept) & 0xff;
  });
  return ipaddr.fromByteArray(bytes);
}
