/** A registered spec as properties, for a comparison that a person can read. */
import { createHash } from 'node:crypto';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { isMapValue, withSortedKeys } from '../../base/values/plain.ts';

/** Returns lists as maps by position. A few inputs are shown one by one, many by their number and a hash. */
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
  if (texts.length <= fewInputs) return Object.fromEntries(texts.map((text, index) => [`row ${index + 1}`, text]));
  const hash = createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 8);
  return `${counted(texts.length, 'row')} (${hash})`;
}

function property(value: unknown): unknown {
  if (Array.isArray(value)) return Object.fromEntries(value.map((item, index) => [String(index + 1), property(item)]));
  if (!isMapValue(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, property(field)]));
}
