/** IPv4 addresses and ranges in an account file: `192.0.2.10`, or `192.0.2.10-192.0.2.40`, both ends included. */
import { isIPv4 } from 'node:net';

/** Maximum size of a range. A larger one is probably a typing error. */
const longestRange = 1_000_000;

/** Returns the problem of a range, or null. */
export function rangeProblem(text: string): string | null {
  const [first = '', last = first, ...rest] = text.split('-');
  if (rest.length > 0 || !isIPv4(first) || !isIPv4(last)) {
    return 'an IPv4 address, or a range such as 192.0.2.10-192.0.2.40';
  }
  const length = toNumber(last) - toNumber(first) + 1;
  if (length < 1) return 'a range from the lower to the higher address';
  return length > longestRange ? `a range of at most ${longestRange.toLocaleString('en')} addresses` : null;
}

/** Returns the addresses of a valid range in order. */
export function expandRange(text: string): string[] {
  const [first = '', last = first] = text.split('-');
  const start = toNumber(first);
  return Array.from({ length: toNumber(last) - start + 1 }, (_, offset) => toText(start + offset));
}

const toNumber = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

const toText = (value: number): string => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
