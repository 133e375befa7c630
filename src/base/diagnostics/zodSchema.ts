/** Walks a zod schema by path, to find out what would be valid. zod's errors only say what is wrong. */
import * as z from 'zod';
import { valueAt } from '../values/plain.ts';

export type Schema = z.core.$ZodType;

/** Returns the schemas at a path below others, with their wrappers. In a discriminated union, `value` selects the branch. */
export function schemasAt(schemas: readonly Schema[], path: readonly PropertyKey[], value: unknown): readonly Schema[] {
  const [key, ...rest] = path;
  if (key === undefined) return schemas;
  const children = schemas.flatMap((each) => alternativesOf(each, value)).flatMap((each) => childrenOf(each, key));
  return schemasAt(children, rest, valueAt(value, [key]));
}

/** Removes wrappers, and splits unions into their options. */
export function alternativesOf(schema: Schema, value: unknown): Schema[] {
  const def = definitionOf(schema);
  if (def.type !== 'union') return [bare(schema)];
  const name = 'discriminator' in def ? String(def.discriminator) : '';
  const found = valueAt(value, [name]) as z.core.util.Primitive;
  const chosen = def.options.filter((option) => option._zod.propValues?.[name]?.has(found));
  return (chosen.length > 0 ? chosen : def.options).flatMap((each) => alternativesOf(each, value));
}

/** Returns the schema of one key of a map or list, if it has one. */
export function childrenOf(schema: Schema, key: PropertyKey): Schema[] {
  const name = definitionOf(schema).type === 'object' ? String(key) : ANY;
  const parts = partsOf(schema);
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  return part ? [part] : [];
}

const ANY = 'NAME';

/** Returns the schemas inside a map or list by their keys. Free names and indexes are `NAME`. */
export function partsOf(schema: Schema): Readonly<Record<string, Schema>> {
  const def = definitionOf(schema);
  if (def.type === 'object') return def.shape;
  if (def.type === 'record') return { [ANY]: def.valueType };
  return def.type === 'array' ? { [ANY]: def.element } : {};
}

/** Returns the names that a map may have; none for free names. */
export function keysOf(schema: Schema): string[] {
  const def = definitionOf(schema);
  if (def.type === 'object') return Object.keys(def.shape);
  const keys = def.type === 'record' ? definitionOf(def.keyType) : undefined;
  return keys?.type === 'enum' ? Object.values(keys.entries).map(String) : [];
}

/** Returns the path to the nearest map at or below the schemas that has a key. Free names are `NAME`. */
export function pathToKey(schemas: readonly Schema[], key: string): string[] | undefined {
  const seen = new Set<Schema>();
  const queue = schemas.map((schema) => ({ schema, steps: [] as string[] }));
  for (const { schema, steps } of queue) {
    for (const each of alternativesOf(schema, undefined).filter((one) => !seen.has(one))) {
      seen.add(each);
      if (keysOf(each).includes(key)) return steps;
      if (definitionOf(each).type === 'array') continue;
      queue.push(...Object.entries(partsOf(each)).map(([name, part]) => ({ schema: part, steps: [...steps, name] })));
    }
  }
  return undefined;
}

/** Reports whether values are secret: `.meta({ writeOnly: true })`, as JSON Schema marks passwords. */
export function isSecret(schema: Schema): boolean {
  const def = definitionOf(schema);
  return metaOf(schema).writeOnly === true || (def.type === 'union' && def.options.some(isSecret));
}

/** Returns the definition inside all wrappers, as a member of zod's closed union. */
export function definitionOf(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  return bare(schema)._zod.def;
}

/** Returns the metadata that `.meta()` and `.describe()` set on a schema, or else on what it wraps. */
export function metaOf(schema: Schema): z.core.GlobalMeta {
  const inner = innerOf(schema);
  return { ...(inner && metaOf(inner)), ...z.globalRegistry.get(schema as z.ZodType) };
}

function bare(schema: Schema): z.core.$ZodTypes {
  const inner = innerOf(schema);
  return inner === undefined ? (schema as z.core.$ZodTypes) : bare(inner);
}

/** Returns the schema that a wrapper, such as `.optional()`, applies to its input. */
function innerOf(schema: Schema): Schema | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  // The getter would build another schema each time.
  if (def.type === 'lazy') return (schema as z.core.$ZodLazy)._zod.innerType;
  if (def.type === 'pipe') return def.in;
  return 'innerType' in def ? def.innerType : undefined;
}
