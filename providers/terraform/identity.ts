/** The identity of a resource, by which an `import` block can name it: its id. */
import { resourceTypes } from './resources.ts';
import { typeBytes } from './schema.ts';
import { type DynamicValue, fromDynamicValue, toDynamicValue, type WireObject } from './wire.ts';

export interface Identity {
  identity_data: DynamicValue;
}

export function identitySchemas(): object {
  const id = { name: 'id', type: typeBytes('string'), required_for_import: true };
  const schemas = resourceTypes().map(({ name }) => [name, { version: 0, identity_attributes: [id] }]);
  return { identity_schemas: Object.fromEntries(schemas) };
}

/** Null for a resource that does not exist, or whose id is not known yet. */
export function identityOf(wire: WireObject | null | undefined): Partial<Record<keyof Identity, object>> | null {
  return typeof wire?.id === 'string' ? { identity_data: toDynamicValue({ id: wire.id }) } : null;
}

export function idIn({ identity_data }: Identity): string {
  return String(fromDynamicValue(identity_data)?.id);
}
