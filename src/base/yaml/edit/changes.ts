/** The edits of a text that change one scalar, the items of one list, or one key of a map. */
import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, Scalar, type YAMLMap } from 'yaml';
import { valueAt } from '../../values/plain.ts';
import type { ParsedYaml } from '../source.ts';
import { isMergeKey } from '../tree.ts';
import { type Edit, type Items, withItems } from './items.ts';
import { matchItems } from './matchItems.ts';
import { inlineText, type TextStyle } from './render.ts';

/** A value to write. Undefined removes the key. */
export interface ValueChange {
  path: readonly PropertyKey[];
  value: unknown;
}

/** The reason why a value is not edited. */
export interface NotEditable {
  code: string;
  why: string;
}

type Mapping = YAMLMap<Node, Node | null>;

/** Reports whether the change adds or removes a key. */
export function isOfKey({ tree }: ParsedYaml, { path, value }: ValueChange): boolean {
  return value === undefined || entryAt(tree.root, path) === undefined;
}

export function textEdits(text: string, parsed: ParsedYaml, change: ValueChange): Edit[] | NotEditable {
  const { root } = parsed.tree;
  const { path, value } = change;
  const parent = entryAt(root, path.slice(0, -1));
  const map = path.length === 1 ? root : parent?.value;
  if (!isMap<Node, Node | null>(map)) return { code: 'shared-value', why: 'an alias or `<<` shares it' };
  const entry = ownEntry(map, path.at(-1));
  const style = textStyle(root);
  if (value !== undefined && entry !== undefined) return valueEdits(text, parsed, change, entry, style);
  if (entry === undefined && value === undefined) return { code: 'shared-value', why: '`<<` shares it' };
  const items: Items = map.items.filter((item) => item !== entry);
  if (value !== undefined) items.push({ fresh: { [String(path.at(-1))]: value } });
  return withItems(text, { collection: map, key: parent?.key, items, style }) ?? unusual;
}

function valueEdits(
  text: string,
  parsed: ParsedYaml,
  { path, value }: ValueChange,
  { key, value: node }: Pair<Node, Node | null>,
  style: TextStyle,
): Edit[] | NotEditable {
  if (isAlias(node)) return { code: 'shared-value', why: `it is the value of the anchor of \`*${node.source}\`` };
  if (isSeq<Node | null>(node) && Array.isArray(value)) {
    const matched = matchItems(valueAt(parsed.value, path) as unknown[], value);
    const items: Items = value.map((item, index) => node.items[matched[index] ?? -1] ?? { fresh: [item] });
    const kept = new Set<unknown>(items);
    if (node.items.some((item) => !kept.has(item) && hasVariable(item, text))) return fromVariable;
    return withItems(text, { collection: node, key, items, style: styleOf(node.items[0], style) }) ?? unusual;
  }
  if (!isScalar(node) || !node.range || isBlockText(node)) return unusual;
  if (hasVariable(node, text)) return fromVariable;
  const [from, to] = node.range;
  return from === to ? unusual : [{ from, to, text: inlineText(value, styleOf(node, style)) }];
}

const unusual = { code: 'not-editable', why: 'it has several lines, is empty, or has a comment in brackets' };
const fromVariable = { code: 'value-from-variable', why: 'it comes from a variable' };

function entryAt(root: Node | null, path: readonly PropertyKey[]): Pair<Node, Node | null> | undefined {
  let entry: Pair<Node, Node | null> | undefined;
  for (const [depth, key] of path.entries()) {
    const map: unknown = depth === 0 ? root : entry?.value;
    if (!isMap<Node, Node | null>(map)) return undefined;
    entry = ownEntry(map, key);
  }
  return entry;
}

/** Returns the entry of a key in the map itself, not from `<<`. */
function ownEntry(map: Mapping, key: PropertyKey | undefined): Pair<Node, Node | null> | undefined {
  return map.items.find((entry) => isScalar(entry.key) && !isMergeKey(entry.key) && entry.key.value === key);
}

function hasVariable(node: Node | null, text: string): boolean {
  const [from = 0, to = 0] = node?.range ?? [];
  return text.slice(from, to).includes('${');
}

function isBlockText({ type }: Scalar): boolean {
  return type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;
}

/** Returns the style of new texts: JSON in a file whose top is a map in braces with keys in double quotes, which must stay valid JSON. */
export function textStyle(root: Node | null): TextStyle {
  if (!isMap<Node>(root) || root.flow !== true) return Scalar.PLAIN;
  const isJson = root.items.every(({ key }) => isScalar(key) && key.type === Scalar.QUOTE_DOUBLE);
  return isJson ? 'JSON' : Scalar.PLAIN;
}

/** New text has the quotes of the text that it replaces, or of the first item beside it. */
function styleOf(node: unknown, style: TextStyle): TextStyle {
  const isQuoted = isScalar(node) && (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE);
  return isQuoted && style !== 'JSON' ? (node.type ?? style) : style;
}
