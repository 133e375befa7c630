/** Values that are not known yet: outputs of resources that a preview has not made. They arrive as a fixed text. */

import type { Problem } from '../../src/diagnostics/problem.ts';
import { valueAt } from '../../src/values/plain.ts';

/** As the SDK writes it (`runtime.unknownValue`); not imported, so that handlers do not load the whole SDK a second time. */
const unknownValue = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** The paths at which a value is not known yet. */
export function unknownPaths(value: unknown, path: readonly PropertyKey[] = []): PropertyKey[][] {
  if (value === unknownValue) return [[...path]];
  if (Array.isArray(value)) return value.flatMap((item, index) => unknownPaths(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => unknownPaths(item, [...path, key]));
}

/** Whether a problem says no more than that a value is not known yet. */
export function isAboutUnknown({ path = [] }: Problem, inputs: unknown): boolean {
  return valueAt(inputs, path) === unknownValue;
}
