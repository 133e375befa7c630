/** Where a process is killed: at a boundary of its files or of its requests, or at any instant. */
import { readFileSync } from 'node:fs';

export type Point =
  /** The operation on a file, or the commit, of this number: before it, with half of it written, or after it. */
  | { at: 'file'; number: number; how: 'before' | 'half' | 'after'; operation: string }
  /** The changing request of this number: never handed on, handed on when the process is dead, or handed on and not answered. */
  | { at: 'request'; number: number; how: 'lost' | 'late' | 'unanswered' }
  /** So long after it was first heard of. */
  | { at: 'instant'; ms: number };

export function inWords(point: Point): string {
  if (point.at === 'instant') return `${point.ms} ms after it was first heard of`;
  if (point.at === 'request') return `request ${point.number}, ${point.how}`;
  return `operation ${point.number} (${point.operation}), ${point.how}`;
}

/** What stands in CRASH_COUNT after a run to its end, as points. */
export function filePoints(list: string): Point[] {
  const operations = readFileSync(list, 'utf8').trim().split('\n');
  return operations.flatMap((operation, index) => {
    const hows = /append|write/i.test(operation)
      ? (['before', 'half', 'after'] as const)
      : (['before', 'after'] as const);
    return hows.map((how) => ({ at: 'file' as const, number: index + 1, how, operation }));
  });
}

export function requestPoints(requests: number): Point[] {
  return Array.from({ length: requests }, (_, index) =>
    (['lost', 'late', 'unanswered'] as const).map((how) => ({ at: 'request' as const, number: index + 1, how })),
  ).flat();
}

/** Every boundary, once or again and again, in the first half; any instants in the second. */
export function drawn(boundaries: readonly Point[], kills: number, spanMs: number, random: () => number): Point[] {
  const atBoundaries = Math.min(kills, Math.max(boundaries.length, Math.ceil(kills / 2)));
  const first = Array.from({ length: atBoundaries }, (_, index) => boundaries[index % boundaries.length]);
  return [...first.filter((point) => point !== undefined), ...instants(kills - atBoundaries, spanMs, random)];
}

export function instants(kills: number, spanMs: number, random: () => number): Point[] {
  return Array.from({ length: kills }, () => ({ at: 'instant', ms: Math.floor(random() * spanMs) }));
}

/** Some of them, spread over all: for short forms. */
export function spread<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[Math.floor(index * step)]).filter(
    (one) => one !== undefined,
  );
}
