/** The answer to a request that the trigger service refuses. */
import { z } from 'zod';
import type { Problem } from '../../base/diagnostics/problem.ts';

const problem = z
  .looseObject({
    code: z.string().describe('A stable code for programs.'),
    found: z.string(),
    allowed: z.string().optional(),
    fix: z.string().optional(),
    path: z
      .array(z.union([z.string(), z.number()]))
      .optional()
      .describe('The path of the wrong field in the request.'),
  })
  .meta({ id: 'Problem' }) satisfies z.ZodType<Partial<Problem>>;

export const problems = z.object({ error: z.array(problem).min(1) }).meta({ id: 'Problems' });
