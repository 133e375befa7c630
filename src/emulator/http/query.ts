/** Reads a query as the dialect decodes it. */
import type { Dialect } from '../dialect/dialect.ts';

/** The parameters of a query, without its `?`; a list where one is there more than once. */
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
