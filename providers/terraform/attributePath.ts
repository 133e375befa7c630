/** Paths of attributes, with which diagnostics point at the configuration. */
import type { Attribute, ValueShape } from './attributes.ts';

/** Returns the path of an attribute as the protocol has it. It ends at a set, whose items have no path. */
export function attributePath(attributes: readonly Attribute[], path: readonly PropertyKey[]): { steps: object[] } {
  const steps: object[] = [];
  let level: ValueShape['nested'] = { nesting: 'SINGLE', attributes };
  let rest = path;
  while (level !== undefined && rest.length > 0) {
    const [head, ...tail] = rest;
    const attribute: Attribute | undefined = level.attributes.find(({ property }) => property === head);
    if (attribute === undefined) break;
    steps.push({ attribute_name: attribute.name });
    level = attribute.shape.nested;
    rest = tail;
    if (level?.nesting === 'MAP' && rest.length > 0) {
      steps.push({ element_key_string: String(rest[0]) });
      rest = rest.slice(1);
    } else if (level?.nesting === 'LIST' && rest.length > 0) {
      steps.push({ element_key_int: Number(rest[0]) });
      rest = rest.slice(1);
    } else if (Array.isArray(attribute.shape.type) && attribute.shape.type[0] === 'map' && rest.length > 0) {
      steps.push({ element_key_string: String(rest[0]) });
    }
  }
  return { steps };
}
