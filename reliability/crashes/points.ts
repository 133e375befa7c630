/** The points at which a process is killed: at a boundary of its files or requests, or at any instant. */
import { readFileSync } from 'node:fs';

export type Point =
  /** The n-th file operation or commit: the process is killed before it, when half of it is written, or after it. */
  | { at: 'file'; number: number; how: 'before' | 'half' | 'after'; operation: string }
  /** The n-th write request: it is never passed on, passed on after the process is dead, or passed on without returning the answer. */
  | { at: 'request'; number: number; how: 'lost' | 'late' | 'unanswered' }
  /** The same for the n-th write to the store of a shared backend. */
  | { at: 'backend'; number: number; how: 'lost' | 'late' | 'unanswered' }
  /** An instant, counted from the first sign of life of the process. */
  | { at: 'instant'; ms: number };

export function pointText(point: Point): string {
  if (point.at === 'instant') return `${point.ms} ms after it was first heard of`;
  if (point.at === 'request') return `request ${point.number}, ${point.how}`;
  if (point.at === 'backend') return `write ${point.number} to the backend, ${point.how}`;
  return `operation ${point.number} (${point.operation}), ${point.how}`;
}

/** Reads the list that a complete run wrote for CRASH_COUNT, as points. */
export function filePoints(list: string): Point[] {
  const operations = readFileSync(list, 'utf8').trim().split('\n');
  return operations.flatMap((operation, index) => {
    const hows = /append|write/i.test(operation)
      ? (['before', 'half', 'after'] as const)
      : (['before', 'after'] as const);
    return hows.map((how) => ({ at: 'file' as const, number: index + 1, how, operation }));
  });
}

export function requestPoints(requests: number, at: 'request' | 'backend' = 'request'): Point[] {
  return Array.from({ length: requests }, (_, index) =>
    (['lost', 'late', 'unanswered'] as const).map((how) => ({ at, number: index + 1, how })),
  ).flat();
}

/** Draws the points: the first half are boundaries, each at least once if possible; the second half are random instants. */
export function drawnPoints(
  boundaries: readonly Point[],
  kills: number,
  spanMs: number,
  random: () => number,
): Point[] {
  const atBoundaries = Math.min(kills, Math.max(boundaries.length, Math.ceil(kills / 2)));
  const first = Array.from({ length: atBoundaries }, (_, index) => boundaries[index % boundaries.length]);
  return [...first.filter((point) => point !== undefined), ...instants(kills - atBoundaries, spanMs, random)];
}

export function instants(kills: number, spanMs: number, random: () => number): Point[] {
  return Array.from({ length: kills }, () => ({ at: 'instant', ms: Math.floor(random() * spanMs) }));
}

/** Returns some of the items, evenly spread, for short forms. */
export function evenlySpread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[Math.floor(index * step)]).filter(
    (one) => one !== undefined,
  );
}
