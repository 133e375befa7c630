/** Removes secrets from the data of a report, before a format shortens, wraps or escapes a part of them. */

/** Returns the data with hidden values in all texts and keys. Numbers stay: calls have a schema. */
export function hideIn<Data>(data: Data, hide: (text: string) => string): Data {
  return hiddenIn(data, hide) as Data;
}

function hiddenIn(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((item) => hiddenIn(item, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [hide(name), hiddenIn(field, hide)]));
}
