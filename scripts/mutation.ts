/**
 * `npm run mutation -- [FILE or FOLDER…] [--tests FILE or FOLDER,…]…`: changes the sources one small step at a time and runs the tests that cover
 * the changed code. Lists the changes that no test notices. Each `--tests` is a stage, which tests only the mutations that survived the stages
 * before it: by default first the unit tests of the sources, which are fast, and then those of the commands and the Pulumi resources. `--last`
 * names the tests of the last stage: by default all of these, and the essential ones, also those that start processes. It takes minutes for each
 * mutation that is left.
 * A run over all default folders takes hours; a second run repeats only what changed, and the later stages.
 * `--sample N --seed S` tests N random mutations, the same for the same seed, and estimates the share of all that the tests notice.
 */
import { existsSync, globSync, mkdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { essential, essentialStores } from '../test/parts.ts';
import { killedInCopy } from './mutationCopy.ts';

const sources = ['src/kinds', 'src/engine', 'src/triggers/ledger', 'src/triggers/worker'];
type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const cache = 'node_modules/.cache/mutation';

const { values, positionals } = parseArgs({
  options: {
    tests: { type: 'string', multiple: true },
    last: { type: 'string' },
    concurrency: { type: 'string', default: '1' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});

function patternOf(path: string): string {
  return statSync(path).isDirectory() ? `${path}/**/*.ts` : path;
}

/** The unit tests are in the same folders as the sources. */
function defaultStages(paths: readonly string[]): string[] {
  const unit = new Set(paths.map((path) => path.split('/').slice(0, 2).join('/').replace('src', 'test')));
  return [[...unit].join(), 'test/cli,test/providers'];
}

/** @param ids the mutations to test: they keep their ids while the sources do not change. By default all, or the sample. */
async function mutate(paths: readonly string[], tests: string, ids?: readonly string[]): Promise<MutantResult[]> {
  const isPart = ids !== undefined || values.sample !== undefined;
  process.env.MUTATION_TESTS = tests;
  process.env.MUTATION_IDS = ids?.join() ?? '';
  mkdirSync(cache, { recursive: true });
  return await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'mutationSample.ts')],
    checkers: isPart ? ['sample'] : [],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    mutate: paths.map(patternOf),
    coverageAnalysis: 'perTest',
    // A change of a constant at the top of a file would need every test.
    ignoreStatic: true,
    // A part would be remembered as the result of all mutations.
    incremental: !isPart,
    incrementalFile: `${cache}/results.json`,
    concurrency: Number(values.concurrency),
    // On a busy machine, a test may take many times as long as in the first run: only an endless loop may end by a timeout.
    timeoutMS: 120_000,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 60,
    tempDirName: `${cache}/sandboxes`,
    ignorePatterns: ['reliability/results', '.webdata'],
    // Stryker would rewrite the file of the project with an older compiler. The copy needs no changes.
    tsconfigFile: '',
    reporters: ['progress-append-only'],
    allowEmpty: false,
  }).runMutationTest();
}

/** Tests the survivors of each stage in the next one, and returns the last result of each mutation. */
async function mutateInStages(
  paths: readonly string[],
  stages: readonly string[],
  last: string,
): Promise<MutantResult[]> {
  let results: MutantResult[] | undefined;
  for (const tests of stages) {
    const survivors = results?.filter(isSurvivor).map(({ id }) => id);
    const latest = survivors?.length === 0 ? [] : await mutate(paths, tests, survivors);
    const byId = new Map(latest.filter(isTested).map((result) => [result.id, result]));
    results = results?.map((result) => byId.get(result.id) ?? result) ?? latest;
    console.log(`After ${tests}: ${shareOf(results.filter(isTested))}.`);
  }
  const survivors = results?.filter(isSurvivor) ?? [];
  // The last stage takes long, and may be stopped.
  for (const survivor of survivors) console.log(lineOf(survivor));
  const killed = survivors.length === 0 ? new Set() : killedInCopy(survivors, last.split(','));
  return (results ?? []).map((result) => (killed.has(result.id) ? { ...result, status: 'Killed' } : result));
}

function isSurvivor({ status }: MutantResult): boolean {
  return status === 'Survived' || status === 'NoCoverage';
}

function isTested(result: MutantResult): boolean {
  return result.status === 'Killed' || result.status === 'Timeout' || isSurvivor(result);
}

function lineOf({ fileName, location, mutatorName, replacement, status }: MutantResult): string {
  const { line, column } = location.start;
  const change = (replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 100);
  const reason = status === 'NoCoverage' ? 'not covered by a test' : 'survived';
  return `${relative('', fileName)}:${line}:${column}  ${mutatorName} -> ${change}  (${reason})`;
}

/** Returns the interval that contains the share of all mutations with a probability of 95 % (Wilson), in per cent. */
function interval(killed: number, tested: number): string {
  const z = 1.96;
  const share = killed / tested;
  const middle = share + z ** 2 / (2 * tested);
  const half = z * Math.sqrt((share * (1 - share)) / tested + (z / (2 * tested)) ** 2);
  return [middle - half, middle + half].map((bound) => ((100 * bound) / (1 + z ** 2 / tested)).toFixed(1)).join(' to ');
}

function shareOf(results: readonly MutantResult[]): string {
  const killed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const timeouts = results.filter(({ status }) => status === 'Timeout').length;
  const tested = results.length;
  const share = `${killed} of ${tested} mutations killed (${((killed / Math.max(tested, 1)) * 100).toFixed(1)} %), ${timeouts} of them by a timeout`;
  return values.sample === undefined ? share : `${share}; of all, 95 % sure: ${interval(killed, tested)} %`;
}

function report(results: readonly MutantResult[], paths: readonly string[]): void {
  const tested = results.filter(isTested);
  for (const result of tested) if (isSurvivor(result)) console.log(lineOf(result));
  for (const path of paths.length > 1 ? paths : []) {
    const inside = tested.filter(({ fileName }) => relative('', fileName).startsWith(path));
    if (inside.length > 0) console.log(`${path}: ${shareOf(inside)}.`);
  }
  console.log(`${shareOf(tested)}.`);
}

const paths = positionals.length > 0 ? positionals : sources.filter((path) => existsSync(path));
const missing = paths.filter((path) => globSync(path).length === 0);
if (missing.length > 0) {
  console.error(`no such file or folder: ${missing.join(', ')}`);
  process.exitCode = 1;
} else {
  process.env.MUTATION_SAMPLE = values.sample;
  process.env.MUTATION_SEED = values.seed;
  const stages = values.tests ?? defaultStages(paths);
  const last = values.last ?? [...stages, ...essential, ...essentialStores].join();
  report(await mutateInStages(paths, stages, last), paths);
}
