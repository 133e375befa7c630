/** A registered spec as properties, for a comparison that a person can read. */
import { createHash, scryptSync } from 'node:crypto';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { isMapValue, withSortedKeys } from '../../base/values/plain.ts';
import { redactor } from '../../client/redact.ts';

/**
 * Returns lists as maps by position. A few inputs are shown one by one, many by their number and a hash. Secrets in inputs are hidden, and
 * compared by a digest.
 */
export function specProperties(spec: unknown): object {
  if (!isMapValue(spec)) return {};
  return Object.fromEntries(
    Object.entries(spec).map(([name, value]) => [name, name === 'inputs' ? inputsOf(value) : property(value)]),
  );
}

const fewInputs = 10;

function inputsOf(inputs: unknown): unknown {
  if (!Array.isArray(inputs)) return inputs;
  const texts = inputs.map((input) => JSON.stringify(withSortedKeys(input)));
  const whole = texts.join('\n');
  const shown = texts.map(redact);
  const hasSecrets = shown.join('\n') !== whole;
  if (texts.length <= fewInputs) {
    const rows = Object.fromEntries(shown.map((text, index) => [`row ${index + 1}`, text]));
    return hasSecrets ? { ...rows, secrets: `digest ${slowDigest(whole)}` } : rows;
  }
  const hash = hasSecrets ? slowDigest(whole) : createHash('sha256').update(whole).digest('hex').slice(0, 8);
  return `${counted(texts.length, 'row')} (${hash})`;
}

const redact = redactor();

/** Returns a digest that takes a millisecond, so that a reader of a report cannot try many passwords. */
function slowDigest(text: string): string {
  return scryptSync(text, 'inputs', 4, { N: 512 }).toString('hex');
}

function property(value: unknown): unknown {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, index) => [String(index + 1), property(item)]));
  if (!isMapValue(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, property(field)]));
}
