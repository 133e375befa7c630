/**
 * `npm run mutation -- [FILE or FOLDER…] [--tests FOLDER,…]`: changes the sources one small step at a time and runs the tests that cover the
 * changed code. Lists the changes that no test notices. A run over all default folders takes hours; a second run repeats only what changed.
 */
import { existsSync, globSync, mkdirSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

const sources = ['src/kinds', 'src/sync', 'src/kinds', 'src/triggers/ledger', 'src/triggers/worker'];
const testFolders = ['test/kinds', 'test/sync', 'test/triggers', 'test/cli'];
type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const cache = 'node_modules/.cache/mutation';

const { values, positionals } = parseArgs({
  options: { tests: { type: 'string' }, concurrency: { type: 'string', default: '2' } },
  allowPositionals: true,
});

function patternOf(path: string): string {
  return statSync(path).isDirectory() ? `${path}/**/*.ts` : path;
}

async function mutate(paths: readonly string[]): Promise<MutantResult[]> {
  mkdirSync(cache, { recursive: true });
  return await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    mutate: paths.map(patternOf),
    coverageAnalysis: 'perTest',
    // A change of a constant at the top of a file would need every test.
    ignoreStatic: true,
    incremental: true,
    incrementalFile: `${cache}/results.json`,
    concurrency: Number(values.concurrency),
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 60,
    tempDirName: `${cache}/sandboxes`,
    ignorePatterns: ['reliability/results', '.webdata'],
    reporters: ['progress-append-only'],
    allowEmpty: false,
  }).runMutationTest();
}

function lineOf({ fileName, location, mutatorName, replacement, status }: MutantResult): string {
  const { line, column } = location.start;
  const change = (replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 100);
  const reason = status === 'NoCoverage' ? 'not covered by a test' : 'survived';
  return `${relative('', fileName)}:${line}:${column}  ${mutatorName} -> ${change}  (${reason})`;
}

function report(results: readonly MutantResult[]): void {
  const survivors = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const killed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  for (const survivor of survivors) console.log(lineOf(survivor));
  const tested = killed + survivors.length;
  console.log(`${killed} of ${tested} mutations killed (${((killed / Math.max(tested, 1)) * 100).toFixed(1)} %).`);
}

const paths = positionals.length > 0 ? positionals : sources.filter((path) => existsSync(path));
const missing = paths.filter((path) => globSync(path).length === 0);
if (missing.length > 0) {
  console.error(`no such file or folder: ${missing.join(', ')}`);
  process.exitCode = 1;
} else {
  process.env.MUTATION_TESTS = values.tests ?? testFolders.join();
  report(await mutate(paths));
}
