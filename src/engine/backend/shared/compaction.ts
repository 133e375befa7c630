/**
 * Moves entries of the log to segments, so that a long history takes few requests. Some entries keep their own objects: a holder that was paused
 * may try to write at the position after its last entry, or to write its last entry again, and must then find what is there.
 */
import type { ObjectStore } from '../store.ts';
import { type Entry, entryKey, parseSegment, type Range, segmentKey, segmentText } from './objects.ts';
import { entriesAfter, type KnownLog, listPositions, listSegments } from './sharedLog.ts';

const segmentCharacters = 256 * 1024;
/** Fewer entries are not worth the requests. */
const fewestEntries = 16;

/**
 * Compacts entries that have no segment yet. Only the holder of the lock calls it, after its last entry. Its own entries, `written`, are not read
 * from the store.
 */
export async function compact(store: ObjectStore, written: readonly Entry[]): Promise<void> {
  const segments = (await listSegments(store)).sort((a, b) => a.last - b.last);
  const last = segments.at(-1);
  const positions = await listPositions(store, last?.last ?? 0);
  if (positions.length < fewestEntries) return;
  const [before, added] = await Promise.all([
    last === undefined ? [] : entriesOfShort(store, last),
    allEntries(store, last?.last ?? 0, { known: written, listed: { segments, positions } }),
  ]);
  const entries = [...before, ...added];
  if (entries.some(({ isDamaged }) => isDamaged)) return;
  const ranges: Range[] = [];
  for (const group of grouped(entries)) {
    const range = rangeOf(group);
    const key = segmentKey(range);
    // Entries never change, so a segment that exists already is the same.
    await store.create(key, segmentText(group));
    ranges.push(range);
  }
  await store.remove([
    ...removable(entries).map(entryKey),
    ...segments.filter((old) => isInside(old, ranges)).map(segmentKey),
  ]);
}

/** Returns the entries of a short segment, which is written again with the entries after it. */
async function entriesOfShort(store: ObjectStore, segment: Range): Promise<Entry[]> {
  const key = segmentKey(segment);
  const text = (await store.read(key))?.text ?? '';
  const isShort = text !== '' && text.length < segmentCharacters;
  return isShort ? parseSegment(segment, text, `${store.address}/${key}`) : [];
}

async function allEntries(store: ObjectStore, after: number, log?: KnownLog): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const group of entriesAfter(store, after, log)) entries.push(...group);
  return entries;
}

function grouped(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    if (characters >= segmentCharacters) {
      groups.push([]);
      characters = 0;
    }
    groups.at(-1)?.push(entry);
    characters += entry.lines.reduce((sum, line) => sum + line.length, 0);
  }
  return groups;
}

function rangeOf(entries: readonly Entry[]): Range {
  return { first: entries[0]?.at ?? 0, last: entries.at(-1)?.at ?? 0 };
}

function isInside({ first, last }: Range, others: readonly Range[]): boolean {
  return others.some((other) => other.first <= first && other.last >= last && other.last - other.first > last - first);
}

/** Returns the entries that no holder can be writing: each was followed by another one of the same holder. */
function removable(entries: readonly Entry[]): number[] {
  return entries.flatMap(({ at, isLock }, index) => {
    const next = entries[index + 1];
    return !isLock && next !== undefined && !next.isLock ? [at] : [];
  });
}
