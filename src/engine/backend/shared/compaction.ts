/**
 * Moves entries of the log to segments, so that a long history takes few requests. Some entries keep their own objects: a holder that was paused
 * may try to write at the position after its last entry, or to write its last entry again, and must then find what is there.
 */
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import type { ObjectStore } from '../store.ts';
import { type Entry, entryKey, parseSegment, type Range, segmentKey, segmentText } from './objects.ts';
import { entriesAfter, type KnownLog, listPositions, listSegments } from './sharedLog.ts';

const segmentCharacters = 256 * 1024;
/** Fewer entries are not worth the requests. */
const fewestEntries = 16;
/** A holder that was paused for longer has no connection left on which it could write. */
const longestPauseMs = 24 * 3_600_000;

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

/**
 * Writes all segments again without some lines, and removes entries that were kept for paused holders, once they are old. Only the
 * holder of the lock calls it. @throws ProblemError if the log is damaged
 */
export async function rewrite(store: ObjectStore, isDropped: (text: string) => boolean): Promise<void> {
  const before = await listSegments(store);
  const entries = await allEntries(store, 0);
  const damaged = entries.find(({ isDamaged }) => isDamaged);
  if (damaged !== undefined) throw new ProblemError([damagedLog(store.address, damaged)]);
  const kept = entries.map((entry) => ({ ...entry, lines: entry.lines.filter((line) => !isDropped(line)) }));
  const written: Range[] = [];
  for (const group of grouped(kept)) {
    const range = rangeOf(group);
    await put(store, segmentKey(range), segmentText(group));
    written.push(range);
  }
  const names = new Set(written.map(segmentKey));
  await store.remove(before.map(segmentKey).filter((key) => !names.has(key)));
  await store.remove(removable(entries).map(entryKey));
  await store.remove(await oldEntries(store));
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

/** Returns the keys of old entries, up to the first that is not old. The last entry stays: the next position follows it. */
async function oldEntries(store: ObjectStore): Promise<string[]> {
  const old: string[] = [];
  for (const at of (await listPositions(store, 0)).slice(0, -1)) {
    const key = entryKey(at);
    const found = await store.read(key);
    if (found !== undefined && found.ageMs < longestPauseMs) break;
    old.push(key);
  }
  return old;
}

async function put(store: ObjectStore, key: string, text: string): Promise<void> {
  if ((await store.create(key, text)) !== undefined) return;
  const found = await store.read(key);
  if (found !== undefined && found.text !== text) await store.replace(key, text, found.version);
}

function damagedLog(address: string, { lines: [first = ''] }: Entry) {
  return {
    code: 'damaged-backend',
    found: `the log of ${address} is damaged: ${first}`,
    allowed: 'removing runs from a log that is complete',
    fix: 'restore the objects of the log, for example from earlier versions in the bucket',
  };
}
