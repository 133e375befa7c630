/** Query strings, decoded as the dialect says. */
import type { Dialect } from '../dialect/dialect.ts';

/** Returns the parameters of a query without its `?`; a parameter that occurs more than once is a list. */
export function parsedQuery(query: string, plus: Dialect['plusInQueries']): Record<string, string | string[]> {
  const encoded = plus === 'literal' ? query.replaceAll('+', '%2B') : query;
  const parameters = new URLSearchParams(encoded);
  const names = [...new Set(parameters.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}
