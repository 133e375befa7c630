/** URNs of resources: `urn:pulumi:STACK::PROJECT::TYPES::NAME`. */

interface Urn {
  stack: string;
  project: string;
  /** The type of the resource, without those of its parents. */
  type: string;
  /** May contain `::`. */
  name: string;
}

export function parseUrn(urn: string): Urn {
  const [stack = '', project = '', types = '', ...name] = urn.replace(/^urn:pulumi:/, '').split('::');
  return { stack, project, type: types.slice(types.lastIndexOf('$') + 1), name: name.join('::') };
}
