/** The form in which a baseline keeps registrations: salted hashes in place of secrets, a digest in place of many inputs. */
import { isSealed, mapSealed, sameSecret } from '../../triggers/secrets/secrets.ts';
import { comparableSpecs, sealedSpec } from '../../triggers/spec/specDigest.ts';
import { isMapValue, valueAt } from '../../values/plain.ts';
import { propertyChanges } from '../changes.ts';
import type { BaselineForm } from '../kind.ts';
import type { RegistryRecord } from './registration.ts';
import { specProperties } from './specProperties.ts';

export const registeredBaseline: BaselineForm<unknown, RegistryRecord<object>> = {
  keep(_spec, { declared }) {
    if ('problems' in declared) return undefined;
    const kept = sealedSpec(declared.spec);
    return isMapValue(kept) ? { ...kept, ...inputsIn(specProperties(kept)) } : undefined;
  },
  differences(kept, _spec, { declared, registered = {} }) {
    const present = 'problems' in declared ? {} : declared.spec;
    const sides = comparableSpecs(withSecrets(kept, present, registered), registered);
    return propertyChanges(specProperties(sides.sealed), specProperties(sides.declared));
  },
};

function inputsIn(properties: object): object {
  return 'inputs' in properties ? { inputs: properties.inputs } : {};
}

/**
 * Returns a kept spec with the declared secrets in place of their hashes. Two hashes cannot be compared, so where the declared secret
 * is another one, the registered one counts as the kept one.
 */
function withSecrets(kept: unknown, declared: object, registered: object): unknown {
  return mapSealed(kept, (sealed, path) => {
    const [secret, other] = [valueAt(declared, path), valueAt(registered, path)];
    if (typeof secret === 'string' && sameSecret(secret, sealed)) return secret;
    return isSealed(other) ? other : '(secret)';
  });
}
