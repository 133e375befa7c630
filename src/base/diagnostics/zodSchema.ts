/** Walks a zod schema by path, to find out what would be valid. zod's errors only say what is wrong. */
import * as z from 'zod';
import { valueAt } from '../values/plain.ts';

export type Schema = z.core.$ZodType;

/**
 * Returns the keys that the schema has at a path; none for a map with free names, or a value that is not a map. In a union, skips the branches
 * that have the key `refused`, because they did not refuse it.
 */
export function allowedKeys(schema: Schema, path: readonly PropertyKey[], value: unknown, refused?: string): string[] {
  const here = valueAt(value, path);
  const alternatives = declaredAt(schema, path, value).flatMap((each) => alternativesOf(each, here));
  const keys = alternatives.map(keysOf).filter((known) => refused === undefined || !known.includes(refused));
  return [...new Set(keys.flat())];
}

/** Returns the paths from `path` to the maps at or below it that have a key, the shortest first. Free names are `NAME`. */
export function mapsWithKey(schema: Schema, path: readonly PropertyKey[], key: string, value: unknown): string[][] {
  const found: string[][] = [];
  const seen = new Set<Schema>();
  let level = declaredAt(schema, path, value).map((each) => ({ schema: each, steps: [] as string[] }));
  while (level.length > 0) {
    const maps = level.flatMap(({ schema: each, steps }) =>
      alternativesOf(each, undefined).map((bareSchema) => ({ schema: bareSchema, steps })),
    );
    const unseen = maps.filter(({ schema: each }) => !seen.has(each));
    for (const { schema: each } of unseen) seen.add(each);
    found.push(...unseen.filter(({ schema: each }) => keysOf(each).includes(key)).map(({ steps }) => steps));
    level = unseen.flatMap(({ schema: each, steps }) =>
      namedChildren(each).map(([name, child]) => ({ schema: child, steps: [...steps, name] })),
    );
  }
  return found;
}

function namedChildren(schema: Schema): [string, Schema][] {
  const def = definitionOf(schema);
  if (def.type === 'object') return Object.entries(def.shape);
  if (def.type === 'record') return [['NAME', def.valueType]];
  return [];
}

/** Returns the options of the union at a path, in the order in which zod reports their errors; none if it is not a union. */
export function unionOptions(schema: Schema, path: readonly PropertyKey[], value: unknown): readonly Schema[] {
  return declaredAt(schema, path, value)
    .map(definitionOf)
    .flatMap((def) => (def.type === 'union' ? def.options : []));
}

/** Reports whether the value at a path is secret: `.meta({ writeOnly: true })`, as JSON Schema marks passwords. */
export function isSecretAt(schema: Schema, path: readonly PropertyKey[], value: unknown): boolean {
  return declaredAt(schema, path, value).some(isSecret);
}

/**
 * Returns the schemas at a path as they were declared, with their wrappers; several if the path leads through a union. In a discriminated union,
 * `value` selects the branch.
 */
export function declaredAt(schema: Schema, path: readonly PropertyKey[], value: unknown): Schema[] {
  let declared = [schema];
  let here = value;
  for (const key of path) {
    const parent = here;
    declared = declared.flatMap((each) => alternativesOf(each, parent)).flatMap((each) => childrenOf(each, key));
    here = valueAt(parent, [key]);
  }
  return declared;
}

/** Removes wrappers, and splits unions and intersections into their parts. */
export function alternativesOf(schema: Schema, value: unknown): Schema[] {
  const def = definitionOf(schema);
  if (def.type === 'intersection') return [def.left, def.right].flatMap((each) => alternativesOf(each, value));
  if (def.type !== 'union') return [bare(schema)];
  const chosen =
    'discriminator' in def ? def.options.filter((option) => isChosen(option, String(def.discriminator), value)) : [];
  return (chosen.length > 0 ? chosen : def.options).flatMap((each) => alternativesOf(each, value));
}

function isChosen(option: Schema, discriminator: string, value: unknown): boolean {
  const found = valueAt(value, [discriminator]);
  return childrenOf(bare(option), discriminator).some((child) => z.safeParse(child, found).success);
}

function childrenOf(schema: Schema, key: PropertyKey): Schema[] {
  const def = definitionOf(schema);
  if (def.type === 'record') return [def.valueType];
  if (def.type === 'array') return [def.element];
  const child =
    def.type === 'object'
      ? (Object.hasOwn(def.shape, key) && def.shape[String(key)]) || def.catchall
      : def.type === 'tuple' && (def.items[Number(key)] ?? def.rest);
  return child ? [child] : [];
}

function keysOf(schema: Schema): string[] {
  const def = definitionOf(schema);
  if (def.type === 'object') return Object.keys(def.shape);
  const keys = def.type === 'record' ? definitionOf(def.keyType) : undefined;
  return keys?.type === 'enum' ? Object.values(keys.entries).map(String) : [];
}

function isSecret(schema: Schema): boolean {
  if (metaOf(schema)?.writeOnly === true) return true;
  const inner = innerOf(schema);
  if (inner !== undefined) return isSecret(inner);
  const def = definitionOf(schema);
  return def.type === 'union' && def.options.some(isSecret);
}

function typed(schema: Schema): z.core.$ZodTypes {
  return schema as z.core.$ZodTypes;
}

/** Returns the definition inside all wrappers, as a member of zod's closed union. */
export function definitionOf(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  return typed(bare(schema))._zod.def;
}

function bare(schema: Schema): Schema {
  const inner = innerOf(schema);
  return inner === undefined ? schema : bare(inner);
}

/** Returns the schema that a wrapper applies to its input. */
export function innerOf(schema: Schema): Schema | undefined {
  const { def } = typed(schema)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return def.innerType;
    case 'lazy':
      return def.getter();
    case 'pipe':
      // `z.preprocess` accepts any input; its output schema says what is allowed.
      return typed(def.in)._zod.def.type === 'transform' ? def.out : def.in;
    default:
      return undefined;
  }
}

/** Returns the metadata that `.meta()` and `.describe()` set. */
export function metaOf(schema: Schema): z.core.GlobalMeta | undefined {
  return z.globalRegistry.get(schema as z.ZodType);
}
