/** Counts of equal words. */
import { formatNumber } from '../../base/diagnostics/valueWords.ts';

/** Counts words: `2 moved, 1 stayed`. Returns a single word without its count. */
export function tally(words: readonly string[]): string {
  return bySize(words)
    .map(([word, count]) => (count === words.length ? word : `${formatNumber(count)} ${word}`))
    .join(', ');
}

/** Counts equal words, the most frequent first. */
export function bySize(words: readonly string[]): [string, number][] {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, equalWords]): [string, number] => [
    word,
    equalWords.length,
  ]);
  return counts.sort(([, a], [, b]) => b - a);
}
