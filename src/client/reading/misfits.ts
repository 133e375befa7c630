/** Values of an answer that do not match the specification. They are kept unchanged and listed, and none stops a command. */
import { z } from 'zod';

export interface Misfit {
  /** Path of the value, such as `ips[3].ext.geo_db_2`; the first one of equal misfits. */
  path: string;
  /** The value, redacted and shortened. */
  found: string;
  expected: string;
  /** Number of such values at the same place in the entries of a list. */
  count: number;
}

export type Path = readonly (string | number)[];

/** Collects the misfits of one answer. Those at the same place in the entries of a list are one misfit. */
export class Misfits {
  readonly #byPlace = new Map<string, Misfit>();

  add(path: Path, value: unknown, expected: string): void {
    const place = `${path.map((key) => (typeof key === 'number' ? '*' : key)).join('\n')}\n\n${expected}`;
    const known = this.#byPlace.get(place);
    if (known !== undefined) known.count += 1;
    else if (this.#byPlace.size < mostMisfits) {
      this.#byPlace.set(place, { path: pathText(path), found: shown(value), expected, count: 1 });
    }
  }

  /** Returns the misfits in the order in which they were found. */
  list(): Misfit[] {
    return [...this.#byPlace.values()];
  }
}

/** Maximum number of misfits of one answer. */
const mostMisfits = 100;

/** Returns a readable path; the path of the whole answer is `the answer`. */
export function pathText(path: Path): string {
  return z.core.toDotPath([...path]) || 'the answer';
}

/** Returns a value as an error shows it: JSON on one line, shortened. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null && isLarge(value)) return kindOf(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > mostShown ? `${text.slice(0, mostShown - 1)}…` : text;
}

const mostShown = 80;

function isLarge(value: object): boolean {
  return Object.keys(value).length > 4;
}

function kindOf(value: object): string {
  const { length } = Object.keys(value);
  return Array.isArray(value)
    ? `a list of ${length}`
    : `an object with ${Object.keys(value).slice(0, 4).join(', ')}, …`;
}
