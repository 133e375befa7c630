/** Edits of block maps and lists, line by line. A removed line with a comment is turned into a comment, so that no comment is lost. */
import { isMap, type Node } from 'yaml';
import type { Comments } from './comments.ts';
import { contentEnd, endOfEntry, type KeyedValue, type Mapping, type Sequence, startWithProperties } from './nodes.ts';
import { blockLines, type Quotes } from './render.ts';
import type { TextEdits } from './textEdits.ts';

/** Returns false if the text has another form than the edit expects; then nothing was changed. */
export type Done = boolean;

export function addBlockEntry(map: Mapping, key: string, value: unknown, quotes: Quotes, edits: TextEdits): Done {
  const [first] = map.items;
  const end = endOfEntry(map.items.at(-1), edits.text);
  if (first === undefined || end === undefined) return false;
  const indent = ' '.repeat(edits.before(startWithProperties(first.key, edits.text)).length);
  edits.insertLinesBelow(
    end,
    blockLines({ [key]: value }, quotes).map((line) => indent + line),
  );
  return true;
}

/** Removes an entry. `parent` is the key of the map, which gets the value `{}` if it has no other entry. */
export function removeBlockEntry(
  map: Mapping,
  entry: KeyedValue,
  parent: Node | undefined,
  edits: TextEdits,
  comments: Comments,
): Done {
  const start = startWithProperties(entry.key, edits.text);
  const end = endOfEntry(entry, edits.text);
  if (end === undefined || entry.key.range?.[0] !== start) return false;
  if (edits.before(start).trim() === '') {
    if (!isAloneBelow(end, edits, comments)) return false;
    if (map.items.length === 1 && !setEmpty(parent, start, '{}', edits, comments)) return false;
    removeLines(start, end, edits, comments);
    return true;
  }
  // The first entry of a list item is on the line of its dash.
  const next = map.items[map.items.indexOf(entry) + 1];
  const nextStart = next && startWithProperties(next.key, edits.text);
  if (!isDashed(edits.before(start)) || nextStart === undefined || comments.isBetween(start, nextStart)) return false;
  edits.replace(start, nextStart, '');
  return true;
}

/** Inserts items after the one with this index, or before all for -1. */
export function addBlockItems(
  list: Sequence,
  after: number,
  values: readonly unknown[],
  quotes: Quotes,
  edits: TextEdits,
): Done {
  const neighbour = list.items[Math.max(after, 0)];
  const lead = neighbour ? leadOf(neighbour, edits) : undefined;
  if (!neighbour || lead === undefined) return false;
  const lines = values.flatMap((value) => blockLines([value], quotes).map((line) => lead.indent + line));
  if (after >= 0) edits.insertLinesBelow(contentEnd(neighbour, edits.text), lines);
  else edits.insert(lead.line, lines.map((line) => line + edits.newline).join(''));
  return true;
}

/** Removes items. `parent` is the key of the list, which gets the value `[]` if no item is left. */
export function removeBlockItems(
  list: Sequence,
  removed: readonly Node[],
  parent: Node | undefined,
  edits: TextEdits,
  comments: Comments,
): Done {
  const leads = removed.map((item) => leadOf(item, edits));
  const isSimple = removed.every((item, index) => {
    return leads[index] !== undefined && isAloneBelow(contentEnd(item, edits.text), edits, comments);
  });
  const start = leads[0]?.line ?? 0;
  if (!isSimple) return false;
  if (removed.length === list.items.length && !setEmpty(parent, start, '[]', edits, comments)) return false;
  for (const [index, item] of removed.entries()) {
    const lead = leads[index];
    if (lead) removeLines(lead.line + lead.indent.length, contentEnd(item, edits.text), edits, comments);
  }
  return true;
}

/** Returns the indentation of an item that is alone behind its dash, and the start of its line. */
function leadOf(item: Node, edits: TextEdits): { indent: string; line: number } | undefined {
  const first = isMap<Node, Node | null>(item) && item.flow !== true ? item.items[0]?.key : item;
  if (first === undefined) return undefined;
  const start = startWithProperties(first, edits.text);
  const before = edits.before(start);
  return isDashed(before) ? { indent: /^ */.exec(before)?.[0] ?? '', line: edits.lineStart(start) } : undefined;
}

function isDashed(before: string): boolean {
  return /^ *- +$/.test(before);
}

/** Reports whether nothing but a comment follows on the line. */
function isAloneBelow(end: number, edits: TextEdits, comments: Comments): boolean {
  let at = end;
  while (edits.text[at] === ' ' || edits.text[at] === '\t') at += 1;
  const stop = comments.endOf(at) ?? at;
  return edits.text.slice(stop, edits.lineEnd(stop)).trim() === '';
}

/** Writes an empty collection behind the colon of its key. `start` is the start of its content, on a line of its own. */
function setEmpty(parent: Node | undefined, start: number, empty: string, edits: TextEdits, comments: Comments): Done {
  const keyEnd = parent?.range?.[1];
  if (keyEnd === undefined) return false;
  const between = edits.text.slice(keyEnd, Math.min(edits.lineEnd(keyEnd), start));
  const head = /^\s*:(?:[ \t]+[&!][^\s#]*)*/.exec(between)?.[0];
  const at = keyEnd + (head?.length ?? 0);
  if (head === undefined || edits.lineEnd(keyEnd) >= start || !isAloneBelow(at, edits, comments)) return false;
  edits.insert(at, ` ${empty}`);
  return true;
}

/** Removes the lines of a node, or turns them into comments if they have one. */
function removeLines(start: number, end: number, edits: TextEdits, comments: Comments): void {
  const [from, to] = [edits.lineStart(start), edits.nextLine(end)];
  if (!comments.isBetween(from, to)) {
    edits.replace(from, to, '');
    return;
  }
  const indent = start - from;
  for (let line = from; line < to; line = edits.nextLine(line)) {
    const text = edits.text.slice(line, edits.lineEnd(line));
    if (text.trim() !== '' && !text.trimStart().startsWith('#')) edits.insert(line + indent, '# ');
  }
}
