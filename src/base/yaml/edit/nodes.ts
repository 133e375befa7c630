/** Nodes of a parsed file, as far as edits look at them. */
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, Scalar, visit, type YAMLMap, type YAMLSeq } from 'yaml';
import { isMergeKey, nodeStart } from '../tree.ts';

export type Mapping = YAMLMap<Node, Node | null>;
export type Sequence = YAMLSeq<Node | null>;
export type KeyedValue = Pair<Node, Node | null>;

/** The nodes that an alias of the file refers to. */
type SharedNodes = ReadonlySet<Node>;

/** Returns the end of the last text of a node, without comments and line breaks after it. */
export function contentEnd(node: Node | null, text: string): number {
  const [start = 0, last = start] = node?.range ?? [];
  // The last line break of a block scalar belongs to it.
  const end = start + text.slice(start, last).trimEnd().length;
  if (isMap<Node, Node | null>(node) && node.flow !== true) return endOfEntry(node.items.at(-1), text) ?? end;
  if (isSeq<Node | null>(node) && node.flow !== true) return endOfItem(node.items.at(-1), text) ?? end;
  return end;
}

export function endOfEntry(entry: KeyedValue | undefined, text: string): number | undefined {
  if (entry === undefined) return undefined;
  const keyEnd = entry.key.range?.[1] ?? 0;
  return hasText(entry.value) ? contentEnd(entry.value, text) : keyEnd;
}

function endOfItem(item: Node | null | undefined, text: string): number | undefined {
  return item === undefined || item === null ? undefined : contentEnd(item, text);
}

export function hasText(node: Node | null): node is Node {
  return node !== null && node.range !== undefined && node.range !== null && node.range[1] > node.range[0];
}

/** Returns the entry of a key in the map itself, not from `<<`. */
export function ownEntry(map: Mapping, key: PropertyKey): KeyedValue | undefined {
  return map.items.find((entry) => isScalar(entry.key) && !isMergeKey(entry.key) && entry.key.value === key);
}

export function hasVariable(node: Node | null): boolean {
  return some(node, (each) => isScalar(each) && typeof each.value === 'string' && each.value.includes('${'));
}

export function hasShared(node: Node | null, shared: SharedNodes): boolean {
  return shared.size > 0 && some(node, (each) => shared.has(each));
}

export function hasAlias(node: Node | null): boolean {
  return some(node, isAlias);
}

function some(node: Node | null, test: (node: Node) => boolean): boolean {
  if (node === null) return false;
  let found = false;
  visit(node, {
    Node(_, each) {
      if (!test(each as Node)) return undefined;
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

export function isBlockText(node: Scalar): boolean {
  return node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED;
}

/** Returns the start of a node with its anchor and its tag, which are on the same line. */
export function startWithProperties(node: Node, text: string): number {
  const start = nodeStart(node);
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const properties = /(?:[&!]\S*\s+)+$/.exec(line)?.[0] ?? '';
  return start - properties.length;
}
