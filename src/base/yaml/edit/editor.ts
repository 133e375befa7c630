/** Makes the edits of one pass over a parsed text. */
import { isDeepStrictEqual } from 'node:util';
import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { isMapValue } from '../../values/plain.ts';
import type { ParsedYaml } from '../source.ts';
import { nodeStart } from '../tree.ts';
import { addBlockEntry, addBlockItems, removeBlockEntry, removeBlockItems } from './blockEdits.ts';
import { Comments } from './comments.ts';
import { addFlowItems, removeFlowItems, type Span } from './flowEdits.ts';
import { matchItems, matchRemaining } from './matchItems.ts';
import {
  endOfEntry,
  hasAlias,
  hasShared,
  hasText,
  hasVariable,
  isBlockText,
  type KeyedValue,
  type Mapping,
  ownEntry,
  type Sequence,
  startWithProperties,
} from './nodes.ts';
import { isJson, quotesOf } from './quotes.ts';
import { fromAlias, fromMerge, fromVariable, holdsAnchor, notEditable } from './refusals.ts';
import { flowEntry, inlineText, type Quotes } from './render.ts';
import { TextEdits } from './textEdits.ts';

/** A value to write. Undefined removes the key. */
export interface ValueChange {
  path: readonly PropertyKey[];
  value: unknown;
}

/** A value with what is around it. */
interface Slot {
  node: Node | null;
  /** The key of the value, in a map. */
  key: Node | undefined;
  path: PropertyKey[];
}

export class Editor {
  /** True if keys are left for the next pass. One pass adds or removes one key, so that its neighbours are as they were parsed. */
  hasMore = false;

  readonly #edits: TextEdits;
  readonly #comments: Comments;
  readonly #parsed: ParsedYaml;
  readonly #shared: ReadonlySet<Node>;
  readonly #phase: 'add' | 'remove';
  readonly #isJson: boolean;
  #hasChangedKey = false;

  constructor(text: string, parsed: ParsedYaml, phase: 'add' | 'remove') {
    this.#edits = new TextEdits(text);
    this.#comments = new Comments(text);
    this.#parsed = parsed;
    this.#shared = new Set(parsed.tree.targets.values());
    this.#phase = phase;
    this.#isJson = isJson(parsed.tree.root);
  }

  applied(): string {
    return this.#edits.applied();
  }

  change({ path, value }: ValueChange): void {
    let slot: Slot = { node: this.#parsed.tree.root, key: undefined, path: [] };
    for (const key of path.slice(0, -1)) slot = this.#childOf(slot, key);
    this.#setEntry(slot, path.at(-1) ?? '', value);
  }

  #childOf(slot: Slot, key: PropertyKey): Slot {
    this.#assertOwn(slot);
    const path = [...slot.path, key];
    const entry = isMap<Node, Node | null>(slot.node) ? ownEntry(slot.node, key) : undefined;
    if (entry === undefined) throw this.#refusal(slot, path, fromMerge);
    return { node: entry.value, key: entry.key, path };
  }

  /** @throws ProblemError if a change within this value would change others too */
  #assertOwn({ node, path }: Slot): void {
    if (isAlias(node)) throw this.#refusal({ node }, path, fromAlias(node.source));
    if (node !== null && this.#shared.has(node)) throw this.#refusal({ node }, path, this.#usedBy(node));
  }

  #usedBy(node: Node): Problem {
    const anchor = 'anchor' in node ? `&${node.anchor}` : 'its anchor';
    const [alias] = [...this.#parsed.tree.targets].find(([, target]) => target === node) ?? [];
    const { line } = this.#parsed.locationAt(alias === undefined ? 0 : nodeStart(alias));
    return {
      code: 'shared-value',
      found: `the value is shared: line ${line} refers to \`${anchor}\``,
      fix: 'write out the value here or there, so that each has its own, and accept again',
    };
  }

  #setEntry(slot: Slot, key: PropertyKey, wanted: unknown): void {
    this.#assertOwn(slot);
    const { node, path } = slot;
    const at = [...path, key];
    const map = isMap<Node, Node | null>(node) ? node : undefined;
    if (map === undefined) throw this.#refusal(slot, at, notEditable('it is not in a map'));
    const entry = ownEntry(map, key);
    if (wanted === undefined) {
      // A value from `<<` cannot be removed here.
      if (entry === undefined && this.#phase === 'add') throw this.#refusal(slot, at, fromMerge);
      if (entry !== undefined && this.#phase === 'remove') this.#removeEntry(map, entry, { ...slot, path: at });
      return;
    }
    if (entry !== undefined) this.#setValue({ node: entry.value, key: entry.key, path: at }, wanted);
    else if (this.#phase === 'add') this.#addEntry(map, String(key), wanted, { ...slot, path: at });
  }

  /** Returns true for the first key of this pass. */
  #mayChangeKey(): boolean {
    if (this.#hasChangedKey) this.hasMore = true;
    else this.#hasChangedKey = true;
    return !this.hasMore;
  }

  #addEntry(map: Mapping, key: string, wanted: unknown, slot: Slot): void {
    if (!this.#mayChangeKey()) return;
    const [flow, quotes] = [this.#flow(map), this.#quotes(map.items.toReversed())];
    const isDone =
      map.flow === true
        ? addFlowItems(flow, map.items.length - 1, [flowEntry(key, wanted, quotes)], this.#edits, this.#comments)
        : addBlockEntry(map, key, wanted, quotes, this.#edits);
    if (!isDone) throw this.#refusal(slot, slot.path, notEditable('the map has an unusual form'));
  }

  #removeEntry(map: Mapping, entry: KeyedValue, slot: Slot): void {
    if (!this.#mayChangeKey()) return;
    if (hasShared(entry.value, this.#shared)) throw this.#refusal(slot, slot.path, holdsAnchor);
    const isDone =
      map.flow === true
        ? removeFlowItems(this.#flow(map), [map.items.indexOf(entry)], this.#edits, this.#comments)
        : removeBlockEntry(map, entry, slot.key, this.#edits, this.#comments);
    if (!isDone) throw this.#refusal(slot, slot.path, notEditable('it shares its lines with other text'));
  }

  #setValue(slot: Slot, wanted: unknown): void {
    const { node, path } = slot;
    if (isDeepStrictEqual(this.#valueOf(path), wanted)) return;
    if (isAlias(node)) this.#detach(slot, wanted);
    else if (node !== null && this.#shared.has(node)) throw this.#refusal(slot, path, this.#usedBy(node));
    else if (isSeq<Node | null>(node) && Array.isArray(wanted)) this.#setList(node, wanted, slot);
    else if (isMap<Node, Node | null>(node) && isMapValue(wanted)) this.#setMap(slot, wanted);
    else if (hasVariable(node)) throw this.#refusal(slot, path, fromVariable);
    else if (isScalar(node) && hasText(node)) this.#setScalar(slot, wanted);
    else throw this.#refusal(slot, path, notEditable('its value has another form in the live state'));
  }

  #valueOf(path: readonly PropertyKey[]): unknown {
    return path.reduce<unknown>((value, key) => Object(value)[key], this.#parsed.value);
  }

  #setScalar({ node, path }: Slot, wanted: unknown): void {
    if (this.#phase !== 'add' || !isScalar(node)) return;
    const [from = 0, to = 0] = node.range ?? [];
    const isBlock = isBlockText(node);
    if (isBlock && this.#comments.isBetween(from, this.#edits.text.indexOf('\n', from))) {
      throw this.#refusal({ node }, path, notEditable('its first line has a comment'));
    }
    const text = inlineText(wanted, this.#quotes([node]));
    this.#edits.replace(from, to, isBlock ? text + this.#edits.newline : text);
  }

  /** Writes a value in place of an alias: the anchor and its other aliases stay as they are. */
  #detach({ node, path }: Slot, wanted: unknown): void {
    if (this.#phase !== 'add' || !isAlias(node)) return;
    const isPlain = Array.isArray(wanted) ? wanted.every(isScalarValue) : isScalarValue(wanted);
    if (!isPlain) throw this.#refusal({ node }, path, fromAlias(node.source));
    const [from = 0, to = 0] = node.range ?? [];
    this.#edits.replace(from, to, inlineText(wanted, this.#quotes([])));
  }

  #setMap(slot: Slot, wanted: Record<string, unknown>): void {
    const current = Object(this.#valueOf(slot.path)) as Record<string, unknown>;
    for (const key of new Set([...Object.keys(current), ...Object.keys(wanted)])) {
      if (!isDeepStrictEqual(current[key], wanted[key])) this.#setEntry(slot, key, wanted[key]);
    }
  }

  #setList(list: Sequence, wanted: readonly unknown[], slot: Slot): void {
    const current = this.#valueOf(slot.path) as unknown[];
    if (this.#phase === 'remove') {
      const kept = matchRemaining(current, wanted);
      if (kept === undefined) throw this.#refusal(slot, slot.path, notEditable('its items are in another order'));
      for (const [index, at] of kept.entries()) {
        this.#setValue({ node: list.items[at] ?? null, key: undefined, path: [...slot.path, at] }, wanted[index]);
      }
      this.#removeItems(list, kept, slot);
      return;
    }
    const matched = matchItems(current, wanted);
    let previous = -1;
    for (let index = 0; index < matched.length; ) {
      const from = index;
      while (index < matched.length && matched[index] === -1) index += 1;
      const next = matched[index] ?? current.length;
      this.#addItems(list, wanted.slice(from, index), { previous, next }, slot);
      previous = next;
      index += 1;
    }
  }

  /** Adds items between two that stay. A map takes the place of one that goes, so that only its differing fields change. */
  #addItems(
    list: Sequence,
    wanted: readonly unknown[],
    { previous, next }: { previous: number; next: number },
    slot: Slot,
  ): void {
    const current = this.#valueOf(slot.path) as unknown[];
    let after = previous;
    const added = wanted.filter((value) => {
      const node = list.items[after + 1];
      if (after + 1 >= next || !isMapValue(value) || !isMapValue(current[after + 1]) || !node) return true;
      after += 1;
      this.#setValue({ node, key: undefined, path: [...slot.path, after] }, value);
      return false;
    });
    if (added.length === 0) return;
    const quotes = this.#quotes([list.items[Math.max(after, 0)] ?? null, ...list.items]);
    const isDone =
      list.flow === true
        ? addFlowItems(
            this.#flow(list),
            after,
            added.map((value) => inlineText(value, quotes)),
            this.#edits,
            this.#comments,
          )
        : addBlockItems(list, after, added, quotes, this.#edits);
    if (!isDone) throw this.#refusal(slot, slot.path, notEditable('the list has an unusual form'));
  }

  #removeItems(list: Sequence, kept: readonly number[], slot: Slot): void {
    const keeps = new Set(kept);
    const removed = list.items.flatMap((item, index) => (keeps.has(index) || item === null ? [] : [{ item, index }]));
    if (removed.length === 0) return;
    for (const { item, index } of removed) {
      const path = [...slot.path, index];
      if (hasVariable(item)) throw this.#refusal({ node: item }, path, fromVariable);
      if (hasShared(item, this.#shared) || hasAlias(item)) throw this.#refusal({ node: item }, path, holdsAnchor);
    }
    const isDone =
      list.flow === true
        ? removeFlowItems(
            this.#flow(list),
            removed.map(({ index }) => index),
            this.#edits,
            this.#comments,
          )
        : removeBlockItems(
            list,
            removed.map(({ item }) => item),
            slot.key,
            this.#edits,
            this.#comments,
          );
    if (!isDone) throw this.#refusal(slot, slot.path, notEditable('it shares its lines with other text'));
  }

  /** Returns the quotes of the first keys and texts among neighbours, the nearest first. */
  #quotes(neighbours: readonly (Node | KeyedValue | null)[]): Quotes {
    return { ...quotesOf(neighbours), isJson: this.#isJson };
  }

  #flow(collection: Mapping | Sequence): { items: Span[]; close: number } {
    const { text } = this.#edits;
    const items = isMap<Node, Node | null>(collection)
      ? collection.items.map((entry) => ({
          from: startWithProperties(entry.key, text),
          to: endOfEntry(entry, text) ?? 0,
        }))
      : collection.items.map((item) => ({
          from: item ? startWithProperties(item, text) : 0,
          to: item?.range?.[1] ?? 0,
        }));
    return { items, close: (collection.range?.[1] ?? 1) - 1 };
  }

  #refusal({ node }: Pick<Slot, 'node'>, path: readonly PropertyKey[], problem: Problem): ProblemError {
    const place = this.#parsed.locationAt(node === null ? 0 : nodeStart(node));
    return new ProblemError([{ ...problem, path: [...path], place }]);
  }
}

function isScalarValue(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
