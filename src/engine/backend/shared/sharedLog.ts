/**
 * Reads the log of a shared backend: entries in the order of their positions, from segments where they have been compacted, and from their own
 * objects otherwise. Entries never change, so a reader may run beside a writer and a compaction.
 */
import type { ObjectStore } from '../store.ts';
import {
  type Entry,
  entryKey,
  logPrefix,
  parseEntry,
  parseSegment,
  positionIn,
  type Range,
  rangeIn,
  segmentKey,
  segmentPrefix,
} from './objects.ts';

/** Objects that are read at a time. */
const parallelReads = 16;
const mostRestarts = 5;

/** The known part of a log. Entries never change, so they are not read again. */
export interface KnownLog {
  known?: readonly Entry[] | undefined;
  listed?: Listing | undefined;
}

interface Listing {
  segments: readonly Range[];
  /** The positions of entries that have objects of their own. */
  positions: readonly number[];
}

/** Yields the entries after a position, in groups. */
export async function* entriesAfter(
  store: ObjectStore,
  after: number,
  { known = [], listed: firstListing }: KnownLog = {},
): AsyncGenerator<Entry[]> {
  const inMemory = new Map(known.map((entry) => [entry.at, entry]));
  let [reached, restarts] = [after, 0];
  for (let listing = firstListing; ; listing = undefined) {
    const { segments, positions } = listing ?? (await list(store, reached));
    const listed = new Set(positions);
    let isComplete = true;
    for (let next = nextRead(reached, segments, positions, listed); next !== undefined; ) {
      const entries = await readNext(store, next, inMemory);
      // A compaction may have moved these entries since they were listed.
      if (entries === undefined && restarts < mostRestarts) {
        isComplete = false;
        break;
      }
      const { last } = next;
      yield (entries ?? [missing({ first: reached + 1, last })]).filter(({ at }) => at > reached);
      reached = last;
      next = nextRead(reached, segments, positions, listed);
    }
    if (isComplete) return;
    restarts++;
  }
}

async function list(store: ObjectStore, after: number): Promise<Listing> {
  const [segments, positions] = await Promise.all([listSegments(store), listPositions(store, after)]);
  return { segments, positions };
}

/** One read: a segment, some entries in a row, or a gap in the log. */
interface NextRead extends Range {
  from: 'segment' | 'entries' | 'gap';
}

function nextRead(
  reached: number,
  segments: readonly Range[],
  positions: readonly number[],
  known: ReadonlySet<number>,
): NextRead | undefined {
  const first = reached + 1;
  const covering = segments.filter((range) => range.first <= first && range.last >= first);
  const [segment] = covering.sort((a, b) => b.last - a.last);
  if (segment !== undefined) return { from: 'segment', ...segment };
  if (known.has(first)) {
    let last = first;
    while (known.has(last + 1) && last - first + 1 < parallelReads) last++;
    return { from: 'entries', first, last };
  }
  const later = [...positions, ...segments.map((range) => range.first)].filter((position) => position > first);
  if (later.length === 0) return undefined;
  const next = later.reduce((a, b) => Math.min(a, b));
  // Before the first entry that is left, `history --prune` has removed others.
  if (reached === 0) return nextRead(next - 1, segments, positions, known);
  return { from: 'gap', first, last: next - 1 };
}

/** Returns undefined if an object is gone, and for a gap. */
async function readNext(
  store: ObjectStore,
  { from, ...range }: NextRead,
  inMemory: ReadonlyMap<number, Entry>,
): Promise<Entry[] | undefined> {
  if (from === 'gap') return undefined;
  if (from === 'entries') return readEntries(store, range, inMemory);
  const key = segmentKey(range);
  const found = await store.read(key);
  return found && parseSegment(range, found.text, `${store.address}/${key}`);
}

async function readEntries(
  store: ObjectStore,
  { first, last }: Range,
  inMemory: ReadonlyMap<number, Entry>,
): Promise<Entry[] | undefined> {
  const positions = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const read = await Promise.all(
    positions.map(async (at) => {
      if (inMemory.has(at)) return inMemory.get(at);
      const key = entryKey(at);
      const found = await store.read(key);
      return found && parseEntry(at, found.text, `${store.address}/${key}`);
    }),
  );
  const found = read.filter((entry) => entry !== undefined);
  return found.length === read.length ? found : undefined;
}

/** An entry that stands for lost ones. Its line is damaged on purpose, so that a run around it counts as damaged. */
function missing({ first, last }: Range): Entry {
  const lost = first === last ? `entry ${first}` : `entries ${first} to ${last}`;
  return { at: last, lines: [`${lost} of the log: missing`], isLock: false, isDamaged: true };
}

export async function listSegments(store: ObjectStore): Promise<Range[]> {
  const ranges: Range[] = [];
  for await (const key of store.list(segmentPrefix)) {
    const range = rangeIn(key);
    if (range !== undefined) ranges.push(range);
  }
  return ranges;
}

/** Returns the positions of the entries that have objects of their own. */
export async function listPositions(store: ObjectStore, after: number): Promise<number[]> {
  const positions: number[] = [];
  const options = after > 0 ? { after: entryKey(after) } : {};
  for await (const key of store.list(logPrefix, options)) {
    const position = positionIn(key);
    if (position !== undefined) positions.push(position);
  }
  return positions;
}

/** Returns the position of the last entry, or 0. `hint` is a position that the log has reached. */
export async function headOf(store: ObjectStore, hint: number): Promise<number> {
  const after = await listPositions(store, Math.max(hint - 1, 0));
  if (after.length > 0 || hint <= 1) return Math.max(0, ...after.slice(-1));
  // The hint is wrong, for example after a restore of an older state.
  const [all, segments] = await Promise.all([listPositions(store, 0), listSegments(store)]);
  return Math.max(0, ...all.slice(-1), ...segments.map(({ last }) => last));
}
