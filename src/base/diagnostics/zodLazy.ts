import { z } from 'zod';

/** Returns a schema that is built when a value is first parsed. `z.lazy` alone is built as soon as an object has it as an optional field, to find out whether it has a default. */
export function whenUsed<S extends z.ZodType>(build: () => S): z.ZodLazy<S> {
  const schema = z.lazy(build);
  for (const asked of ['optin', 'optout']) Object.defineProperty(schema._zod, asked, { value: undefined });
  return schema;
}
