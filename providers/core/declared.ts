/**
 * The resources that a program declares on an account. A program may have several providers for one account, each in a process of its own, so the
 * processes share theirs. A plan of Terraform leaves them to the apply, which is asked for changed resources only.
 */
import type { Config, Siblings } from '../../src/engine/doors/front.ts';
import { kinds } from '../../src/kinds/knownKinds.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { isSameIdentity, kindAndKey, parseResource, type Resource } from './resource.ts';
import { storedOf } from './stored/table.ts';

/** A declared resource as plans and other processes know it: without secrets. A registration has only its identity. */
export type SharedResource = { kind: string } & (Pick<Resource, 'identity'> | { inputs: Properties });

export class DeclaredResources {
  readonly #neighbours: Config['declared'][number][];
  readonly #siblings: Siblings | undefined;
  readonly #own = new Map<string, Resource>();
  readonly #others = new Map<string, Resource>();
  readonly #refused: Resource[] = [];
  readonly #unknown = new Set<AnyKind>();

  /** `neighbours` is the list from which a session takes the neighbours of a resource. */
  constructor(neighbours: Config['declared'][number][], siblings: Siblings | undefined) {
    this.#neighbours = neighbours;
    this.#siblings = siblings;
  }

  /** Returns the part of a resource that no other declared resource needs; undefined if nothing is left. */
  removedPart(resource: Resource): Resource | undefined {
    const { kind } = resource;
    const declared = this.#all().filter((other) => other.kind === kind);
    if (declared.some((other) => isSameIdentity(other, resource))) return undefined;
    const others = declared.map(({ spec }) => spec);
    const spec = storedOf(kind).toDelete(resource.spec, others);
    return spec === undefined ? undefined : { ...resource, spec };
  }

  /** Returns the resources that a resource may be in conflict with. Of a registration, others know only the identity, and may mean the same one. */
  rivalsOf({ kind, identity }: Resource): readonly Resource[] {
    const known = identity === undefined ? this.#all() : [...this.#own.values()];
    return known.filter((resource) => resource.kind === kind);
  }

  has(resource: Resource): boolean {
    return this.#own.has(kindAndKey(resource));
  }

  add(resource: Resource): void {
    const id = kindAndKey(resource);
    if (this.#own.has(id)) return;
    this.#own.set(id, resource);
    if (!this.#others.delete(id)) this.#addNeighbour(resource);
    this.#siblings?.publish(() => [...this.#own.values()].flatMap(sharedFormOf));
  }

  /** Takes over the resources of a plan, or of other processes. */
  learn(shared: readonly SharedResource[]): void {
    for (const resource of shared.flatMap(resourceOf)) {
      const id = kindAndKey(resource);
      if (this.#own.has(id) || this.#others.has(id)) continue;
      this.#others.set(id, resource);
      if (resource.identity === undefined) this.#addNeighbour(resource);
    }
  }

  /** Returns what a plan must remember of all resources. */
  shared(): SharedResource[] {
    return this.#all().flatMap(sharedFormOf);
  }

  /** Notes that a resource was declared whose inputs are not all known yet. */
  addUnknown(kind: AnyKind): void {
    this.#unknown.add(kind);
  }

  hasUnknown(kind: AnyKind): boolean {
    return this.#unknown.has(kind);
  }

  /** Notes that this registration is declared twice: neither resource is written. */
  refuse(resource: Resource): void {
    this.#refused.push(resource);
  }

  isRefused(resource: Resource): boolean {
    return this.#refused.some((other) => other.kind === resource.kind && isSameIdentity(other, resource));
  }

  /** Returns the resources of this process and of the other ones. */
  #all(): readonly Resource[] {
    for (const shared of this.#siblings?.others() ?? []) if (Array.isArray(shared)) this.learn(shared);
    return [...this.#own.values(), ...this.#others.values()];
  }

  #addNeighbour({ kind, key, spec }: Resource): void {
    this.#neighbours.push({ kind: kind.name, collection: kind.collection, name: key, definition: kind, spec });
  }
}

export function sharedFormOf({ kind, inputs, identity }: Resource): SharedResource[] {
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
