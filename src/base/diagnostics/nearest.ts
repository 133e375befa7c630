/** Suggestions for misspelled names. */
import { distance } from 'fastest-levenshtein';

/** The share of a name that may be mistyped; beyond it, a suggestion would be a guess. */
const CUTOFF = 0.4;
const SHORTEST_PREFIX = 2;
const SHORTEST_END = 5;
/** The mistakes of a noun in its other number. */
export const otherNumber = 0.25;

/**
 * Returns the candidate nearest to `name`, or undefined if none is near. Ignores case, `_` and `-`, so that `keep_at_least`
 * finds `keepAtLeast`. Two swapped letters count as one mistake; the other number of a noun, a beginning and an end count as less than one.
 * If several candidates are equally near, the first wins.
 */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  mostMistakes = Number.POSITIVE_INFINITY,
): string | undefined {
  const wanted = fold(name);
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const mistakes = mistakesBetween(wanted, fold(candidate));
    if (mistakes >= fewest || mistakes > mostMistakes) continue;
    best = candidate;
    fewest = mistakes;
  }
  return best;
}

/** Returns a fix that suggests the nearest name with at most so many mistakes. */
export function didYouMean(name: string, candidates: Iterable<string>, mostMistakes?: number): string | undefined {
  const near = nearest(name, candidates, mostMistakes);
  return near === undefined ? undefined : `did you mean \`${near}\`?`;
}

function mistakesBetween(a: string, b: string): number {
  const allowed = Math.floor(a.length * CUTOFF);
  if (a === b) return 0;
  if (Math.min(a.length, b.length) >= SHORTEST_PREFIX) {
    if (singular(a) === singular(b)) return otherNumber;
    // The fewer letters are missing, the nearer: `zone` is `zones` rather than `zoneIpAllocation`.
    if (b.startsWith(a) || (a.length >= SHORTEST_END && b.endsWith(a))) return 1 - 1 / (1 + b.length - a.length);
  }
  // The distance is at least the difference in length, which also keeps a megabyte of garbage from being compared.
  if (Math.abs(a.length - b.length) > allowed) return Number.POSITIVE_INFINITY;
  const mistakes = a.length === b.length && sorted(a) === sorted(b) ? 1 : distance(a, b);
  return mistakes <= allowed ? mistakes : Number.POSITIVE_INFINITY;
}

/** Returns the singular of an English noun, or a text that is the same for both numbers. */
function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/s$/, '');
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

function sorted(name: string): string {
  return [...name].sort().join('');
}
