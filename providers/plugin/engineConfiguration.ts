/** The configuration of the provider as the engine sends it. */
import type { Properties } from '../../src/kinds/seam/kind.ts';
import { ConfigurationError, readConfiguration, settingsLookup } from '../core/configuration.ts';
import { withoutCredentials } from '../core/credentials.ts';
import { problemsFrom } from '../core/problems.ts';
import { unknownPaths } from '../core/unknown.ts';
import { type CheckFailure, failureOf } from '../pulumi/failures.ts';

/** Checks what is known of the configuration. Each failure names its property, and shows no credential. */
export function configurationFailures(values: Properties): CheckFailure[] {
  const known = Object.entries(values).filter(([, value]) => unknownPaths(value).length === 0);
  try {
    readConfiguration(settingsLookup(Object.fromEntries(known)), process.env);
    return [];
  } catch (error) {
    const problems = error instanceof ConfigurationError ? error.settings : problemsFrom(error);
    return problems.map((problem) => failureOf(problem, 'pulumi', withoutCredentials));
  }
}
