/** The order of test files: the longest first, so that none of them runs alone at the end, or the other way round. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. The others follow in the order of vitest, which knows their earlier runs or their size. */
export const longest = [
  'test/e2e/pulumi/failures.test.ts',
  'test/e2e/faults.test.ts',
  'test/e2e/pulumi/life.test.ts',
  'test/e2e/docs/recipes.test.ts',
  'test/e2e/pulumi/many.test.ts',
  'test/e2e/pulumi/examples.test.ts',
  'test/reliability/crashes.test.ts',
  'test/e2e/pulumi/triggers.test.ts',
  'test/e2e/kill.test.ts',
  'test/e2e/package.test.ts',
  'test/e2e/release.test.ts',
  'test/e2e/pulumi/secrets.test.ts',
  'test/e2e/pulumi/accounts.test.ts',
  'test/reliability/fuzz.test.ts',
  'test/e2e/triggers/page.test.ts',
  'test/e2e/report/page.test.ts',
  'test/reliability/faults.test.ts',
  'test/cli/undo/undo.test.ts',
  'test/e2e/pulumi/package.test.ts',
  'test/e2e/stranger.test.ts',
  'test/cli/planAndApply/allocations.test.ts',
  'test/kinds/conformance.test.ts',
  'test/reliability/secrets.test.ts',
  'test/e2e/secrets.test.ts',
  'test/reliability/soak.test.ts',
  'test/triggers/stores/firing.test.ts',
  'test/triggers/stores/givingUp.test.ts',
  'test/e2e/triggers/chaos.test.ts',
  'test/e2e/commands.test.ts',
  'test/cli/commands/waiting.test.ts',
  'test/e2e/large.test.ts',
  'test/e2e/codeHost/action.test.ts',
  'test/e2e/codeHost/pulumi.test.ts',
  'test/e2e/readsOnly.test.ts',
  'test/reliability/undo.test.ts',
  'test/reliability/races.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    return rest.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

/** For runs that end with the first failure, such as those of a mutation run. */
export class ShortestFirst extends LongestFirst {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toReversed();
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? longest.length : place;
}
