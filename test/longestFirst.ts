/** The order of test files: the longest first, so that none of them runs alone at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. The others follow in the order of vitest, which knows their earlier runs or their size. */
const longest = [
  'test/e2e/faults.test.ts',
  'test/e2e/pulumi/failures.test.ts',
  'test/reliability/crashes.test.ts',
  'test/e2e/pulumi/life.test.ts',
  'test/e2e/pulumi/many.test.ts',
  'test/e2e/pulumi/examples.test.ts',
  'test/e2e/kill.test.ts',
  'test/e2e/pulumi/triggers.test.ts',
  'test/reliability/soak.test.ts',
  'test/e2e/pulumi/package.test.ts',
  'test/e2e/commands.test.ts',
  'test/e2e/pulumi/accounts.test.ts',
  'test/reliability/faults.test.ts',
  'test/triggers/stores/firing.test.ts',
  'test/triggers/stores/givingUp.test.ts',
  'test/e2e/codeHost/pulumi.test.ts',
  'test/reliability/model.test.ts',
  'test/triggers/stores/preparing.test.ts',
  'test/cli/undo.test.ts',
  'test/e2e/cli/receive.test.ts',
  'test/e2e/stranger.test.ts',
  'test/reliability/undo.test.ts',
  'test/cli/allocations.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    return rest.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((file) => moduleId.endsWith(file));
  return place < 0 ? longest.length : place;
}
