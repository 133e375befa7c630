import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/globalSetup.ts', 'test/triggers/sharedPostgres.ts'],
    testTimeout: 60_000,
    // One beside the runner itself would leave half of a small machine idle.
    maxWorkers: 2,
    // CI reads its closing line from the second.
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'node_modules/.cache/test-results.json' }]]
      : ['default'],
  },
});
