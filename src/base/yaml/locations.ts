/** Finds the nodes of a YAML tree by path. */
import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { isMergeKey, nodeStart, type Tree } from './tree.ts';

/** The key and the value at a path. List items and the whole document have no key. */
interface Entry {
  key?: Node;
  value: Node | null;
}

type Mapping = YAMLMap<Node, Node | null>;

/** Looks up paths. Indexes a map on its first lookup, because most files need none. */
export class TreeLocations {
  readonly #tree: Tree;
  readonly #indexes = new Map<Mapping, Map<PropertyKey, Entry>>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Returns the start of the key or the value at a path. For a path that does not exist, returns the start of the key of its nearest ancestor. */
  offsetOf(path: readonly PropertyKey[], what: 'key' | 'value'): number {
    const { entry, exists } = this.#find(path);
    const byKey = what === 'key' || !exists || isWithoutText(entry.value);
    const node = byKey ? (entry.key ?? entry.value) : entry.value;
    return node === null ? 0 : nodeStart(node);
  }

  /** Returns the scalar at a path as it is in the file: before substitution, and without quotes. */
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

  /** Indexes the entries of a map by key, including those from `<<`. The map's own entries win, as in `readTree`. */
  #indexOf(map: Mapping): Map<PropertyKey, Entry> {
    const known = this.#indexes.get(map);
    if (known !== undefined) return known;
    const index = new Map<PropertyKey, Entry>();
    this.#indexes.set(map, index);
    for (const { key, value } of map.items) if (isScalar(key)) index.set(String(key.value), { key, value });
    const merged = map.items.flatMap(({ key, value }) => (isMergeKey(key) ? this.#merged(value) : []));
    for (const source of merged) {
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

/** Reports whether the value has no text in the file, such as the null after `zone:`. */
function isWithoutText(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.range?.[0] === node.range?.[1]);
}
