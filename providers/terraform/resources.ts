/** The resource types: one for each kind, with the attributes of its inputs, of its outputs, and of the moves that a plan shows. */
import { z } from 'zod';
import { fromKinds } from '../../src/kinds/knownKinds.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { inputSchema } from '../core/resource.ts';
import { storedKinds, storedOf } from '../core/stored/table.ts';
import { type Attribute, attributesOf, snakeCase } from './attributes.ts';

export interface ResourceType {
  /** `webdata_zone_ip_allocation`. */
  name: string;
  kind: AnyKind;
  attributes: readonly Attribute[];
  inputs: readonly Attribute[];
  /** The attributes that only the provider sets. */
  computed: readonly Attribute[];
}

export const prefix = 'webdata';

const moveAttributes = {
  moved: z
    .record(z.string(), z.string())
    .describe('The moves of this plan, by the zones that give and receive IPs, such as `pricing -> checkout`.'),
  billableMoves: z.int().describe('The number of IPs that this plan moves. Each move may incur charges.'),
};

export const resourceTypes = fromKinds((): readonly ResourceType[] => storedKinds().map(typeOf));

function typeOf(kind: AnyKind): ResourceType {
  const outputs = storedOf(kind).outputSchema;
  const shown = movesIps(kind) ? outputs.extend(moveAttributes) : outputs;
  const id = z.object({ id: z.string().describe('Names the resource. An import takes it.') });
  const inputs = attributesOf(inputSchema(kind)).map((each) => (each.property === 'owner' ? defaulted(each) : each));
  const computed = attributesOf(id.extend(shown.shape), 'output');
  return {
    name: `${prefix}${snakeCase(`_${kind.name}`).replace('__', '_')}`,
    kind,
    attributes: [...inputs, ...computed],
    inputs,
    computed,
  };
}

export function movesIps(kind: AnyKind): boolean {
  return 'moved' in storedOf(kind).outputSchema.shape;
}

/** The provider has a default owner for registrations. */
function defaulted(owner: Attribute): Attribute {
  const description = 'Its owner in the trigger service. Defaults to `owner` of the provider.';
  return { ...owner, description, isRequired: false, isOptional: true, isComputed: true };
}

/** @throws TypeError for a type that the schema does not have */
export function resourceType(name: string): ResourceType {
  const found = resourceTypes().find((each) => each.name === name);
  if (found === undefined) throw new TypeError(`${name} is no resource type of this provider`);
  return found;
}

/** Picks the properties that the schema has no attribute for, such as calls whose outcome is open. The state keeps them apart. */
export function hiddenProperties({ attributes }: ResourceType, properties: Properties): Properties {
  const shown = new Set(attributes.map(({ property }) => property));
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name === 'moved' || !shown.has(name)));
}
