/** Runs ours and the floor in turn, so that other load on the machine affects both alike. */
import type { Ratio, Row } from './benchmark.ts';

/** One run, as a figure: milliseconds, or requests a second. */
export type Measurement = () => Promise<number>;

export interface Pairs {
  /** Medians. */
  ours: number;
  floor: number;
  /** Ours / floor, pair by pair. */
  ratio: Ratio;
  count: number;
}

interface Options {
  /** Pairs that count. */
  count?: number;
  /** Pairs before them that do not. */
  warmUps?: number;
}

/** Each goes first in every other pair. */
export async function pairs(ours: Measurement, floor: Measurement, options: Options = {}): Promise<Pairs> {
  const { count = 5, warmUps = 1 } = options;
  const measured: { ours: number; floor: number }[] = [];
  for (let round = 0; round < warmUps + count; round += 1) {
    const first = round % 2 === 0 ? await ours() : undefined;
    const second = await floor();
    const pair = { ours: first ?? (await ours()), floor: second };
    if (round >= warmUps) measured.push(pair);
  }
  return {
    ours: median(measured.map((pair) => pair.ours)),
    floor: median(measured.map((pair) => pair.floor)),
    ratio: spread(measured.map((pair) => pair.ours / pair.floor)),
    count,
  };
}

/** The goal for a ratio, as text and as a test. */
export interface Goal {
  text: string;
  isReached(ratio: Ratio): boolean;
  /** Formats the ratio: a peer that takes ten times as long is "10 × faster". */
  told(ratio: Ratio): Ratio;
}

/** Of times: ours is at most so many times the floor's. */
export function atMost(limit: number): Goal {
  return { text: `≤ ${limit} ×`, isReached: ({ median }) => median <= limit, told: (ratio) => ratio };
}

/** Of rates: ours is at least so many times the floor's. */
export function atLeast(limit: number): Goal {
  return { text: `≥ ${limit} ×`, isReached: ({ median }) => median >= limit, told: (ratio) => ratio };
}

/** Of times: the peer's is at least so many times ours. */
export function timesFaster(limit: number): Goal {
  return {
    text: `≥ ${limit} × faster`,
    isReached: ({ median }) => 1 / median >= limit,
    told: ({ median, min, max }) => ({ median: 1 / median, min: 1 / max, max: 1 / min }),
  };
}

/** The row of a comparison; `show` gives a figure its unit. */
export function compared(what: string, measured: Pairs, goal: Goal, show: (figure: number) => string): Row {
  return {
    what,
    ours: show(measured.ours),
    floor: show(measured.floor),
    ratio: goal.told(measured.ratio),
    must: goal.text,
    reached: goal.isReached(measured.ratio),
    ...(measured.count < 5 && { note: `${measured.count} pairs` }),
  };
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function spread(figures: readonly number[]): Ratio {
  return { median: median(figures), min: Math.min(...figures), max: Math.max(...figures) };
}
