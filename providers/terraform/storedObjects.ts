/** Objects as plans and states keep them: without secrets, and in the JSON of a state. */
import { isMapValue } from '../../src/base/values/plain.ts';
import { type Attribute, mapped, type ValueShape } from './attributes.ts';
import { Unknown } from './wire.ts';

/** Returns the object without the values that no plan and no state keeps. */
export function withoutWriteOnly(attributes: readonly Attribute[], wire: object): Record<string, unknown> {
  return withSecrets(attributes, wire, () => null);
}

/** The value of a secret that the state does not hold. */
const notKept = '(not kept)';

/** Returns the object with a text in place of each secret that `withoutWriteOnly` has removed, so that it is complete again. */
export function withPlaceholders(attributes: readonly Attribute[], wire: object): Record<string, unknown> {
  return withSecrets(attributes, wire, (value, siblings) =>
    siblings.every((each) => each === null) ? notKept : value,
  );
}

/** Changes the values that no plan and no state keeps; `siblings` are the values of their object. */
function withSecrets(
  attributes: readonly Attribute[],
  wire: object,
  change: (value: unknown, siblings: readonly unknown[]) => unknown,
): Record<string, unknown> {
  const given = wire as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    attributes.map(({ name, isWriteOnly, shape: { nested } }) => {
      const value = given[name] ?? null;
      if (isWriteOnly) return [name, change(value, Object.values(given))];
      const isOne = nested?.nesting === 'SINGLE' && isMapValue(value) && !(value instanceof Unknown);
      return [name, isOne ? withSecrets(nested.attributes, value, change) : value];
    }),
  );
}

/** Returns true for an attribute that is or contains a secret which the state does not keep. */
export function holdsWriteOnly({ isWriteOnly, shape: { nested } }: Attribute): boolean {
  return isWriteOnly || (nested?.attributes ?? []).some(holdsWriteOnly);
}

/** A state is stored as JSON, in which a value of any type has its type beside it. Attributes that the schema does not have are dropped. */
export function fromStateJson(attributes: readonly Attribute[], json: object): Record<string, unknown> {
  const given = json as Readonly<Record<string, unknown>>;
  return Object.fromEntries(attributes.map(({ name, shape }) => [name, fromJsonValue(shape, given[name] ?? null)]));
}

function fromJsonValue({ type, nested }: ValueShape, value: unknown): unknown {
  if (value === null) return null;
  if (type === 'dynamic' && isMapValue(value)) {
    return [Buffer.from(JSON.stringify(value.type)), withNumbersAsTexts(value.value)];
  }
  if (nested === undefined) return withNumbersAsTexts(value);
  const { nesting, attributes } = nested;
  const one = (each: unknown) => fromStateJson(attributes, each as object);
  if (nesting === 'SINGLE') return one(value);
  return nesting === 'LIST' ? (value as unknown[]).map(one) : mapped(value as object, one);
}

/** Numbers of a state keep their digits. The client reads a number from a text too. */
function withNumbersAsTexts(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : String(value);
  if (isRawNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(withNumbersAsTexts);
  return isMapValue(value) ? mapped(value, withNumbersAsTexts) : value;
}

/** `parseExact` keeps the text of a number that no float holds. */
function isRawNumber(value: unknown): value is { rawJSON: string } {
  return isMapValue(value) && typeof value.rawJSON === 'string' && Object.isFrozen(value);
}
