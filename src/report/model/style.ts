/** The style of a report (colors, width, length of lists), and words that its formats share. */
import { createColors } from 'picocolors';
import { formatNumber } from '../../base/diagnostics/valueWords.ts';
import type { Move } from '../../kinds/seam/move.ts';

export interface TextOptions {
  color: boolean;
  /** The width of the terminal. */
  width?: number | undefined;
  /** Shows every IP, call and note instead of the first few. */
  full?: boolean | undefined;
}

export interface Style {
  paint: ReturnType<typeof createColors>;
  width: number;
  full: boolean;
}

export type Paint = (text: string) => string;

/** Some terminals report a width of zero. */
const leastWidth = 40;

export function styleOf({ color, width = 80, full = false }: TextOptions): Style {
  return { paint: createColors(color), width: Math.max(width, leastWidth), full };
}

/** The style of formats that are not for a terminal. */
export const plainStyle = styleOf({ color: false });

/** Returns the first items of a list and the number of the others, which is never one: the item would need as much room. */
export function shortened<Item>(items: readonly Item[], few: number, { full }: Style): { shown: Item[]; more: number } {
  const shown = full || items.length <= few + 1 ? [...items] : items.slice(0, few);
  return { shown, more: items.length - shown.length };
}

const fewIps = 6;

/** Returns the items with commas, or a semicolon between sentences, without the last of a long list: `192.0.2.10,`, `192.0.2.11`. */
export function listed(items: readonly string[], style: Style, separator: ',' | ';' = ','): string[] {
  const { shown, more } = shortened(items, fewIps, style);
  const all = more > 0 ? [...shown, style.paint.dim(`… and ${formatNumber(more)} more`)] : shown;
  return withCommas(all, separator);
}

/** Returns items of a list, each but the last with a comma. */
export function withCommas(items: readonly string[], separator: ',' | ';' = ','): string[] {
  return items.map((item, index) => (index === items.length - 1 ? item : `${item}${separator}`));
}

/** Lists IPs with their countries. */
export function ipWords(moves: readonly Move[], style: Style): string[] {
  const texts = moves.map(({ ip, country }) => (country === '' ? ip : `${ip} ${country}`));
  return listed(texts, style);
}

/** Separates words from those before them by more than one space. */
export function apart(words: readonly string[]): string[] {
  return words.map((word, index) => (index === 0 ? `  ${word}` : word));
}

/** Groups consecutive items that belong together. */
export function consecutive<Item>(items: readonly Item[], belong: (a: Item, b: Item) => boolean): Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group && last !== undefined && belong(last, item)) group.push(item);
    else groups.push([item]);
  }
  return groups;
}
