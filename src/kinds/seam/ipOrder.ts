/** The order of IPs: by address, not by spelling. All code uses it, so that every run makes the same choices and prints the same output. */

export function sortedIps(ips: Iterable<string>): string[] {
  return sortedByIp(ips, (ip) => ip);
}

/**
 * Each address is taken apart once, not at every comparison: zones may hold 100,000 of them, mostly in order already. Other texts come
 * last, in their original order.
 */
export function sortedByIp<Item>(items: Iterable<Item>, ipOf: (item: Item) => string): Item[] {
  const unsorted = Array.from(items);
  const keys = Float64Array.from(unsorted, (item) => addressNumber(ipOf(item)) ?? Number.MAX_SAFE_INTEGER);
  if (isAscending(keys)) return unsorted;
  return unsorted
    .map((item, index) => ({ item, key: keys[index] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

function isAscending(keys: Float64Array): boolean {
  for (let index = 1; index < keys.length; index += 1) if ((keys[index - 1] ?? 0) > (keys[index] ?? 0)) return false;
  return true;
}

/** Returns the number of an IPv4 address in its only spelling, without leading zeros; undefined for any other text. */
export function addressNumber(ip: string): number | undefined {
  let [number, part, digits, dots] = [0, 0, 0, 0];
  for (let index = 0; index < ip.length; index += 1) {
    const digit = ip.charCodeAt(index) - zero;
    if (digit >= 0 && digit <= 9) {
      if (digits > 0 && part === 0) return undefined;
      part = part * 10 + digit;
      digits += 1;
    } else {
      if (digit !== dot || digits === 0 || part > 255) return undefined;
      number = number * 256 + part;
      [part, digits] = [0, 0];
      dots += 1;
    }
  }
  return dots === 3 && digits > 0 && part <= 255 ? number * 256 + part : undefined;
}

const zero = '0'.charCodeAt(0);
const dot = '.'.charCodeAt(0) - zero;

export function addressText(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}
