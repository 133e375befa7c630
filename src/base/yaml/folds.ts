/**
 * Parses long lists of addresses as if they had two items. The parser creates tokens and nodes for each item, which takes most of the
 * time for a large declaration. Between the first and the last address of a list there can only be more addresses.
 */
import { type Document, isScalar, isSeq, type Node, Scalar, visit, type YAMLSeq } from 'yaml';

/** The lines of a block list between its first and its last address. Each has one address and at most a comment after it. */
interface Fold {
  /** Offsets of the first and the last address. */
  first: number;
  last: number;
  /** The offsets between which whole lines are hidden from the parser. */
  from: number;
  to: number;
  /** The start of each line, up to the address. */
  lead: string;
}

interface FoldedYaml {
  /** The text for the parser. */
  text: string;
  /** Returns the document with the nodes and offsets of the whole text, or undefined if the whole text must be parsed. */
  document(parse: (text: string) => Document): Document | undefined;
}

export function foldAddresses(text: string): FoldedYaml {
  const folds = foldsIn(text);
  const shown = without(folds, text);
  return {
    text: shown,
    document(parse) {
      const doc = parse(shown);
      if (folds.length === 0) return doc;
      // The errors in broken text may depend on every line of it.
      if (doc.errors.length > 0) return undefined;
      const lists = inPlace(folds, doc);
      // Lines that look like a list may be part of a multi-line string.
      return unfolded(folds, lists, text) ? doc : undefined;
    },
  };
}

/** Shorter lists are parsed faster than folded. */
const fewest = 8;

function foldsIn(text: string): Fold[] {
  const folds: Fold[] = [];
  let line = 0;
  while (line < text.length) {
    const lead = leadOf(text, line);
    const [first = -1, ...others] = lead === undefined ? [] : runFrom(text, line, lead);
    const last = others.at(-1) ?? -1;
    if (lead !== undefined && others.length >= fewest) {
      folds.push({ first: first + lead.length, last: last + lead.length, from: others[0] ?? -1, to: last, lead });
    }
    line = lineAfter(text, Math.max(last, first, line));
  }
  return folds;
}

/** Returns the spaces and the dash at the start of a line. */
function leadOf(text: string, line: number): string | undefined {
  let at = line;
  while (text[at] === ' ') at += 1;
  return text.startsWith('- ', at) ? text.slice(line, at + 2) : undefined;
}

/** Returns the offsets of consecutive lines with the same lead and an address. */
function runFrom(text: string, start: number, lead: string): number[] {
  const lines: number[] = [];
  for (let line = start; text.startsWith(lead, line); ) {
    const next = endOfLine(text, addressEnd(text, line + lead.length));
    if (next < 0) break;
    lines.push(line);
    line = next;
  }
  return lines;
}

/** Returns the end of an address, or -1 for other text. Four numbers with dots between them are a string in every YAML version. */
function addressEnd(text: string, start: number): number {
  let dots = 0;
  let at = start;
  for (; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === dot) dots += 1;
    else if (!(code >= zero && code <= nine)) break;
  }
  return dots === 3 && text.charCodeAt(start) !== dot ? at : -1;
}

const [dot, zero, nine] = ['.', '0', '9'].map((character) => character.charCodeAt(0)) as [number, number, number];

/** Returns the start of the next line, or -1 if more than a comment follows on this one. */
function endOfLine(text: string, start: number): number {
  if (start < 0) return -1;
  if (text[start] === '\n') return start + 1;
  const end = text.indexOf('\n', start);
  return end >= 0 && /^(?: *\r?| +#.*)$/.test(text.slice(start, end)) ? end + 1 : -1;
}

function lineAfter(text: string, line: number): number {
  const end = text.indexOf('\n', line);
  return end < 0 ? text.length : end + 1;
}

function without(folds: readonly Fold[], text: string): string {
  const starts = [0, ...folds.map(({ to }) => to)];
  return starts.map((start, index) => text.slice(start, folds[index]?.from)).join('');
}

type List = YAMLSeq<Node | null>;

/** Changes the offsets of nodes and warnings from the folded text to the whole text. Returns the block lists. */
function inPlace(folds: readonly Fold[], doc: Document): List[] {
  const lists: List[] = [];
  const cuts: { at: number; removed: number }[] = [];
  let removed = 0;
  for (const { from, to } of folds) {
    const at = from - removed;
    removed += to - from;
    cuts.push({ at, removed });
  }
  const whole = (offset: number) => offset + (cuts[lastAtMost(cuts, offset)]?.removed ?? 0);
  visit(doc, {
    Node(_key, node) {
      if (isSeq<Node | null>(node) && node.flow !== true) lists.push(node);
      if (node.range) node.range = [whole(node.range[0]), whole(node.range[1]), whole(node.range[2])];
    },
  });
  for (const warning of doc.warnings) warning.pos = [whole(warning.pos[0]), whole(warning.pos[1])];
  return lists;
}

/** Returns the index of the last cut at or before the offset; -1 if there is none. `cuts` are in ascending order. */
function lastAtMost(cuts: readonly { at: number }[], offset: number): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cuts[middle]?.at ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Adds the hidden addresses to their lists. Returns false if a fold was not part of a list. */
function unfolded(folds: readonly Fold[], lists: readonly List[], text: string): boolean {
  const waiting = new Map(folds.map((fold) => [fold.first, fold]));
  const latest: Latest = { list: undefined, items: [] };
  for (const list of lists) unfold(list, waiting, text, latest);
  return waiting.size === 0;
}

/** The list that was read last, and its items. */
interface Latest {
  list: List | undefined;
  items: List['items'];
}

/**
 * A node takes about 150 bytes, and few are needed after the tree was read once. So the nodes of hidden addresses are made when they are
 * asked for, and kept until those of another list are.
 */
function unfold(list: List, waiting: Map<number, Fold>, text: string, latest: Latest): void {
  const { items } = list;
  const folds = items.map((item, index) => {
    const fold = isScalar(item) && item.range ? waiting.get(item.range[0]) : undefined;
    if (fold === undefined || items[index + 1]?.range?.[0] !== fold.last) return undefined;
    waiting.delete(fold.first);
    return fold;
  });
  if (folds.every((fold) => fold === undefined)) return;
  const allItems = <Address>(make: (source: string, start: number) => Address) =>
    items.flatMap((item, index) => (folds[index] ? [item, ...addressesOf(folds[index], text, make)] : [item]));
  withAddresses.set(list, () => allItems((source) => source));
  Object.defineProperty(list, 'items', {
    get() {
      if (latest.list !== list) Object.assign(latest, { list, items: allItems(nodeOf) });
      return latest.items;
    },
  });
}

const withAddresses = new WeakMap<List, () => readonly (Node | string | null)[]>();

/** Returns the items of a list: nodes, and the texts of hidden addresses, for a reader that needs no nodes of them. */
export function nodesAndAddresses(list: List): readonly (Node | string | null)[] {
  return withAddresses.get(list)?.() ?? list.items;
}

function addressesOf<Address>(
  { from, to, lead }: Fold,
  text: string,
  make: (source: string, start: number) => Address,
): Address[] {
  const addresses: Address[] = [];
  for (let line = from; line < to; ) {
    const start = line + lead.length;
    const end = addressEnd(text, start);
    addresses.push(make(text.slice(start, end), start));
    line = lineAfter(text, end);
  }
  return addresses;
}

function nodeOf(source: string, start: number): Node {
  const end = start + source.length;
  return Object.assign(new Scalar(source), { source, type: Scalar.PLAIN, range: [start, end, end] });
}
