/** Small parts of sentences that every text report is made of. */
import type { Move } from '../../kinds/zoneIpAllocation/solver/model.ts';
import type { Style } from './style.ts';

/** The first few of a list and how many are left out: never one alone, which takes no less room than it says. */
export function shortened<Item>(items: readonly Item[], few: number, { full }: Style): { shown: Item[]; more: number } {
  const shown = full || items.length <= few + 1 ? [...items] : items.slice(0, few);
  return { shown, more: items.length - shown.length };
}

const fewIps = 6;

/** `192.0.2.10`, `192.0.2.11`, … as one list, and no word of it broken. */
export function listed(items: readonly string[], style: Style): string[] {
  const { shown, more } = shortened(items, fewIps, style);
  const all = more > 0 ? [...shown, style.paint.dim(`… and ${more} more`)] : shown;
  return all.map((item, index) => (index === all.length - 1 ? item : `${item},`));
}

/** IPs with their countries. */
export function ipWords(moves: readonly Move[], style: Style): string[] {
  const texts = moves.map(({ ip, country }) => (country === '' ? ip : `${ip} ${country}`));
  return listed(texts, style);
}

/** Words that stand apart from those before them. */
export function apart(words: readonly string[]): string[] {
  return words.map((word, index) => (index === 0 ? `  ${word}` : word));
}

/** Items in groups of neighbours that belong together. */
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
