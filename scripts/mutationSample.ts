/** A plugin of Stryker for `npm run mutation`: lets given mutations pass, or N random ones, always the same ones for one seed. */
import { createHash } from 'node:crypto';
import { relative } from 'node:path';

interface Mutant {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Position; readonly end: Position };
}
interface Position {
  readonly line: number;
  readonly column: number;
}

/** Hashes what a mutation is, so that changes elsewhere in the code replace few mutations of the sample. */
function lotOf({ fileName, mutatorName, replacement, location }: Mutant): string {
  const what = [
    process.env.MUTATION_SEED,
    relative('', fileName),
    mutatorName,
    replacement,
    location.start,
    location.end,
  ];
  return createHash('sha256').update(JSON.stringify(what)).digest('hex');
}

/** Returns the ids of all mutations in a random order that depends on the seed. */
function drawnFrom(mutants: readonly Mutant[]): string[] {
  return mutants
    .map((mutant) => ({ id: mutant.id, lot: lotOf(mutant) }))
    .toSorted((a, b) => (a.lot < b.lot ? -1 : 1))
    .map(({ id }) => id);
}

function sampleChecker() {
  const chosen = new Set<string>();
  return {
    init: async () => {},
    // Stryker asks for groups once, with all mutations. There is a single checker process, because `concurrency` is at most 2.
    group: async (mutants: readonly Mutant[]) => {
      const { MUTATION_IDS: given, MUTATION_SAMPLE: sample } = process.env;
      const ids = given ? given.split(',') : drawnFrom(mutants).slice(0, Number(sample));
      for (const id of ids) chosen.add(id);
      return [mutants.map(({ id }) => id)];
    },
    check: async (mutants: readonly Mutant[]) =>
      Object.fromEntries(
        mutants.map(({ id }) => [
          id,
          chosen.has(id) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
        ]),
      ),
  };
}

export const strykerPlugins = [
  { kind: 'Checker', name: 'sample', factory: Object.assign(sampleChecker, { inject: [] }) },
];
