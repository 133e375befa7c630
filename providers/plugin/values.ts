/**
 * Property values on the wire between the engine and a provider: messages of type `google.protobuf.Struct`, in which secrets and values that are not known yet are
 * marked. Handlers work with plain values; the secrets are remembered by path and marked again on the way back.
 */
import { isDeepStrictEqual } from 'node:util';
import protobuf from 'protobufjs/minimal.js';
import { isMapValue, valueAt } from '../../src/base/values/plain.ts';
import { unknownValue } from '../core/unknown.ts';

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

/** Encodings of fields; the numbers are those of the format. */
const wireTypes = { varint: 0, bits64: 1, bytes: 2 } as const;

/** Numbers of the fields of `Struct`, of the entries of its map, of `Value` and of `ListValue`. */
const fieldNumbers = {
  struct: { entries: 1 },
  entry: { key: 1, value: 2 },
  value: { null: 1, number: 2, text: 3, boolean: 4, struct: 5, list: 6 },
  list: { items: 1 },
} as const;

/** Returns the plain values of a struct. A field that is null is left out: SDKs send null for a property that is not set. */
export function decode(struct: Uint8Array = new Uint8Array()): WireProperties {
  const secrets: string[][] = [];
  const fields = fieldsIn(protobuf.Reader.create(struct), struct.length, [], secrets);
  return { values: withoutNulls(fields), secrets };
}

/** Returns the end of the message that follows. */
function messageEnd(reader: protobuf.Reader): number {
  const length = reader.uint32();
  return reader.pos + length;
}

/** Calls `read` at each field of a message. What it does not read is skipped. */
function readFields(reader: protobuf.Reader, end: number, read: (field: number) => void): void {
  while (reader.pos < end) {
    const head = reader.uint32();
    const start = reader.pos;
    read(head >>> 3);
    if (reader.pos === start) reader.skipType(head & 7);
  }
}

/** Reads the map of a struct. */
function fieldsIn(reader: protobuf.Reader, end: number, path: Path, secrets: string[][]): Map<string, unknown> {
  const { struct, entry } = fieldNumbers;
  const fields = new Map<string, unknown>();
  readFields(reader, end, (field) => {
    if (field !== struct.entries) return;
    const entryEnd = messageEnd(reader);
    let [key, valueAt]: [string, number | undefined] = ['', undefined];
    readFields(reader, entryEnd, (inner) => {
      if (inner === entry.key) key = reader.string();
      // Read below, because the key may come after it.
      else if (inner === entry.value) valueAt = reader.pos;
    });
    reader.pos = valueAt ?? entryEnd;
    fields.set(key, valueAt === undefined ? null : valueIn(reader, messageEnd(reader), [...path, key], secrets));
    reader.pos = entryEnd;
  });
  return fields;
}

function withoutNulls(fields: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries([...fields].filter(([, value]) => value !== null));
}

function valueIn(reader: protobuf.Reader, end: number, path: Path, secrets: string[][]): unknown {
  const { value } = fieldNumbers;
  let plain: unknown = null;
  readFields(reader, end, (field) => {
    if (field === value.text) plain = knownText(reader.string());
    else if (field === value.number) plain = reader.double();
    else if (field === value.boolean) plain = reader.bool();
    else if (field === value.struct) plain = objectIn(reader, messageEnd(reader), path, secrets);
    else if (field === value.list) plain = listIn(reader, messageEnd(reader), path, secrets);
  });
  return plain;
}

function knownText(text: string): string {
  return otherUnknowns.has(text) ? unknownValue : text;
}

function listIn(reader: protobuf.Reader, end: number, path: Path, secrets: string[][]): unknown[] {
  const [items, found]: [unknown[], string[][]] = [[], []];
  readFields(reader, end, (field) => {
    if (field === fieldNumbers.list.items) items.push(valueIn(reader, messageEnd(reader), path, found));
  });
  if (found.length > 0) secrets.push([...path]);
  return items;
}

function objectIn(reader: protobuf.Reader, end: number, path: Path, secrets: string[][]): unknown {
  const found: string[][] = [];
  const fields = fieldsIn(reader, end, path, found);
  const sign = fields.get(signature);
  if (sign !== secretSignature && sign !== outputSignature) {
    secrets.push(...found);
    return withoutNulls(fields);
  }
  if (sign === secretSignature || fields.get('secret') === true) secrets.push([...path]);
  // The paths within the value go through its key.
  secrets.push(...found.map((inner) => inner.toSpliced(path.length, 1)));
  return fields.has('value') ? fields.get('value') : unknownValue;
}

/** Ignores the order of keys, which is random in the maps of the engine. */
export function areEqual(one: WireProperties, other: WireProperties): boolean {
  const paths = ({ secrets }: WireProperties) => new Set(secrets.map((path) => JSON.stringify(path)));
  return isDeepStrictEqual(one.values, other.values) && isDeepStrictEqual(paths(one), paths(other));
}

/** Returns a struct in which the values at the paths of `secrets` are marked again. Fields that are undefined are left out. */
export function encode({ values, secrets }: WireProperties): Uint8Array {
  const writer = protobuf.Writer.create();
  writeFields(writer, values, secrets);
  return writer.finish();
}

function writeFields(writer: protobuf.Writer, values: object, secrets: readonly Path[]): void {
  const { struct, entry } = fieldNumbers;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    writer.uint32(tag(struct.entries)).fork().uint32(tag(entry.key)).string(name);
    writer.uint32(tag(entry.value)).fork();
    writeField(writer, value, below(secrets, name));
    writer.ldelim().ldelim();
  }
}

function below(secrets: readonly Path[], name: string): readonly Path[] {
  return secrets.length === 0 ? secrets : secrets.filter(([first]) => first === name).map((path) => path.slice(1));
}

function writeField(writer: protobuf.Writer, value: unknown, secrets: readonly Path[]): void {
  const isSecret = secrets.some((path) => path.length === 0 || !isMapValue(value));
  if (isSecret) writeValue(writer, { value, [signature]: secretSignature });
  else writeValue(writer, value, secrets);
}

/** Writes the field that a message of type `Value` consists of. */
function writeValue(writer: protobuf.Writer, value: unknown, secrets: readonly Path[] = []): void {
  const { value: kinds, list } = fieldNumbers;
  if (Array.isArray(value)) {
    writer.uint32(tag(kinds.list)).fork();
    for (const item of value) {
      writer.uint32(tag(list.items)).fork();
      writeValue(writer, item);
      writer.ldelim();
    }
    writer.ldelim();
  } else if (isMapValue(value)) {
    writer.uint32(tag(kinds.struct)).fork();
    writeFields(writer, value, secrets);
    writer.ldelim();
  } else if (typeof value === 'string') writer.uint32(tag(kinds.text)).string(value);
  else if (typeof value === 'number') writer.uint32(tag(kinds.number, wireTypes.bits64)).double(value);
  else if (typeof value === 'boolean') writer.uint32(tag(kinds.boolean, wireTypes.varint)).bool(value);
  else writer.uint32(tag(kinds.null, wireTypes.varint)).uint32(0);
}

/** Returns the number of a field with its encoding. */
export function tag(field: number, wireType: number = wireTypes.bytes): number {
  return (field << 3) | wireType;
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
