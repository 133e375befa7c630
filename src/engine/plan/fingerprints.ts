/**
 * Fingerprints of the live state that a plan depends on. A plan file contains them, so that apply can name what has changed since the plan.
 */
import { createHash } from 'node:crypto';
import type { Planned } from './resources.ts';

/** Returns hashes by name: `zone checkout`, `settings of http://…`. Empty if the state could not be read. */
export function fingerprintsOf({ declared, state }: Planned): Record<string, string> {
  if (state === undefined) return {};
  const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
  const dependencies = Object.entries(declared.definition.fingerprint(state));
  return Object.fromEntries(dependencies.map(([name, value]) => [name, hash(value)]));
}
