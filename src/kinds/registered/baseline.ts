/** The form in which a baseline keeps registrations: salted hashes in place of secrets, a digest in place of many inputs. */

import { isMapValue, valueAt } from '../../base/values/plain.ts';
import { comparableSpecs, sealedSpec } from '../../triggers/declared/specDigest.ts';
import { mapSealed, sameSecret } from '../../triggers/secrets/secrets.ts';
import { propertyChanges } from '../seam/changes.ts';
import type { BaselineForm } from '../seam/comparison.ts';
import type { RegistryRecord } from './registryRecord.ts';
import { specProperties } from './specProperties.ts';

export const registeredBaseline: BaselineForm<unknown, RegistryRecord<object>> = {
  keep(_spec, { declared }) {
    if ('problems' in declared) return undefined;
    const kept = sealedSpec(declared.spec);
    return isMapValue(kept) ? { ...kept, ...inputsIn(specProperties(kept)) } : undefined;
  },
  differences(kept, _spec, { declared, registered = {} }) {
    const { spec, unknown } = withSecrets(kept, 'problems' in declared ? {} : declared.spec);
    const sides = comparableSpecs(spec, registered);
    const changes = propertyChanges(specProperties(sides.sealed), specProperties(sides.declared));
    return changes.filter(({ path }) => !unknown.has(path.join('.')));
  },
};

function inputsIn(properties: object): object {
  return 'inputs' in properties ? { inputs: properties.inputs } : {};
}

/**
 * Returns a kept spec with the declared secrets in place of their hashes. Two hashes cannot be compared: where the declared secret is another
 * one, it is unknown whether the registered one is the kept one, and it counts as the same.
 */
function withSecrets(kept: unknown, declared: object): { spec: unknown; unknown: ReadonlySet<string> } {
  const unknown = new Set<string>();
  const spec = mapSealed(kept, (sealed, path) => {
    const secret = valueAt(declared, path);
    if (typeof secret === 'string' && sameSecret(secret, sealed)) return secret;
    unknown.add(path.join('.'));
    return '(secret)';
  });
  return { spec, unknown };
}
