/** Turns zod issues into problems with the nearest valid name and a fix. */
import type * as z from 'zod';
import type { Problem } from './problem.ts';
import type { Frame } from './zodFrame.ts';
import { problemsOf } from './zodIssue.ts';

/** What makes problems better where it is known. */
export interface ZodContext {
  /** Knows the valid keys, and the limits that an issue leaves out. */
  schema?: z.core.$ZodType;
  /** Where the value stands in the file. */
  path?: readonly PropertyKey[];
  /** Shown instead of the value where a variable was put in (`YamlSource.written`). */
  written?: Frame['written'];
}

/** `value` is what was parsed, since zod's issues do not carry it. Problems come without places. */
export function zodProblems(error: z.core.$ZodError, value: unknown, context: ZodContext = {}): Problem[] {
  const frame: Frame = { ...context, value, path: context.path ?? [] };
  return problemsOf(error.issues, frame);
}

/**
 * Raises a whole problem inside `.check(ctx => …)` or `.superRefine((value, ctx) => …)`. Its paths start at the value that
 * the check is about.
 */
export function problemIssue(ctx: { value: unknown; issues: z.core.$ZodRawIssue[] }, problem: Problem): void {
  ctx.issues.push({
    code: 'custom',
    message: problem.found,
    // A copy: zod prepends to it.
    path: [...(problem.path ?? [])],
    params: { ...problem },
    input: ctx.value,
    continue: true,
  });
}
