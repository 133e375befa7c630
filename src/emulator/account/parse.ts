/** Checks values from code or requests by a schema. `accountFile.ts` checks account files. */
import type { z } from 'zod';
import { ProblemError } from '../../diagnostics/problem.ts';
import { zodProblems } from '../../diagnostics/zodProblems.ts';

/** Returns the parsed value. @throws ProblemError with every problem */
export function parseOrThrow<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ProblemError(zodProblems(result.error, value, { schema }));
}
