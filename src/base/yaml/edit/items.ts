/** Adds and removes items of lists and entries of maps. A removed line with a comment is turned into a comment. */
import { isMap, isPair, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { nodeStart } from '../tree.ts';
import { commentsIn } from './comments.ts';
import { blockLines, inlineText, type TextStyle } from './render.ts';

/** Replaces a part of a text. Offsets are those of the text before all edits. */
export interface Edit {
  from: number;
  to: number;
  text: string;
}

type Entry = Pair<Node, Node | null>;
type Item = Node | Entry | null;

/** A new entry of a map, or a new item of a list. */
interface Fresh {
  fresh: Readonly<Record<string, unknown>> | readonly [unknown];
}

/** The items as they are to be: those of the text that stay, in their order, and new ones. */
export type Items = (Item | Fresh)[];

interface ItemsChange {
  collection: YAMLMap<Node, Node | null> | YAMLSeq<Node | null>;
  /** The key whose value the collection is. */
  key: Node | undefined;
  items: Items;
  style: TextStyle;
}

/** Returns undefined for text of another form than the edit expects. */
export function withItems(text: string, change: ItemsChange): Edit[] | undefined {
  return change.collection.flow === true ? inBrackets(text, change) : inBlock(text, change);
}

/** Rewrites the brackets. Items that stay keep their text and the text between them. */
function inBrackets(text: string, { collection, items, style }: ItemsChange): Edit[] | undefined {
  const [start = 0, end = 0] = collection.range ?? [];
  // A comment between the items may belong to one that goes.
  if (commentsIn(text.slice(start, end)).length > 0) return undefined;
  const spans = new Map<Item | Fresh, { from: number; to: number }>();
  for (const item of collection.items) spans.set(item, { from: startOf(item), to: contentEnd(item, text) });
  const old = [...spans.values()];
  const [first, second, last] = [old[0], old[1], old.at(-1)];
  const usual = first && second ? text.slice(first.to, second.from) : ', ';
  const parts = items.map((item, index) => {
    const span = spans.get(item);
    const before = span && old[old.indexOf(span) - 1];
    const own = span ? text.slice(span.from, span.to) : freshText(item as Fresh, style);
    return index === 0 ? own : (span && before ? text.slice(before.to, span.from) : usual) + own;
  });
  const head = first && items.length > 0 ? text.slice(start + 1, first.from) : '';
  const tail = last && items.length > 0 ? text.slice(last.to, end - 1) : '';
  return [{ from: start + 1, to: end - 1, text: head + parts.join('') + tail }];
}

function freshText({ fresh }: Fresh, style: TextStyle): string {
  return inlineText(fresh, style).slice(1, -1);
}

function inBlock(text: string, { collection, key, items, style }: ItemsChange): Edit[] | undefined {
  const lines = new Lines(text);
  const old: readonly Item[] = collection.items;
  const start = startOf(old[0] ?? null);
  const before = text.slice(lines.startOf(start), start);
  const indent = isSeq(collection) ? (/^ */.exec(before)?.[0] ?? '') : ' '.repeat(before.length);
  const edits: Edit[] = [];
  let above: Item | undefined;
  for (const item of items) {
    if (!isFresh(item)) above = item;
    else {
      const fresh = blockLines(item.fresh, style).map((line) => indent + line);
      edits.push(
        above === undefined ? lines.insertAbove(start, fresh) : lines.insertBelow(contentEnd(above, text), fresh),
      );
    }
  }
  if (items.length === 0) {
    const end = key?.range?.[1];
    if (end === undefined || text[end] !== ':') return undefined;
    edits.push({ from: end + 1, to: end + 1, text: isSeq(collection) ? ' []' : ' {}' });
  }
  const kept = new Set<unknown>(items);
  const removed = old.filter((item) => !kept.has(item));
  return [...edits, ...removed.flatMap((item) => lines.remove(startOf(item), contentEnd(item, text)))];
}

function isFresh(item: Item | Fresh): item is Fresh {
  return item !== null && 'fresh' in item;
}

function startOf(item: Item): number {
  const node = isPair<Node>(item) ? item.key : item;
  return node === null ? 0 : nodeStart(node as Node);
}

/** Returns the end of the last text of an item, without comments and line breaks after it. */
function contentEnd(item: Item, text: string): number {
  if (item === null) return 0;
  if (isPair<Node, Node | null>(item)) {
    const [from = 0, to = 0] = item.value?.range ?? [];
    return item.value !== null && to > from ? contentEnd(item.value, text) : (item.key.range?.[1] ?? 0);
  }
  const isBlock = (isMap<Node, Node | null>(item) || isSeq<Node | null>(item)) && item.flow !== true;
  const last = isBlock ? item.items.at(-1) : undefined;
  if (last) return contentEnd(last as Item, text);
  const [from = 0, to = from] = item.range ?? [];
  return from + text.slice(from, to).trimEnd().length;
}

/** Insertions and removals of whole lines. */
class Lines {
  readonly #text: string;
  readonly #newline: string;

  constructor(text: string) {
    this.#text = text;
    this.#newline = /\r?\n/.exec(text)?.[0] ?? '\n';
  }

  startOf(offset: number): number {
    return this.#text.lastIndexOf('\n', offset - 1) + 1;
  }

  insertAbove(offset: number, lines: readonly string[]): Edit {
    const at = this.startOf(offset);
    return { from: at, to: at, text: lines.map((line) => line + this.#newline).join('') };
  }

  insertBelow(offset: number, lines: readonly string[]): Edit {
    const end = this.#endOf(offset);
    return { from: end, to: end, text: lines.map((line) => this.#newline + line).join('') };
  }

  /** Removes the lines from one offset to another, or turns them into comments if they have one. */
  remove(start: number, end: number): Edit[] {
    const [from, to] = [this.startOf(start), this.#nextLine(end)];
    const lines = this.#text.slice(from, to);
    if (commentsIn(lines).length === 0) return [{ from, to, text: '' }];
    const text = lines.replaceAll(/^( *)(?=[^\s#])/gm, '$1# ');
    return [{ from, to, text }];
  }

  /** Returns the end of the line, before its line break. */
  #endOf(offset: number): number {
    const end = this.#text.indexOf('\n', offset);
    const last = end < 0 ? this.#text.length : end;
    return this.#text[last - 1] === '\r' ? last - 1 : last;
  }

  #nextLine(offset: number): number {
    const end = this.#text.indexOf('\n', offset);
    return end < 0 ? this.#text.length : end + 1;
  }
}
