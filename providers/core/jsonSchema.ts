/** The JSON Schema that zod makes of our schemas, as far as the schemas of the fronts are derived from it. */
import * as z from 'zod';

export interface InputJsonSchema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  const?: unknown;
  writeOnly?: boolean;
  properties?: Record<string, InputJsonSchema>;
  required?: string[];
  additionalProperties?: InputJsonSchema | boolean;
  items?: InputJsonSchema;
  anyOf?: InputJsonSchema[];
  oneOf?: InputJsonSchema[];
}

export function inputJsonSchema(schema: z.ZodType): InputJsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as InputJsonSchema;
}

/** Returns the description with the default, which the fronts do not fill in. */
export function describedWithDefault({ description = '', default: given }: InputJsonSchema): string {
  if (given === undefined || (Array.isArray(given) && given.length === 0)) return description;
  return `${description} Defaults to \`${typeof given === 'string' ? given : JSON.stringify(given)}\`.`.trim();
}

/** Returns true for a schema of values that are or contain a secret. */
export function holdsSecret({ writeOnly, anyOf = [], oneOf = [], properties = {} }: InputJsonSchema): boolean {
  return writeOnly === true || [...anyOf, ...oneOf, ...Object.values(properties)].some(holdsSecret);
}
