/**
 * Values that a schema does not type, such as the inputs of a job, which are sent as they are. A plain scalar that YAML reads as another
 * value than its text, such as `01234`, is refused there: the quoted text or the plain number may be meant.
 */
import type { Problem } from '../diagnostics/problem.ts';
import { alternativesOf, childrenOf, definitionOf, partsOf, type Schema } from '../diagnostics/zodSchema.ts';
import { isMapValue, valueAt } from '../values/plain.ts';
import type { YamlSource } from './source.ts';

/** Returns a problem for each value below `path` that would not be sent as it is written. */
export function alteredValues(schema: Schema, source: YamlSource, path: readonly PropertyKey[]): Problem[] {
  const paths = untypedScalars(schema, valueAt(source.value, path), [...path]);
  return paths.flatMap((each) => {
    const value = valueAt(source.value, each);
    const text = textAt(source, each);
    return text === undefined || isAsWritten(text, value) ? [] : [altered(each, text, value)];
  });
}

/** Returns the paths of numbers, booleans and nulls whose schema accepts anything. */
function untypedScalars(schema: Schema, value: unknown, path: PropertyKey[]): PropertyKey[][] {
  // The keys of the first levels are followed: a schema of a key that the file does not have need not be built.
  if (path.length > 1 && !mayBeUntyped(schema)) return [];
  const alternatives = alternativesOf(schema, value);
  if (alternatives.some(isUntyped)) return scalarsIn(value, path);
  return entriesOf(value).flatMap(([key, child]) =>
    alternatives
      .flatMap((each) => childrenOf(each, key))
      .flatMap((each) => untypedScalars(each, child, [...path, key])),
  );
}

function scalarsIn(value: unknown, path: PropertyKey[]): PropertyKey[][] {
  if (typeof value === 'string') return [];
  if (typeof value !== 'object' || value === null) return [path];
  return entriesOf(value).flatMap(([key, child]) => scalarsIn(child, [...path, key]));
}

function entriesOf(value: unknown): [PropertyKey, unknown][] {
  if (Array.isArray(value)) return [...value.entries()];
  return isMapValue(value) ? Object.entries(value) : [];
}

function isUntyped(schema: Schema): boolean {
  const { type } = definitionOf(schema);
  return type === 'unknown' || type === 'any';
}

const known = new WeakMap<Schema, boolean>();

/** Reports whether the schema, or one inside it, accepts anything. Most parts of a declaration need not be searched. */
function mayBeUntyped(schema: Schema): boolean {
  const found = known.get(schema);
  if (found !== undefined) return found;
  // A schema that contains itself.
  known.set(schema, false);
  const alternatives = alternativesOf(schema, undefined);
  const is = alternatives.some((each) => isUntyped(each) || Object.values(partsOf(each)).some(mayBeUntyped));
  known.set(schema, is);
  return is;
}

/** Returns the text of a scalar, or of the variable that it is. */
function textAt(source: YamlSource, path: readonly PropertyKey[]): string | undefined {
  const written = source.written(path);
  const [, name] = /^\$\{(\w+)\}$/.exec(written ?? '') ?? [];
  if (name === undefined) return written;
  const variables = [...source.secrets];
  // Of variables with one value, only the first is known by its name.
  const value = String(valueAt(source.value, path));
  return (variables.find(([, each]) => each === name) ??
    variables.find(([text]) => String(Number(text)) === value))?.[0];
}

function isAsWritten(text: string, value: unknown): boolean {
  return text === JSON.stringify(value) || (value === null && (text === '' || text === '~'));
}

function altered(path: PropertyKey[], text: string, value: unknown): Problem {
  const sent = String(value);
  return {
    code: 'not-as-written',
    path,
    found: `${text} would be sent as ${sent}`,
    allowed: 'values that are sent exactly as they are written',
    fix: `write "${text}" for the text${JSON.stringify(value) === sent ? `, or ${sent}` : ''}`,
  };
}
