/** Returns each item whose key an earlier item has too, with the first item of that key. */
export function repeats<Item>(items: readonly Item[], keyOf: (item: Item) => string): { item: Item; first: Item }[] {
  const firsts = new Map<string, Item>();
  return items.flatMap((item) => {
    const key = keyOf(item);
    const first = firsts.get(key);
    if (first !== undefined) return [{ item, first }];
    firsts.set(key, item);
    return [];
  });
}
