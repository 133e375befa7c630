/** A plugin of Stryker for `npm run mutation -- --sample N --seed S`: lets N random mutations pass, always the same ones for one seed. */
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

function sampleChecker() {
  const chosen = new Set<string>();
  return {
    init: async () => {},
    // Stryker asks for groups once, with all mutations. There is a single checker process, because `concurrency` is at most 2.
    group: async (mutants: readonly Mutant[]) => {
      const drawn = mutants
        .map((mutant) => ({ id: mutant.id, lot: lotOf(mutant) }))
        .toSorted((a, b) => (a.lot < b.lot ? -1 : 1));
      for (const { id } of drawn.slice(0, Number(process.env.MUTATION_SAMPLE))) chosen.add(id);
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
