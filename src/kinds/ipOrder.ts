/** The one order of IPs, so that choices and output are the same on every run: by address, not by spelling. */

export function sortedIps(ips: Iterable<string>): string[] {
  return sortedByIp(ips, (ip) => ip);
}

/** Each address is taken apart once, not at every comparison: zones may hold 100,000 of them, mostly in order already. */
export function sortedByIp<Item>(items: Iterable<Item>, ipOf: (item: Item) => string): Item[] {
  const unsorted = Array.from(items);
  const keys = Float64Array.from(unsorted, (item) => addressNumber(ipOf(item)));
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

/** Texts that are not dotted quads sort last, in their original order. */
function addressNumber(ip: string): number {
  let [number, part, dots] = [0, 0, 0];
  for (let index = 0; index < ip.length; index += 1) {
    const digit = ip.charCodeAt(index) - zero;
    if (digit >= 0 && digit <= 9) part = part * 10 + digit;
    else if (digit !== dot) return Number.MAX_SAFE_INTEGER;
    else {
      number = number * 256 + part;
      part = 0;
      dots += 1;
    }
  }
  return dots === 3 ? number * 256 + part : Number.MAX_SAFE_INTEGER;
}

const zero = '0'.charCodeAt(0);
const dot = '.'.charCodeAt(0) - zero;
