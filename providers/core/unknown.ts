/** Unknown values: outputs of resources that a preview has not created. The engine passes them as a fixed text. */

import type { Problem } from '../../src/base/diagnostics/problem.ts';
import { valueAt } from '../../src/base/values/plain.ts';

/** `runtime.unknownValue` of the SDK. Not imported, because a provider would load the whole SDK for it. */
export const unknownValue = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

export function unknownPaths(value: unknown, path: readonly PropertyKey[] = []): PropertyKey[][] {
  if (value === unknownValue) return [[...path]];
  if (Array.isArray(value)) return value.flatMap((item, index) => unknownPaths(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => unknownPaths(item, [...path, key]));
}

/** Returns true if the only problem is that a value is unknown. */
export function isAboutUnknown({ path = [] }: Problem, inputs: unknown): boolean {
  return valueAt(inputs, path) === unknownValue;
}
