/** Problems of inputs as the engine shows them: each beside its property. */
import type { FrontName } from '../../src/base/diagnostics/fix.ts';
import type { Problem } from '../../src/base/diagnostics/problem.ts';
import type { Redact } from '../../src/client/redact.ts';
import { formatProblem } from '../../src/report/text/problems.ts';
import { inWordsOf } from '../core/problems.ts';
import { propertyPath } from './propertyPath.ts';

export interface CheckFailure {
  /** Empty if the failure is not about one property. */
  property: string;
  reason: string;
}

export function failureOf({ path = [], ...problem }: Problem, front: FrontName, redact: Redact): CheckFailure {
  return { property: propertyPath(path), reason: redact(formatProblem(inWordsOf(front, problem), { docs: true })) };
}
