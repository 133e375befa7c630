/** The order of test files: the longest first, so that none of them runs alone at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that took longest in CI, the longest first. Where vitest remembers earlier runs, it orders the others by these. */
const longest = [
  'test/e2e/pulumi/failures.test.ts',
  'test/e2e/pulumi/life.test.ts',
  'test/reliability/crashes.test.ts',
  'test/e2e/pulumi/examples.test.ts',
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
