/**
 * Property values on the wire between the engine and a provider: messages of type `google.protobuf.Struct`, in which secrets and values that are not known yet are
 * marked. Handlers work with plain values; the secrets are remembered by path and marked again on the way back.
 */
import { isDeepStrictEqual } from 'node:util';
import { isMapValue, valueAt } from '../../src/base/values/plain.ts';
import { unknownValue } from '../core/unknown.ts';
import { type BackwardWriter, FieldReader } from './protobuf.ts';

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

/** Numbers of the fields of `Struct`, of the entries of its map, of `Value` and of `ListValue`. */
const fieldNumbers = {
  struct: { entries: 1 },
  entry: { key: 1, value: 2 },
  value: { null: 1, number: 2, text: 3, boolean: 4, struct: 5, list: 6 },
  list: { items: 1 },
} as const;

/** Returns the plain values of a struct. A field that is null is left out: SDKs send null for a property that is not set. */
export function decode(struct: Buffer | undefined): WireProperties {
  const secrets: string[][] = [];
  const fields = struct === undefined ? [] : [...entriesIn(new FieldReader(struct))];
  return { values: plainFields(fields, [], secrets), secrets };
}

/** Reads the map of a struct. The readers are of the messages of type `Value`. */
function entriesIn(reader: FieldReader): Map<string, FieldReader | undefined> {
  const { struct, entry } = fieldNumbers;
  const entries = new Map<string, FieldReader | undefined>();
  while (reader.next()) {
    if (reader.field !== struct.entries) {
      reader.skip();
      continue;
    }
    const pair = reader.message();
    let key = '';
    let value: FieldReader | undefined;
    while (pair.next()) {
      if (pair.field === entry.key) key = pair.text();
      else if (pair.field === entry.value) value = pair.message();
      else pair.skip();
    }
    entries.set(key, value);
  }
  return entries;
}

function plainFields(
  fields: Iterable<readonly [string, FieldReader | undefined]>,
  path: Path,
  secrets: string[][],
): Record<string, unknown> {
  const values: [string, unknown][] = [];
  for (const [name, reader] of fields) {
    const plain = reader === undefined ? null : plainOf(reader, [...path, name], secrets);
    if (plain !== null) values.push([name, plain]);
  }
  return Object.fromEntries(values);
}

function plainOf(reader: FieldReader, path: Path, secrets: string[][]): unknown {
  const { value } = fieldNumbers;
  let plain: unknown = null;
  while (reader.next()) {
    if (reader.field === value.text) plain = knownText(reader.text());
    else if (reader.field === value.number) plain = reader.double();
    else if (reader.field === value.boolean) plain = reader.varint() !== 0;
    else if (reader.field === value.struct) plain = objectOf(entriesIn(reader.message()), path, secrets);
    else if (reader.field === value.list) plain = listOf(reader.message(), path, secrets);
    else reader.skip();
  }
  return plain;
}

function knownText(text: string): string {
  return otherUnknowns.has(text) ? unknownValue : text;
}

function listOf(reader: FieldReader, path: Path, secrets: string[][]): unknown[] {
  const [items, found]: [unknown[], string[][]] = [[], []];
  while (reader.next()) {
    if (reader.field === fieldNumbers.list.items) items.push(plainOf(reader.message(), path, found));
    else reader.skip();
  }
  if (found.length > 0) secrets.push([...path]);
  return items;
}

function objectOf(entries: ReadonlyMap<string, FieldReader | undefined>, path: Path, secrets: string[][]): unknown {
  const special = (name: string) => {
    const reader = entries.get(name)?.copy();
    return reader && plainOf(reader, [], []);
  };
  const sign = entries.has(signature) ? special(signature) : undefined;
  if (sign !== secretSignature && sign !== outputSignature) return plainFields(entries, path, secrets);
  if (sign === secretSignature || special('secret') === true) secrets.push([...path]);
  const inner = entries.get('value');
  return inner === undefined ? unknownValue : plainOf(inner, path, secrets);
}

/** Ignores the order of keys, which is random in the maps of the engine. */
export function areEqual(one: WireProperties, other: WireProperties): boolean {
  const paths = ({ secrets }: WireProperties) => new Set(secrets.map((path) => JSON.stringify(path)));
  return isDeepStrictEqual(one.values, other.values) && isDeepStrictEqual(paths(one), paths(other));
}

/** Writes a struct in which the values at the paths of `secrets` are marked again. Fields that are undefined are left out. */
export function encode({ values, secrets }: WireProperties, writer: BackwardWriter): void {
  writeFields(writer, values, secrets);
}

function writeFields(writer: BackwardWriter, values: object, secrets: readonly Path[]): void {
  const { struct, entry } = fieldNumbers;
  for (const [name, value] of Object.entries(values).reverse()) {
    if (value === undefined) continue;
    writer.messageField(struct.entries, () => {
      writer.messageField(entry.value, () => writeMarked(writer, value, below(secrets, name)));
      writer.textField(entry.key, name);
    });
  }
}

function below(secrets: readonly Path[], name: string): readonly Path[] {
  return secrets.length === 0 ? secrets : secrets.filter(([first]) => first === name).map((path) => path.slice(1));
}

function writeMarked(writer: BackwardWriter, value: unknown, secrets: readonly Path[]): void {
  const isSecret = secrets.some((path) => path.length === 0 || !isMapValue(value));
  if (!isSecret) {
    writeValue(writer, value, secrets);
    return;
  }
  const { struct, entry, value: kinds } = fieldNumbers;
  writer.messageField(kinds.struct, () => {
    writer.messageField(struct.entries, () => {
      writer.messageField(entry.value, () => writeValue(writer, value, []));
      writer.textField(entry.key, 'value');
    });
    writeFields(writer, { [signature]: secretSignature }, []);
  });
}

function writeValue(writer: BackwardWriter, value: unknown, secrets: readonly Path[]): void {
  const { value: kinds, list } = fieldNumbers;
  if (Array.isArray(value)) {
    writer.messageField(kinds.list, () => {
      for (const item of value.toReversed()) writer.messageField(list.items, () => writeValue(writer, item, []));
    });
  } else if (isMapValue(value)) writer.messageField(kinds.struct, () => writeFields(writer, value, secrets));
  else if (typeof value === 'string') writer.textField(kinds.text, value);
  else if (typeof value === 'number') writer.doubleField(kinds.number, value);
  else if (typeof value === 'boolean') writer.varintField(kinds.boolean, value ? 1 : 0);
  else writer.varintField(kinds.null, 0);
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
