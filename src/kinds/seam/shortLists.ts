/** Lists whose items a declaration may write short, such as ranges of addresses. Specs have the whole lists. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { capability } from './capability.ts';

export interface ShortLists {
  /** Paths of lists from the top of the spec. `*` stands for any key. */
  paths: readonly (readonly string[])[];
  /** Returns the items that a text stands for, or why it cannot. Undefined for a text that is an item itself. */
  expand(text: string): readonly string[] | Problem | undefined;
  /** Returns a short text that `expand` turns into all items from the first to the last one. */
  shorten?(first: string, last: string): string;
  /** JSON Schemas of the short items. */
  schemas: readonly { title: string; type: string; pattern: string; description: string; examples: string[] }[];
}

export const shortLists = capability<ShortLists>();

/** Describes allow lists, whose items may come from files. */
export function entryLists(paths: ShortLists['paths']): ShortLists {
  return {
    paths,
    expand: () => undefined,
    schemas: [],
  };
}
