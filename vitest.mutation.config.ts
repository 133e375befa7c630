/** The tests that a mutation run repeats: the files and folders in MUTATION_TESTS that start no other process. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ShortestFirst } from './test/longestFirst.ts';

const tests = (process.env.MUTATION_TESTS ?? '').split(',').filter((path) => path !== '');

/** Another process would not see the mutations, and tests that kill processes end the mutation run. */
function startsProcesses(file: string, seen = new Set<string>()): boolean {
  // Database and S3 servers run none of the sources.
  if (seen.has(file) || /(ostgres|moto)\.ts$/.test(file)) return false;
  seen.add(file);
  const code = readFileSync(file, 'utf8');
  if (code.includes("'node:child_process'") || code.includes("'playwright-core'")) return true;
  const imports = Array.from(code.matchAll(/from '(\.[^']+\.ts)'/g), ([, path = '']) => join(dirname(file), path));
  return imports.some((each) => each.startsWith('test/') && startsProcesses(each, seen));
}

export default defineConfig({
  test: {
    include: tests
      .flatMap((path) => (path.endsWith('.ts') ? [path] : globSync(`${path}/**/*.test.ts`)))
      .filter((file) => !startsProcesses(file)),
    globalSetup: ['test/triggers/sharedPostgres.ts'],
    provide: { stores: ['SQLite', 'PostgreSQL'] },
    testTimeout: 60_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { sequencer: ShortestFirst },
  },
});
