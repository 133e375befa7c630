/**
 * Converts a parsed YAML document to plain values. Refuses input that plain values cannot hold or that is a mistake: duplicate
 * keys, keys that are not text, recursive aliases.
 */
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from 'yaml';
import type { Problem } from '../diagnostics/problem.ts';
import { isMapValue } from '../values/plain.ts';
import { inexactNumber, keepsDigits } from './exactNumbers.ts';
import { nodesAndAddresses } from './folds.ts';
import type { LocationAt } from './syntax.ts';
import {
  aliasInItself,
  keyIsNotText,
  MAX_DEPTH,
  MAX_REPEATED,
  MERGE_OF_NO_MAP,
  RESERVED_KEY,
  TOO_DEEP,
  TOO_MANY_ALIASES,
  unknownAlias,
  unusualSpace,
} from './treeProblems.ts';
import { type Environment, substitute } from './variables.ts';

export interface Tree {
  value: unknown;
  root: Node | null;
  /** The node that each alias refers to. */
  targets: ReadonlyMap<Alias, Node>;
  /** The values of substituted variables, each with the name of its variable. */
  secrets: ReadonlyMap<string, string>;
  problems: readonly Problem[];
}

/** Without `env`, leaves every `${NAME}` unchanged. */
export function readTree(doc: Document, text: string, locationAt: LocationAt, env: Environment | undefined): Tree {
  const reader = new TreeReader(text, locationAt, env);
  const value = reader.read(doc.contents);
  const { targets, secrets, problems } = reader;
  return { value, root: doc.contents, targets, secrets, problems };
}

/** Reads nodes in the order of the text, because an alias refers to the last anchor of its name before it. */
class TreeReader {
  readonly targets = new Map<Alias, Node>();
  readonly secrets = new Map<string, string>();
  readonly problems: Problem[] = [];

  readonly #text: string;
  readonly #locationAt: LocationAt;
  readonly #env: Environment | undefined;
  readonly #path: PropertyKey[] = [];
  readonly #anchors = new Map<string, Node>();
  readonly #anchored = new Map<Node, { value: unknown; size: number }>();
  /** Anchored nodes that are being read: an alias of one of them would contain itself. */
  readonly #open = new Set<Node>();
  /** The number of values so far, including those that aliases repeat. */
  #size = 0;
  #repeated = 0;

  constructor(text: string, locationAt: LocationAt, env: Environment | undefined) {
    this.#text = text;
    this.#locationAt = locationAt;
    this.#env = env;
  }

  /** Returns undefined, which is never a value, if the node was refused. */
  read(node: Node | null): unknown {
    if (node === null) return null;
    this.#size += 1;
    if (isAlias(node)) return this.#readAlias(node);
    if (this.#path.length > MAX_DEPTH) return this.#refuse(node, TOO_DEEP);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    return anchor === undefined ? this.#readContent(node) : this.#readAnchored(node, anchor);
  }

  #readContent(node: Node): unknown {
    if (isMap<Node, Node | null>(node)) return this.#readMap(node);
    if (isSeq<Node | null>(node)) {
      return nodesAndAddresses(node).map((item, index) => {
        if (typeof item !== 'string') return this.#readAt(index, item);
        this.#size += 1;
        return item;
      });
    }
    return isScalar(node) ? this.#readScalar(node) : null;
  }

  #readAt(key: PropertyKey, node: Node | null): unknown {
    this.#path.push(key);
    const value = this.read(node);
    this.#path.pop();
    return value;
  }

  #readAnchored(node: Node, anchor: string): unknown {
    this.#anchors.set(anchor, node);
    this.#open.add(node);
    const before = this.#size;
    const value = this.#readContent(node);
    this.#open.delete(node);
    this.#anchored.set(node, { value, size: this.#size - before });
    return value;
  }

  #readAlias(alias: Alias): unknown {
    const target = this.#anchors.get(alias.source);
    if (target === undefined) return this.#refuse(alias, unknownAlias(alias.source, this.#anchors.keys()));
    const read = this.#anchored.get(target);
    if (read === undefined || this.#open.has(target)) return this.#refuse(alias, aliasInItself(alias.source));
    this.targets.set(alias, target);
    return this.#repeat(alias, read.size) ? read.value : undefined;
  }

  /** Counts the values that aliases repeat. Returns false, and adds one problem, above the limit. */
  #repeat(node: Node, size: number): boolean {
    const wasWithin = this.#repeated <= MAX_REPEATED;
    this.#repeated += size;
    this.#size += size;
    if (this.#repeated <= MAX_REPEATED) return true;
    if (wasWithin) this.#refuse(node, TOO_MANY_ALIASES);
    return false;
  }

  #readMap(map: YAMLMap<Node, Node | null>): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    const keys = new Map<string, Node>();
    const merged: { node: Node; value: unknown }[] = [];
    for (const { key: keyNode, value: node } of map.items) {
      if (isMergeKey(keyNode)) {
        merged.push({ node: node ?? keyNode, value: this.read(node) });
        continue;
      }
      const key = this.#readKey(keyNode, keys);
      const read = this.#readAt(key ?? '', node);
      if (key !== undefined) value[key] = read;
    }
    for (const source of merged) if (source.value !== undefined) this.#mergeInto(value, source.node, source.value);
    return value;
  }

  /** Returns the key as text, or adds a problem and returns undefined if it cannot be used. */
  #readKey(node: Node, keys: Map<string, Node>): string | undefined {
    if (!isScalar(node) || typeof node.value !== 'string') return this.#refuse(node, keyIsNotText(node));
    if (node.anchor !== undefined) this.#readAnchored(node, node.anchor);
    const key = node.value;
    const space = spaceProblem(node);
    if (space !== undefined) return this.#refuse(node, space);
    const first = keys.get(key);
    if (key === '__proto__') return this.#refuse(node, RESERVED_KEY);
    if (first !== undefined) return this.#refuse(node, this.#duplicate(key, first), key);
    keys.set(key, node);
    return key;
  }

  #duplicate(key: string, first: Node): Problem {
    return {
      code: 'duplicate-key',
      found: `the key \`${key}\` appears twice in one map`,
      fix: 'remove one of them, or merge their values',
      also: [
        {
          path: [...this.#path, key],
          at: 'key',
          place: this.#locationAt(nodeStart(first)),
          what: `first \`${key}\``,
        },
      ],
    };
  }

  /** Applies `<<`: the map's own keys win, then the sources in their order. */
  #mergeInto(value: Record<string, unknown>, node: Node, source: unknown): void {
    const sources = Array.isArray(source) ? source : [source];
    for (const each of sources) {
      if (!isMapValue(each)) {
        this.#refuse(node, MERGE_OF_NO_MAP);
        return;
      }
      const keys = Object.keys(each);
      if (!this.#repeat(node, keys.length)) return;
      for (const key of keys) if (!Object.hasOwn(value, key)) value[key] = each[key];
    }
  }

  #readScalar(node: Scalar): unknown {
    // Only an explicit `!!merge` tag turns a value into a symbol.
    if (typeof node.value === 'symbol') return node.source ?? '';
    if (typeof node.value === 'number' && node.source !== undefined && !keepsDigits(node.source, node.value)) {
      return this.#refuse(node, inexactNumber(node.source));
    }
    const space = spaceProblem(node);
    if (space !== undefined) return this.#refuse(node, space);
    if (this.#env === undefined || !hasVariable(node)) return node.value;
    const { value, used, problems } = substitute(node, this.#env);
    for (const variable of used) {
      if (!this.secrets.has(variable.value)) this.secrets.set(variable.value, variable.name);
    }
    const offsets = problems.length > 0 ? variableOffsets(node, this.#text) : [];
    for (const { nth, problem } of problems) this.#report(offsets[nth] ?? nodeStart(node), problem);
    return value;
  }

  #refuse(node: Node, problem: Problem, key?: string): undefined {
    this.#report(nodeStart(node), problem, key);
    return undefined;
  }

  #report(offset: number, problem: Problem, key?: string): void {
    const path = key === undefined ? [...this.#path] : [...this.#path, key];
    this.problems.push({ ...problem, path, place: this.#locationAt(offset) });
  }
}

/** Returns the offset of a node in the text, without its anchor and tag. */
export function nodeStart(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** Reports whether a key is a plain `<<`, the only key that the parser turns into a symbol. */
export function isMergeKey(key: Node): boolean {
  return isScalar(key) && typeof key.value === 'symbol';
}

function spaceProblem(node: Scalar): Problem | undefined {
  return node.type === 'PLAIN' && node.source !== undefined ? unusualSpace(node.source) : undefined;
}

function hasVariable(node: Scalar): node is Scalar<string> {
  return typeof node.value === 'string' && node.value.includes('${');
}

/** Returns the offsets of each `${` in a scalar; none if escapes hide them (`"\x24{A}"`). */
function variableOffsets(node: Scalar<string>, text: string): number[] {
  const [start, end] = node.range ?? [0, 0];
  const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
  // The header of a block scalar can have a comment.
  const from = isBlock ? text.indexOf('\n', start) : start;
  const offsets = [...text.slice(from, end).matchAll(/\$\{/g)].map((match) => from + match.index);
  return offsets.length === node.value.split('${').length - 1 ? offsets : [];
}
