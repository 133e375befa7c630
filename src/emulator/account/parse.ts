/** Values that code or a request gives, checked by a schema; account files are checked by `accountFile.ts`. */
import type { z } from 'zod';
import { ProblemError } from '../../diagnostics/problem.ts';
import { zodProblems } from '../../diagnostics/zodProblems.ts';

/** The value as the schema returns it. @throws ProblemError with every problem of it */
export function parseOrThrow<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ProblemError(zodProblems(result.error, value, { schema }));
}
