/** Pulumi's option `ignoreChanges` for dynamic resources, whose provider does not get it from the engine. */
import type { CustomResourceOptions } from '@pulumi/pulumi';

/** The input that hands the option to the provider. The engine does not show inputs whose names begin like this. */
const ignoredInput = '__ignoreChanges';

/**
 * Returns the option with the names of the inputs in place of `*`, and the input that repeats it. The engine takes the values of ignored inputs from
 * the state, so with `*` it would take away this one too.
 */
export function ignoring(
  inputs: object,
  { ignoreChanges = [], ...options }: CustomResourceOptions = {},
): { options: CustomResourceOptions; inputs: Record<string, unknown> } {
  if (ignoreChanges.length === 0) return { options, inputs: {} };
  const named = ignoreChanges.flatMap((path) => {
    const rest = /^\*(.*)$/s.exec(path)?.[1] ?? /^\[(?:"\*"|\*)\](.*)$/s.exec(path)?.[1];
    return rest === undefined ? [path] : Object.keys(inputs).map((name) => name + rest);
  });
  return { options: { ...options, ignoreChanges: named }, inputs: { [ignoredInput]: named } };
}
