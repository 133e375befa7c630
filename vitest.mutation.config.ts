/** The tests that a mutation run repeats: those of the folders in MUTATION_TESTS that run the sources in their own process. */
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** A child process or the build in dist would not see the mutations. */
const usesOtherProcess = /node:child_process|e2e\/process|\.\/terminal|\.\/postgres/;

const folders = (process.env.MUTATION_TESTS ?? '').split(',').filter((folder) => folder !== '');
const files = folders.flatMap((folder) => globSync(`${folder}/**/*.test.ts`));

export default defineConfig({
  test: {
    include: files.filter((file) => !usesOtherProcess.test(readFileSync(file, 'utf8'))),
    testTimeout: 60_000,
  },
});
