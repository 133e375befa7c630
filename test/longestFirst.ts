/** The order of test files: project by project, and the longest first, so that none of them runs alone at the end; or the other way round. */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first. The others follow in the order of vitest, which knows their earlier runs or their size. */
export const longest = [
  'test/e2e/triggers/keepKills.test.ts',
  'test/e2e/faults.test.ts',
  'test/engine/backend/stores/lostBackend.test.ts',
  'test/reliability/crashes.test.ts',
  'test/reliability/backends.test.ts',
  'test/reliability/turns.test.ts',
  'test/engine/backend/stores/namedAccount.test.ts',
  'test/reliability/model.test.ts',
  'test/e2e/house/withoutFeature.test.ts',
  'test/reliability/fuzz.test.ts',
  'test/e2e/triggers/page.test.ts',
  'test/reliability/faults.test.ts',
  'test/reliability/secrets.test.ts',
  'test/reliability/soak.test.ts',
  'test/e2e/pulumi/native/failures.test.ts',
  'test/e2e/docs/recipes.test.ts',
  'test/e2e/docs/pulumi.test.ts',
  'test/e2e/pulumi/typescript.test.ts',
  'test/e2e/pulumi/native/life.test.ts',
  'test/e2e/pulumi/secrets.test.ts',
  'test/e2e/kill.test.ts',
  'test/e2e/pulumi/examples.test.ts',
  'test/e2e/report/page.test.ts',
  'test/e2e/teamDemo.test.ts',
  'test/e2e/terraform/life.test.ts',
  'test/e2e/terraform/configuration.test.ts',
  'test/e2e/terraform/interrupted.test.ts',
  'test/e2e/terraform/import.test.ts',
  'test/e2e/pulumi/native/languages.test.ts',
  'test/e2e/release.test.ts',
  'test/e2e/package.test.ts',
  'test/e2e/stranger.test.ts',
  'test/reliability/undo.test.ts',
  'test/engine/backend/stores/conformance.test.ts',
  'test/cli/planAndApply/serverDown.test.ts',
  'test/kinds/promises.test.ts',
  'test/kinds/conformance.test.ts',
  'test/providers/plugin/hostile.test.ts',
  'test/reliability/races.test.ts',
  'test/reliability/teams.test.ts',
  'test/e2e/triggers/brokenStore.test.ts',
  'test/reliability/servers.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    return rest.toSorted((a, b) => projectOf(a) - projectOf(b) || placeOf(a) - placeOf(b));
  }
}

/** A worker takes the next file only if it is of the same project. Otherwise a new worker starts, and loads the sources anew. */
function projectOf({ project }: TestSpecification): number {
  return ['rest', 'essential', 'commands', 'unit'].indexOf(project.name);
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
