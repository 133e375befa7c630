/**
 * Property values on the wire between the engine and a provider: protobuf structs, in which secrets and values that are not known yet are
 * marked. Handlers work with plain values; the secrets are remembered by path and marked again on the way back.
 */
import structs from 'google-protobuf/google/protobuf/struct_pb.js';
import { isMapValue, valueAt } from '../../src/values/plain.ts';
import { unknownValue } from '../core/unknown.ts';

type Struct = structs.Struct;
type Value = structs.Value;
type Path = readonly string[];

export interface WireProperties {
  /** Plain values; `unknownValue` where one is not known yet. */
  values: Readonly<Record<string, unknown>>;
  /** Paths of keys below which everything is secret. A secret item makes its whole list secret: lists are sorted by handlers. */
  secrets: readonly Path[];
}

/** The texts that SDKs send for unknown booleans, numbers, lists, assets, archives and objects. */
const otherUnknowns: ReadonlySet<unknown> = new Set([
  '1c4a061d-8072-4f0a-a4cb-0ff528b18fe7',
  '3eeb2bf0-c639-47a8-9e75-3b44932eb421',
  '6a19a0b0-7e62-4c92-b797-7f8e31da9cc2',
  '030794c1-ac77-496b-92df-f27374a8bd58',
  'e48ece36-62e2-4504-bad9-02848725956a',
  'dd056dcd-154b-4c76-9bd3-c8f88648b5ff',
]);

/** The key that marks an object as a special value, and the values of it. */
const signature = '4dabf18193072939515e22adb298388d';
const secretSignature = '1b47061264138c4ac30d75fd1eb44270';
const outputSignature = 'd0e6a833031e9bbcd3f4e8bde6ca49a4';

/** Returns the plain values of a struct. A field that is null is left out: SDKs send null for a property that is not set. */
export function decode(struct: Struct | undefined): WireProperties {
  const secrets: string[][] = [];
  const fields = struct === undefined ? [] : [...struct.getFieldsMap().entries()];
  const values = fields.flatMap(([name, value]): [string, unknown][] => {
    const plain = plainOf(value, [name], secrets);
    return plain === null ? [] : [[name, plain]];
  });
  return { values: Object.fromEntries(values), secrets };
}

function plainOf(value: Value, path: Path, secrets: string[][]): unknown {
  const struct = value.getStructValue();
  if (struct !== undefined) return objectOf(struct.getFieldsMap(), path, secrets);
  if (value.hasListValue()) {
    const found: string[][] = [];
    const items = value.getListValue()?.getValuesList() ?? [];
    const plain = items.map((item) => plainOf(item, path, found));
    if (found.length > 0) secrets.push([...path]);
    return plain;
  }
  if (value.hasStringValue()) {
    const text = value.getStringValue();
    return otherUnknowns.has(text) ? unknownValue : text;
  }
  if (value.hasNumberValue()) return value.getNumberValue();
  if (value.hasBoolValue()) return value.getBoolValue();
  return null;
}

function objectOf(fields: ReturnType<Struct['getFieldsMap']>, path: Path, secrets: string[][]): unknown {
  const sign = fields.get(signature)?.getStringValue();
  if (sign === secretSignature || fields.get('secret')?.getBoolValue() === true) secrets.push([...path]);
  if (sign === secretSignature || sign === outputSignature) {
    const inner = fields.get('value');
    return inner === undefined ? unknownValue : plainOf(inner, path, secrets);
  }
  const entries = [...fields.entries()].map(([name, value]) => [name, plainOf(value, [...path, name], secrets)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

/** Marks the values at the paths of `secrets` again. Fields that are undefined are left out. */
export function encode({ values, secrets }: WireProperties): Struct {
  return structOf(values, secrets);
}

function structOf(values: Readonly<Record<string, unknown>>, secrets: readonly Path[]): Struct {
  const struct = new structs.Struct();
  const fields = struct.getFieldsMap();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) fields.set(name, secretOrPlain(value, below(secrets, name)));
  }
  return struct;
}

function below(secrets: readonly Path[], name: string): readonly Path[] {
  return secrets.filter(([first]) => first === name).map((path) => path.slice(1));
}

function secretOrPlain(value: unknown, secrets: readonly Path[]): Value {
  const isSecret = secrets.some((path) => path.length === 0 || !isMapValue(value));
  if (!isSecret) return encodedValue(value, secrets);
  const wrapped = new structs.Value();
  const struct = structOf({ [signature]: secretSignature }, []);
  struct.getFieldsMap().set('value', encodedValue(value, []));
  return wrapped.setStructValue(struct);
}

function encodedValue(value: unknown, secrets: readonly Path[]): Value {
  const encoded = new structs.Value();
  if (Array.isArray(value)) {
    return encoded.setListValue(new structs.ListValue().setValuesList(value.map((item) => encodedValue(item, []))));
  }
  if (isMapValue(value)) return encoded.setStructValue(structOf(value, secrets));
  if (typeof value === 'string') return encoded.setStringValue(value);
  if (typeof value === 'number') return encoded.setNumberValue(value);
  if (typeof value === 'boolean') return encoded.setBoolValue(value);
  return encoded.setNullValue(structs.NullValue.NULL_VALUE);
}

/** Returns those of the named properties that repeat a text which is secret elsewhere: an output may show what an input hides. */
export function secretRepetitions(
  values: Readonly<Record<string, unknown>>,
  secrets: readonly Path[],
  names: readonly string[],
): string[] {
  const texts = new Set(secrets.flatMap((path) => textsIn(valueAt(values, path))));
  texts.delete(unknownValue);
  if (texts.size === 0) return [];
  return names.filter((name) => textsIn(values[name]).some((text) => texts.has(text)));
}

/** Returns all texts, keys included. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isMapValue(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}
