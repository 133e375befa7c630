/** The JSON Schema of the declaration: for editors, for the reference in docs/, and for the file that `webdata init` writes. */
import { z } from 'zod';
import { docsAddress } from '../../docsAddress.ts';
import { fileSchema } from './config.ts';
import { allShortLists } from './shortLists.ts';

/** The part of JSON Schema that the schemas of this program use. */
export interface JsonSchema {
  type?: string;
  title?: string;
  description?: string;
  /** An extension, which editors prefer. */
  markdownDescription?: string;
  default?: unknown;
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  [keyword: string]: unknown;
}

/** Returns the schema of the file for editors, before variables are substituted. */
export function declarationSchema(version: string): JsonSchema {
  return identified('declaration', version, withVariables(withAddresses(declaredSchema(), 'declaration', [])));
}

/** Ends the description of each field with the address of its documentation. The kinds and the profile have pages of their own. */
function withAddresses({ properties, ...schema }: JsonSchema, page: string, path: readonly string[]): JsonSchema {
  const field = ([name, own]: [string, JsonSchema]): [string, JsonSchema] => {
    const inner = [...path, name];
    const isPage = page === 'declaration' && (isCollection(own) || inner.join('.') === 'service.profile');
    const inside = isPage ? withAddresses(own, `declaration/${inner.join('')}`, []) : withAddresses(own, page, inner);
    const isGroup = isPage || own.properties !== undefined;
    const address = docsAddress(isGroup ? page : `${page}#${inner.join('-').toLowerCase()}`);
    return [name, { ...inside, markdownDescription: `${own.description ?? ''}\n\nDocs: ${address}`.trimStart() }];
  };
  const { additionalProperties: entry, anyOf } = schema;
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(field)) }),
    ...(typeof entry === 'object' && { additionalProperties: withAddresses(entry, page, path) }),
    ...(anyOf && isCollection(schema) && { anyOf: anyOf.map((each) => withAddresses(each, page, path)) }),
  };
}

/** True for a map of resources, which may be empty. */
function isCollection({ anyOf = [] }: JsonSchema): boolean {
  return anyOf.some(({ additionalProperties }) => typeof additionalProperties === 'object');
}

/** Returns the schema of the declaration after variables are substituted, with lists as they may be written. */
export function declaredSchema(): JsonSchema {
  const schema = jsonSchemaOf(fileSchema());
  for (const { path, kind } of allShortLists()) {
    const list = schemaAt(schema, path);
    if (list?.items !== undefined) list.items = { anyOf: [list.items, ...kind.schemas, ...namedLists] };
  }
  // Keys that hold anchors, as in Compose.
  return { ...schema, patternProperties: { '^x-': {} } };
}

const namedLists: readonly JsonSchema[] = [
  {
    title: 'file',
    type: 'object',
    description: 'A file with one item per line, relative to this file. Comments begin with #.',
    properties: { file: { type: 'string', description: 'The name of the file.', examples: ['ips/checkout.txt'] } },
    required: ['file'],
    additionalProperties: false,
  },
];

/** Returns the schema at a path, in which `*` stands for any key. */
function schemaAt(schema: JsonSchema, [step, ...rest]: readonly string[]): JsonSchema | undefined {
  if (step === undefined) return schema;
  const branches = [schema, ...(schema.anyOf ?? [])];
  const next = branches
    .map(({ properties, additionalProperties }) => (step === '*' ? additionalProperties : properties?.[step]))
    .find((each) => typeof each === 'object');
  return next && schemaAt(next, rest);
}

/** Converts a zod schema to draft 7, which editors support best. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { target: 'draft-7', io: 'input', override: withoutSafeIntegers }) as JsonSchema;
}

export function identified(document: string, version: string, { $schema, ...schema }: JsonSchema): JsonSchema {
  return { $schema, $id: `urn:webdata:${document}:${version}`, title: `webdata ${document}, ${version}`, ...schema };
}

export function schemaText(schema: JsonSchema): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Removes the limits of JavaScript integers, which do not help a reader. */
function withoutSafeIntegers({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

/** Allows `${NAME}` in place of every value, but not of a key. */
function withVariables(schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties, items, anyOf, oneOf, ...rest } = schema;
  const inside: JsonSchema = {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, withVariables(each)])),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? withVariables(additionalProperties) : additionalProperties,
    }),
    ...(items && { items: withVariables(items) }),
    ...(anyOf && { anyOf: alternatives(anyOf) }),
    ...(oneOf && { oneOf: oneOf.map(withVariables) }),
  };
  const variable = variableFor(inside);
  if (variable === undefined) return inside;
  const { annotations, checks } = apart(inside);
  return { ...annotations, anyOf: [checks, variable] };
}

function alternatives(anyOf: readonly JsonSchema[]): JsonSchema[] {
  const variables = anyOf.map(variableFor).filter((variable) => variable !== undefined);
  const branches = anyOf.map((each) => (variableFor(each) ? each : withVariables(each)));
  return [...branches, ...variables.slice(-1)];
}

/** Returns the schema of a variable in place of a value. Values other than plain strings can only be one whole variable or contain one. */
function variableFor({ type, format, pattern, enum: choices }: JsonSchema): JsonSchema | undefined {
  if (type === 'integer' || type === 'number' || type === 'boolean') return wholeVariable;
  return type === 'string' && (format ?? pattern ?? choices) !== undefined ? textWithVariable : undefined;
}

const name = '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}';
const wholeVariable: JsonSchema = { type: 'string', pattern: `^${name}$`, description: 'An environment variable.' };
/** `$${NAME}` is the literal text. */
const textWithVariable: JsonSchema = {
  type: 'string',
  pattern: `(^|[^$])${name}`,
  description: 'Text with an environment variable.',
};

/** Splits a schema into annotations and checks. */
function apart(schema: JsonSchema): { annotations: JsonSchema; checks: JsonSchema } {
  const isAnnotation = ([keyword]: [string, unknown]) => annotationNames.has(keyword);
  const entries = Object.entries(schema);
  return {
    annotations: Object.fromEntries(entries.filter(isAnnotation)),
    checks: Object.fromEntries(entries.filter((entry) => !isAnnotation(entry))),
  };
}

const annotationNames = new Set(['title', 'description', 'markdownDescription', 'default', 'examples', 'writeOnly']);
