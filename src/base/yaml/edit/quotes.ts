/** The quotes that a file uses, for new text beside them. */
import { isMap, isPair, isScalar, type Node, Scalar, visit } from 'yaml';
import type { KeyedValue } from './nodes.ts';
import type { Quotes } from './render.ts';

/** Returns true for a file whose top is a map in braces with all keys in double quotes. It must stay valid JSON. */
export function isJson(root: Node | null): boolean {
  if (!isMap(root) || root.flow !== true || root.items.length === 0) return false;
  return root.items.every(({ key }) => isScalar(key) && key.type === Scalar.QUOTE_DOUBLE);
}

/** Returns the quotes of the first key and of the first text in these nodes. */
export function quotesOf(nodes: readonly (Node | KeyedValue | null)[]): Pick<Quotes, 'keys' | 'values'> {
  const found: Partial<Quotes> = {};
  for (const node of nodes) {
    if (found.keys !== undefined && found.values !== undefined) break;
    if (isPair(node)) note('key', node.key as Node);
    const inner = isPair(node) ? (node.value as Node | null) : node;
    if (inner !== null) visit(inner, { Scalar: (role, scalar) => note(role, scalar) });
  }
  return { keys: found.keys ?? Scalar.PLAIN, values: found.values ?? Scalar.PLAIN };

  function note(role: unknown, node: Node): void {
    if (!isScalar(node) || typeof node.value !== 'string' || node.type === undefined) return;
    found[role === 'key' ? 'keys' : 'values'] ??= node.type as Scalar.Type;
  }
}
