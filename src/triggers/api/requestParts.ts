/** The parts of any request, without the types of its operation. */

export interface Parts {
  params?: Readonly<Record<string, string>>;
  query?: Query;
  body?: unknown;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns the values of a query as they are in a URL. */
export function textsOf(query: Query): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
