import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longestFirst.ts';
import { e2e, essential, essentialStores, stores, unit } from './test/parts.ts';

const servers = {
  globalSetup: ['test/globalSetup.ts', 'test/triggers/sharedPostgres.ts'],
  provide: { stores: ['PostgreSQL'] as const },
};

export default defineConfig({
  test: {
    // Far more than a test takes, because the machine may be busy: only what hangs ends by it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Loading the sources anew for each file costs a second of processor time, often more than its tests.
    isolate: false,
    // Many tests wait more than they compute. On two cores, six workers are hardly faster than four.
    maxWorkers: availableParallelism() + 2,
    setupFiles: ['test/setup.ts'],
    sequence: { sequencer: LongestFirst },
    // `.ci/run` adds up the results of its parts.
    reporters:
      process.env.TEST_RESULTS === undefined
        ? ['default']
        : ['default', ['json', { outputFile: process.env.TEST_RESULTS }]],
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
          name: 'essential',
          include: [...essential, ...essentialStores],
          ...servers,
        },
      },
      {
        extends: true,
        test: {
          name: 'rest',
          include: [...e2e, stores],
          exclude: [...essential, ...essentialStores],
          ...servers,
        },
      },
    ],
  },
});
