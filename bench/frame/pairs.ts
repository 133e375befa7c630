/** Runs ours and the floor in turn, so that other load on the machine affects both alike. */
import { counted } from '../../src/base/diagnostics/valueWords.ts';
import type { Ratio, Row } from './benchmark.ts';

/** Runs once, and returns milliseconds or requests per second. */
export type Measurement = () => Promise<number>;

export interface Pairs {
  /** The medians of both sides. */
  ours: number;
  floor: number;
  /** Ours divided by the floor, pair by pair. */
  ratio: Ratio;
  count: number;
}

interface Options {
  /** The number of pairs that count. */
  count?: number;
  /** The number of pairs before them that do not count. */
  warmUps?: number;
}

/** Measures pairs. Each side goes first in every other pair. */
export async function pairs(ours: Measurement, floor: Measurement, options: Options = {}): Promise<Pairs> {
  const measured = await measureInTurn({ ours, floor }, options);
  return pairsOf(measured.ours, measured.floor);
}

/** Measures every side once in each round, in reverse order in every other round. Returns the figures of each side by round. */
export async function measureInTurn<Side extends string>(
  sides: Readonly<Record<Side, Measurement>>,
  { count = 5, warmUps = 1 }: Options = {},
): Promise<Readonly<Record<Side, number[]>>> {
  const names = Object.keys(sides) as Side[];
  const measured = Object.fromEntries(names.map((name): [Side, number[]] => [name, []])) as Record<Side, number[]>;
  for (let round = 0; round < warmUps + count; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const figure = await sides[name]();
      if (round >= warmUps) measured[name].push(figure);
    }
  }
  return measured;
}

/** Compares the figures of two sides round by round. */
export function pairsOf(ours: readonly number[], floor: readonly number[]): Pairs {
  return {
    ours: median(ours),
    floor: median(floor),
    ratio: ratioSpread(ours.map((figure, round) => figure / (floor[round] ?? Number.NaN))),
    count: ours.length,
  };
}

/** The goal for a ratio, as text and as a test. */
export interface Goal {
  text: string;
  isReached(ratio: Ratio): boolean;
  /** Formats the ratio: a peer that takes ten times as long is "10 × faster". */
  displayed(ratio: Ratio): Ratio;
}

/** Returns the goal that our time is at most `limit` times the floor's. */
export function atMost(limit: number): Goal {
  return { text: `≤ ${limit} ×`, isReached: ({ median }) => median <= limit, displayed: (ratio) => ratio };
}

/** Returns the goal that our rate is at least `limit` times the floor's. */
export function atLeast(limit: number): Goal {
  return { text: `≥ ${limit} ×`, isReached: ({ median }) => median >= limit, displayed: (ratio) => ratio };
}

/** Returns the goal that the peer's time is at least `limit` times ours. */
export function timesFaster(limit: number): Goal {
  return {
    text: `≥ ${limit} × faster`,
    isReached: ({ median }) => 1 / median >= limit,
    displayed: ({ median, min, max }) => ({ median: 1 / median, min: 1 / max, max: 1 / min }),
  };
}

/** Returns the row of a comparison; `show` adds the unit to a figure. */
export function compared(what: string, measured: Pairs, goal: Goal, show: (figure: number) => string): Row {
  return {
    what,
    ours: show(measured.ours),
    floor: show(measured.floor),
    ratio: goal.displayed(measured.ratio),
    must: goal.text,
    reached: goal.isReached(measured.ratio),
    ...(measured.count < 5 && { note: counted(measured.count, 'pair') }),
  };
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function ratioSpread(figures: readonly number[]): Ratio {
  return { median: median(figures), min: Math.min(...figures), max: Math.max(...figures) };
}
