/**
 * The resources that a program declares on an account. A program may have several providers for one account, each in a process of its own, so the
 * processes share theirs. A plan keeps them too, because an engine does not ask for each of them in the apply.
 */
import type { Config, Siblings } from '../../src/engine/doors/front.ts';
import { kinds } from '../../src/kinds/knownKinds.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { isSameIdentity, kindAndKey, parseResource, type Resource } from './resource.ts';
import { storedOf } from './stored/table.ts';

/** A declared resource as plans and other processes know it: without secrets. A registration has only its identity. */
export type SharedResource = { kind: string } & (Pick<Resource, 'identity'> | { inputs: Properties });

export interface DeclaredResources {
  /** Returns the resources of this process and of the other ones. */
  of(kind: AnyKind): readonly Resource[];
  /** Returns the resources that a resource may be in conflict with. Of a registration, others know only the identity, and may mean the same one. */
  rivalsOf(resource: Resource): readonly Resource[];
  has(resource: Resource): boolean;
  /** Returns the part of a resource that no other declared resource needs; undefined if nothing is left. */
  removedPart(resource: Resource): Resource | undefined;
  add(resource: Resource): void;
  /** Takes over the resources of a plan, or of other processes. */
  learn(shared: readonly SharedResource[]): void;
  /** Returns what a plan must remember of all resources. */
  shared(): SharedResource[];
  /** Notes that a resource was declared whose inputs are not all known yet. */
  addUnknown(kind: AnyKind): void;
  hasUnknown(kind: AnyKind): boolean;
  /** Notes that this registration is declared twice: neither resource is written. */
  refuse(resource: Resource): void;
  isRefused(resource: Resource): boolean;
}

/** `neighbours` is the list from which a session takes the neighbours of a resource. */
export function createDeclaredResources(
  neighbours: Config['declared'][number][],
  siblings: Siblings | undefined,
): DeclaredResources {
  const own = new Map<string, Resource>();
  const others = new Map<string, Resource>();
  const refused: Resource[] = [];
  const unknown = new Set<AnyKind>();
  let isPublishing = false;

  function publish(): void {
    // Programs declare many resources at the same moment.
    if (isPublishing || siblings === undefined) return;
    isPublishing = true;
    setTimeout(() => {
      isPublishing = false;
      siblings.publish([...own.values()].flatMap(sharedFormOf));
    }).unref();
  }

  function addNeighbour({ kind, key, spec }: Resource): void {
    neighbours.push({ kind: kind.name, collection: kind.collection, name: key, definition: kind, spec });
  }

  function learn(shared: readonly SharedResource[]): void {
    for (const resource of shared.flatMap(resourceOf)) {
      const id = kindAndKey(resource);
      if (own.has(id) || others.has(id)) continue;
      others.set(id, resource);
      if (resource.identity === undefined) addNeighbour(resource);
    }
  }

  const all = () => {
    for (const shared of siblings?.others() ?? []) if (Array.isArray(shared)) learn(shared);
    return [...own.values(), ...others.values()];
  };

  const of = (kind: AnyKind) => all().filter((resource) => resource.kind === kind);

  return {
    of,
    removedPart(resource) {
      const { kind } = resource;
      if (of(kind).some((other) => isSameIdentity(other, resource))) return undefined;
      const spec = storedOf(kind).toDelete(
        resource.spec,
        of(kind).map((other) => other.spec),
      );
      return spec === undefined ? undefined : { ...resource, spec };
    },
    rivalsOf: ({ kind, identity }) =>
      (identity === undefined ? all() : [...own.values()]).filter((resource) => resource.kind === kind),
    has: (resource) => own.has(kindAndKey(resource)),
    add(resource) {
      const id = kindAndKey(resource);
      if (own.has(id)) return;
      own.set(id, resource);
      if (!others.delete(id)) addNeighbour(resource);
      publish();
    },
    learn,
    shared: () => all().flatMap(sharedFormOf),
    addUnknown: (kind) => void unknown.add(kind),
    hasUnknown: (kind) => unknown.has(kind),
    refuse: (resource) => void refused.push(resource),
    isRefused: (resource) => refused.some((other) => other.kind === resource.kind && isSameIdentity(other, resource)),
  };
}

function sharedFormOf({ kind, inputs, identity }: Resource): SharedResource[] {
  if (identity !== undefined) return [{ kind: kind.name, identity }];
  return storedOf(kind).guardsOthers ? [{ kind: kind.name, inputs }] : [];
}

function resourceOf(shared: SharedResource): Resource[] {
  const kind = kinds.find(({ name }) => name === shared.kind);
  if (kind === undefined) return [];
  if ('inputs' in shared) return [parseResource(kind, shared.inputs)];
  const { identity } = shared;
  return identity === undefined
    ? []
    : [{ kind, inputs: {}, spec: {}, identity, key: JSON.stringify(identity), ignored: [] }];
}
