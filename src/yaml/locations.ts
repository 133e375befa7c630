/** From a path of keys back to the nodes of a YAML tree. */
import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { isMergeKey, startOf, type Tree } from './tree.ts';

/** What stands at a path; an item of a list, and the whole document, have no key. */
interface Entry {
  key?: Node;
  value: Node | null;
}

type Mapping = YAMLMap<Node, Node | null>;

/** Looks a path up when it is asked for, and indexes a map only then: most files are read without a question. */
export class TreePlaces {
  readonly #tree: Tree;
  readonly #indexes = new Map<Mapping, Map<PropertyKey, Entry>>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Where the key or the value at a path starts. A path that does not exist: its nearest ancestor, by its key. */
  offsetOf(path: readonly PropertyKey[], what: 'key' | 'value'): number {
    const { entry, exists } = this.#find(path);
    const byKey = what === 'key' || !exists || isWithoutText(entry.value);
    const node = byKey ? (entry.key ?? entry.value) : entry.value;
    return node === null ? 0 : startOf(node);
  }

  /** The text of the scalar at a path as the file has it, before substitution and without its quotes. */
  written(path: readonly PropertyKey[]): string | undefined {
    const { entry, exists } = this.#find(path);
    const node = this.#resolved(entry.value);
    return exists && isScalar(node) ? node.source : undefined;
  }

  #find(path: readonly PropertyKey[]): { entry: Entry; exists: boolean } {
    let entry: Entry = { value: this.#tree.root };
    for (const key of path) {
      const next = this.#child(entry.value, key);
      if (next === undefined) return { entry, exists: false };
      entry = next;
    }
    return { entry, exists: true };
  }

  #child(parent: Node | null, key: PropertyKey): Entry | undefined {
    const node = this.#resolved(parent);
    if (isMap<Node, Node | null>(node)) return this.#indexOf(node).get(key);
    const item = isSeq<Node | null>(node) ? node.items[Number(key)] : undefined;
    return item === undefined ? undefined : { value: item };
  }

  /** By key, those that come in through `<<` included; the map's own come first, as when the values were read. */
  #indexOf(map: Mapping): Map<PropertyKey, Entry> {
    const known = this.#indexes.get(map);
    if (known !== undefined) return known;
    const index = new Map<PropertyKey, Entry>();
    this.#indexes.set(map, index);
    const [merges, own] = [
      map.items.filter(({ key }) => isMergeKey(key)),
      map.items.filter(({ key }) => !isMergeKey(key)),
    ];
    for (const { key, value } of own) if (isScalar(key)) index.set(String(key.value), { key, value });
    for (const source of merges.flatMap(({ value }) => this.#merged(value))) {
      for (const [key, entry] of this.#indexOf(source)) if (!index.has(key)) index.set(key, entry);
    }
    return index;
  }

  #merged(value: Node | null): Mapping[] {
    const source = this.#resolved(value);
    const sources = isSeq<Node | null>(source) ? source.items.map((item) => this.#resolved(item)) : [source];
    return sources.filter((each) => isMap<Node, Node | null>(each));
  }

  #resolved(node: Node | null): Node | null {
    return isAlias(node) ? (this.#tree.targets.get(node) ?? null) : node;
  }
}

/** `zone:` with nothing after it has a value, null, that stands nowhere. */
function isWithoutText(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.range?.[0] === node.range?.[1]);
}
