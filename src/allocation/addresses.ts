/** The one order of IPs, so that choices and output are the same on every run: by address, not by spelling. */

export function sortedIps(ips: Iterable<string>): string[] {
  return sortedByIp(ips, (ip) => ip);
}

/** Each address is taken apart once, not at every comparison: zones may hold 100,000 of them. */
export function sortedByIp<Item>(items: Iterable<Item>, ipOf: (item: Item) => string): Item[] {
  return Array.from(items, (item) => ({ item, key: addressNumber(ipOf(item)) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** Anything that is no dotted quad sorts last, in the order it came in. */
function addressNumber(ip: string): number {
  const parts = ip.split('.');
  if (parts.length !== 4) return Number.MAX_SAFE_INTEGER;
  let number = 0;
  for (const part of parts) number = number * 256 + Number(part);
  return Number.isNaN(number) ? Number.MAX_SAFE_INTEGER : number;
}
