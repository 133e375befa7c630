/** Caches the results of `make`, and drops the oldest beyond `size`: for results that are slow to make and small, such as a parsed cron expression. */
export function boundedCache<Value>(size: number, make: (key: string) => Value): (key: string) => Value {
  const kept = new Map<string, Value>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (kept.size >= size && oldest !== undefined) kept.delete(oldest);
    const made = make(key);
    kept.set(key, made);
    return made;
  };
}
