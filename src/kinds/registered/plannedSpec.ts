/** The form of a registration in a plan file, which has no secrets. */
import { isMapValue } from '../../base/values/plain.ts';
import { redactor } from '../../client/redact.ts';
import { anotherSecret, comparableSpecs, sealedSpec, secretWord } from '../../triggers/declared/specDigest.ts';
import { isSealed, sameSecret, sealedHash } from '../../triggers/secrets/secrets.ts';

/** Returns the sealed spec. If inputs hold something that reports hide, they are sealed as a whole. */
export function plannedSpec(spec: unknown): unknown {
  const sealed = sealedSpec(spec);
  if (!isMapValue(sealed) || !('inputs' in sealed)) return sealed;
  const text = JSON.stringify(sealed.inputs);
  return redactor()(text) === text ? sealed : { ...sealed, inputs: sealedHash(text) };
}

/** Compares a spec with its form in a plan file, as `comparableSpecs` does. */
export function comparablePlanned(spec: unknown, planned: unknown): { declared: unknown; sealed: unknown } {
  if (!isMapValue(spec) || !isMapValue(planned) || !isSealed(planned.inputs)) return comparableSpecs(spec, planned);
  const isSame = sameSecret(JSON.stringify(spec.inputs) ?? '', planned.inputs);
  const inputs = isSame ? secretWord : anotherSecret;
  return comparableSpecs({ ...spec, inputs }, { ...planned, inputs: secretWord });
}
