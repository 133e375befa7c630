/** Addresses and networks as people and managers write them, brought to one spelling by `ipaddr.js`. */
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Returns the reason why a text is not an IPv4 address, or undefined if it is one. */
export function wrongIpv4(text: string): string | undefined {
  if (isIPv4(text)) return undefined;
  if (networkOf(text) && text.includes('/')) return 'a network, not an address';
  if (ipaddr.IPv6.isValid(text)) return 'an IPv6 address';
  return 'not an address';
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

/** Returns true if an allow list admits an address. Entries that are not networks match no address. */
export function covers(list: readonly string[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const caller = ipaddr.process(address);
  return list.some((entry) => {
    const network = networkOf(entry);
    return network?.address.kind() === caller.kind() && caller.match(network.address, network.bits);
  });
}

function networkOf(text: string): { address: Address; bits: number } | undefined {
  const [host = '', prefix, ...more] = text.trim().split('/');
  if (more.length > 0 || !isAddress(host)) return undefined;
  const address = ipaddr.parse(host);
  if (prefix === undefined) return { address, bits: lengthOf(address) };
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
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
