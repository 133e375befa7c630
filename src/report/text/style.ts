/** What a text report may use: colours, a width, and whether long lists are shown whole. */
import { createColors } from 'picocolors';

export interface TextOptions {
  color: boolean;
  /** Columns of the terminal. Only lists and notes are broken at it: a heading or the last line stays whole. */
  width?: number | undefined;
  /** Every IP, every call and every note, however many they are. */
  full?: boolean | undefined;
}

export interface Style {
  paint: ReturnType<typeof createColors>;
  width: number;
  full: boolean;
}

export type Paint = (text: string) => string;

/** Some terminals say that they have no columns at all. */
const leastWidth = 40;

export function styleOf({ color, width = 80, full = false }: TextOptions): Style {
  return { paint: createColors(color), width: Math.max(width, leastWidth), full };
}
