/** Problems in the words of a front: options of the command line are configuration of a stack or a provider. */
import { isDeepStrictEqual } from 'node:util';
import type { FrontName } from '../../src/base/diagnostics/fix.ts';
import type { Problem } from '../../src/base/diagnostics/problem.ts';
import { valueAt } from '../../src/base/values/plain.ts';
import { problemsOfError } from '../../src/engine/doors/front.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import { formatProblems } from '../../src/report/text/problems.ts';

/** Returns the problems behind an error. Any error that is neither a problem nor an answer of a service is a defect of this package. */
export function problemsFrom(error: unknown): Problem[] {
  try {
    return problemsOfError(error);
  } catch {
    const message = error instanceof Error ? error.message : String(error);
    return [{ code: 'internal', found: `this is a defect of pulumi-webdata: ${message}`, fix: 'please report it' }];
  }
}

export function formatFor(front: FrontName, problems: readonly Problem[]): string {
  return formatProblems(
    problems.map((problem) => inWordsOf(front, problem)),
    { docs: true },
  );
}

/**
 * Returns true for a problem of a property that a program has not changed. The program may ignore changes of it, which a check does not
 * know, so the problem is one of the diff.
 */
export function isOfUnchanged({ path = [] }: Problem, before: Properties, after: Properties): boolean {
  return path.length > 0 && isDeepStrictEqual(valueAt(before, path), valueAt(after, path));
}

/** Without `--run-program`, the engine gives a provider the configuration of the last `pulumi up`. */
const ofLastUp =
  'After a change of the key, run `pulumi refresh` and `pulumi destroy` with --run-program: otherwise they use the key of the last `pulumi up`.';

export function inWordsOf(front: FrontName, { fixFor, ...problem }: Problem): Problem {
  const fix = fixFor?.[front] ?? problem.fix;
  if (fix === undefined) return problem;
  const isOfLastUp = front === 'pulumi' && problem.code === 'unauthorized';
  return { ...problem, fix: isOfLastUp ? `${fix} ${ofLastUp}` : fix };
}
