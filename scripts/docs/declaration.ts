/** The tables of docs/declaration.md, from the schemas: between their markers, with the prose around them left alone. */

import { stringify } from 'yaml';
import { z } from 'zod';
import { declaredSchema, type JsonSchema } from '../../src/engine/declaration/declarationSchema.ts';
import { kinds } from '../../src/kinds/knownKinds.ts';
import type { AnyKind } from '../../src/kinds/seam/kind.ts';
import { noteTypes } from '../../src/kinds/seam/noteTypes.ts';
import { code, tableOf } from './markdown.ts';
import { typeWords } from './typeWords.ts';

const block = /(<!-- begin generated: (\S+) -->\n)[\s\S]*?(<!-- end generated -->)/g;

/** @throws Error for a marker that names nothing */
export function withTables(page: string): string {
  const sections = sectionsOf(declaredSchema());
  const tables = new Map(kinds.flatMap(callsAndNotes));
  return page.replaceAll(block, (_, begin: string, name: string, end: string) => {
    const table = tables.get(name);
    if (table !== undefined) return `${begin}${table}${end}`;
    const schema = sections.get(name);
    if (!schema) throw new Error(`docs/declaration.md asks for ${name}; there are ${[...sections.keys()].join(', ')}`);
    return `${begin}${tableOf(['field', 'type', 'default', 'meaning'], rowsOf(schema, ''))}${end}`;
  });
}

/** The calls that a kind may send, and the notes that it may print. */
function callsAndNotes(kind: AnyKind): [name: string, table: string][] {
  const { collection, calls } = kind;
  const sent = calls.map(({ type, schema, billed }) => {
    const { description = '' } = schema(z.object);
    return [code(type), description, billed ? 'yes' : 'no'];
  });
  const notes = noteTypes.of(kind) ?? [];
  const printed = notes.map((note) => [code(note.code), note.description, driftWords[note.drift ?? 'never']]);
  return [
    [`${collection}.calls`, tableOf(['call', 'request', 'may incur charges'], sent)],
    [`${collection}.notes`, tableOf(['note', 'meaning', 'counts as drift'], printed)],
  ];
}

const driftWords = { always: 'yes', strict: 'with `--strict`', never: 'no' };

/** The profile has a table of its own, and so has each kind. */
function sectionsOf(file: JsonSchema): Map<string, JsonSchema> {
  const { service = {}, ...others } = file.properties ?? {};
  const { profile = {}, ...connection } = service.properties ?? {};
  const collections = Object.entries(others).flatMap(([name, { anyOf = [] }]) => {
    const entry = anyOf[0]?.additionalProperties;
    return typeof entry === 'object' ? [[name, entry] as const] : [];
  });
  const rest = Object.entries(others).filter(([name]) => !collections.some(([collection]) => collection === name));
  const { name: owner = {}, ...settings } = Object.fromEntries(rest);
  return new Map([
    ['file', { properties: { name: owner, service: { properties: connection }, ...settings } }],
    ['service.profile', profile],
    ...collections,
  ]);
}

/** A row for each field of a schema: path, type, default, meaning. */
export function rowsOf({ properties = {}, required = [] }: JsonSchema, path: string): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const field = `${path}${name}`;
    if (schema.properties) return rowsOf(schema, `${field}.`);
    const { additionalProperties: entry } = schema;
    const entries = typeof entry === 'object' ? rowsOf(entry, `${field}.NAME.`) : [];
    return [
      [code(field), typeWords(schema), defaultOf(schema, required.includes(name)), schema.description ?? ''],
      ...entries,
    ];
  });
}

function defaultOf({ default: value }: JsonSchema, isRequired: boolean): string {
  if (isRequired) return 'required';
  return value === undefined ? '' : code(inline(value));
}

function inline(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}
