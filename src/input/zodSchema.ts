/** What a zod schema allows at a path, and in which words: zod's errors say what is wrong, not what would be right. */

import * as z from 'zod';
import { isMapValue, valueAt } from './plain.ts';

type Schema = z.core.$ZodType;

/**
 * The schemas that a value at the path must fit, without their wrappers (optional, default, pipe, lazy…). More than one
 * where the schema is a union or an intersection; of a discriminated union, only the branch that `value` chose.
 */
export function schemasAt(schema: Schema, path: readonly PropertyKey[], value?: unknown): z.core.$ZodTypes[] {
  let schemas = unwrap(schema, value);
  path.forEach((key, depth) => {
    const child = valueAt(value, path.slice(0, depth + 1));
    schemas = schemas.flatMap((parent) => childrenOf(parent, key).flatMap((each) => unwrap(each, child)));
  });
  return schemas;
}

/** The keys that the schema knows at a path; none where it is a map with free names, or no map at all. */
export function allowedKeys(schema: Schema, path: readonly PropertyKey[], value?: unknown): string[] {
  return [...new Set(schemasAt(schema, path, value).flatMap(keysOf))];
}

/** The options of the union at a path, in the order in which zod reports their errors; empty where there is no union. */
export function unionOptions(schema: Schema, path: readonly PropertyKey[], value?: unknown): readonly Schema[] {
  const parents = path.length === 0 ? undefined : schemasAt(schema, path.slice(0, -1), value);
  const [key] = path.slice(-1);
  const candidates = parents === undefined || key === undefined ? [schema] : parents.flatMap((each) => childrenOf(each, key));
  const union = candidates.map(withoutWrappers).find((each) => each._zod.def.type === 'union');
  return union?._zod.def.type === 'union' ? union._zod.def.options : [];
}

/** What the schema allows, as a noun: "an integer from 1 to 100", "gzip or none", "a map from country to number". */
export function describeSchema(schema: Schema): string {
  const title = z.globalRegistry.get(schema as z.ZodType)?.title;
  if (title !== undefined) return withArticle(title);
  const bare = withoutWrappers(schema);
  if (bare !== schema) return describeSchema(bare);
  return describeDefinition(bare);
}

/** Whether what is written here must not be shown (`.meta({ writeOnly: true })`, as JSON Schema marks passwords). */
export function isSecret(schema: Schema, path: readonly PropertyKey[], value?: unknown): boolean {
  return schemasAt(schema, path, value).some((each) => z.globalRegistry.get(each as z.ZodType)?.writeOnly === true);
}
