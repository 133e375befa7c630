import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longestFirst.ts';

/** Tests that start processes of the built program, a browser, a database or the Pulumi engine. */
const e2e = [
  'test/e2e/**/*.test.ts',
  'test/reliability/**/*.test.ts',
  'test/bench/**/*.test.ts',
  'test/backend/stores/*.test.ts',
];

/** The core: what is tested without commands, servers that run for long, and databases. */
const unit = [
  'diagnostics',
  'files',
  'http',
  'kinds',
  'providers',
  'repository',
  'service',
  'sync',
  'values',
  'yaml',
].map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Loading the sources anew for each file costs a second of processor time, often more than its tests.
    isolate: false,
    // Two workers would leave a part of a small machine idle. Six are hardly faster, and slow down what waits for a certain time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // CI reads its closing line from the second.
    reporters: process.env.CI
      ? ['default', ['json', { outputFile: 'node_modules/.cache/test-results.json' }]]
      : ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: unit,
        },
      },
      {
        extends: true,
        test: {
          name: 'commands',
          include: ['test/**/*.test.ts'],
          exclude: [...unit, ...e2e],
          provide: { stores: ['SQLite'] },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: [...e2e, 'test/triggers/stores/*.test.ts'],
          globalSetup: ['test/globalSetup.ts', 'test/triggers/sharedPostgres.ts'],
          provide: { stores: ['PostgreSQL'] },
        },
      },
    ],
  },
});
