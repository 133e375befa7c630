/**
 * Long lists of addresses, parsed as if they had two items. The parser makes tokens and nodes of each item, which is most of the
 * time that a large declaration takes; what stands between the first and the last address of a list can only be more addresses.
 */
import { type Document, isScalar, isSeq, type Node, Scalar, visit, type YAMLSeq } from 'yaml';

/** Lines of one block list, each with one address and no more than a comment after it; those between the first and the last. */
interface Fold {
  /** Where the first address stands, and where the last does. */
  first: number;
  last: number;
  /** What is not shown to the parser: whole lines. */
  from: number;
  to: number;
  /** What each of the lines starts with. */
  lead: string;
}

export interface Folded {
  /** What the parser is shown. */
  text: string;
  /** The document of the whole text, with the nodes and the offsets that `parse` would give it; undefined where it takes a whole parse. */
  document(parse: (text: string) => Document): Document | undefined;
}

export function folded(text: string): Folded {
  const folds = foldsIn(text);
  const shown = without(folds, text);
  return {
    text: shown,
    document(parse) {
      const doc = parse(shown);
      if (folds.length === 0) return doc;
      // What the parser makes of text that is broken may hang on every line of it.
      if (doc.errors.length > 0) return undefined;
      const lists = inPlace(folds, doc);
      // What looks like a list may stand in a text over several lines.
      return unfolded(folds, lists, text) ? doc : undefined;
    },
  };
}

/** A shorter list costs less than its fold. */
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

/** The spaces and the dash that a line starts with. */
function leadOf(text: string, line: number): string | undefined {
  let at = line;
  while (text[at] === ' ') at += 1;
  return text.startsWith('- ', at) ? text.slice(line, at + 2) : undefined;
}

/** Where each of the lines starts that go on as this one does. */
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

/** Four numbers with dots between them are text in every YAML; -1 where there is anything else. */
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

/** Where the next line starts, if nothing but a comment follows on this one; else -1. */
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

/** Moves nodes and warnings from where they stand in the folded text to where they stand in the whole one. Returns the block lists. */
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

/** Of those in ascending order; -1 where all are greater. */
function lastAtMost(cuts: readonly { at: number }[], offset: number): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cuts[middle]?.at ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Gives every list its addresses back; false where a fold was not of a list. */
function unfolded(folds: readonly Fold[], lists: readonly List[], text: string): boolean {
  const waiting = new Map(folds.map((fold) => [fold.first, fold]));
  for (const list of lists) unfold(list, waiting, text);
  return waiting.size === 0;
}

function unfold(list: List, waiting: Map<number, Fold>, text: string): void {
  list.items = list.items.flatMap((item, index) => {
    const fold = isScalar(item) && item.range ? waiting.get(item.range[0]) : undefined;
    if (fold === undefined || list.items[index + 1]?.range?.[0] !== fold.last) return [item];
    waiting.delete(fold.first);
    return [item, ...addressesOf(fold, text)];
  });
}

function addressesOf({ from, to, lead }: Fold, text: string): Node[] {
  const nodes: Node[] = [];
  for (let line = from; line < to; line = lineAfter(text, line)) {
    const start = line + lead.length;
    const end = addressEnd(text, start);
    const source = text.slice(start, end);
    const node = new Scalar(source);
    Object.assign(node, { source, type: Scalar.PLAIN, range: [start, end, end] });
    nodes.push(node);
  }
  return nodes;
}
