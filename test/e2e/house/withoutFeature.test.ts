/** Each feature can be removed as CONTRIBUTING.md says: the tree without it passes the type check and the tests of what is left. */
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compiler, root } from '../../../scripts/bundle/paths.ts';

const run = promisify(execFile);
const features = await readdir(join(root, 'src/features'));
/** Tests that need no feature. */
const tests = ['test/kinds/schemas.test.ts', 'test/kinds/knownKinds.test.ts'];

describe('the tree', () => {
  let tree: string;

  beforeAll(async () => {
    tree = await mkdtemp(join(tmpdir(), 'webdata-tree-'));
    await copyTree(tree);
    expect(await typeErrors(tree)).toBe('');
  });
  afterAll(() => rm(tree, { recursive: true }));

  it.each(features)('type checks and passes its tests without features/%s', async (feature) => {
    const removed = await removeFeature(tree, feature);
    try {
      expect(await typeErrors(tree)).toBe('');
      const results = await outputOf(tree, join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--no-color', ...tests);
      expect(results).toMatch(/Test Files {2}2 passed \(2\)/);
    } finally {
      for (const [file, text] of removed) await writeFile(join(tree, file), text);
    }
  });
});

/** Copies the files that git lists, with changes that are not committed yet. */
async function copyTree(tree: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  const files = stdout.split('\0').filter((file) => file !== '');
  for (const file of files) await cp(join(root, file), join(tree, file), { force: true, recursive: false });
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
}

/** Runs a program of the pinned versions in the tree. Returns its output, whether it succeeds or not. */
async function outputOf(tree: string, program: string, ...args: string[]): Promise<string> {
  const options = { cwd: tree, maxBuffer: 1e8 };
  return (await run(process.execPath, [program, ...args], options).catch((error: { stdout: string }) => error)).stdout;
}

/** The check of the whole tree, before the first removal, makes the others short. */
function typeErrors(tree: string): Promise<string> {
  return outputOf(tree, compiler, '--incremental', '--tsBuildInfoFile', 'types.tsbuildinfo');
}

const commandLists = ['src/cli/commands.ts', 'reliability/fuzz/targets.ts'];

/** Returns the text of each file that was removed or changed. */
async function removeFeature(tree: string, feature: string): Promise<ReadonlyMap<string, string>> {
  const own = globSync([`src/features/${feature}/**/*.ts`, `test/features/${feature}/**/*.ts`], { cwd: tree });
  const ofCommand = globSync(`test/cli/commands/${feature}.test.ts`, { cwd: tree });
  const uses = new RegExp(`features/${feature}/`);
  const ofOthers = globSync(['src/kinds/**/*.ts', 'reliability/fuzz/targets/*.ts'], { cwd: tree });
  const textOf = (file: string) => readFileSync(join(tree, file), 'utf8');
  const removed = [...own, ...ofCommand, ...ofOthers.filter((file) => uses.test(textOf(file)))];
  const before = new Map([...removed, ...commandLists].map((file) => [file, textOf(file)]));
  for (const file of removed) await rm(join(tree, file));
  for (const file of commandLists) await removeEntries(join(tree, file), removed);
  return before;
}

/** Removes the entries that load a removed file: those of commands, and what a feature adds to another command. */
async function removeEntries(list: string, removed: readonly string[]): Promise<void> {
  const text = await readFile(list, 'utf8');
  const isRemoved = (part: string) => {
    const [, path] = /import\('(?:\.\.\/|\.\/)([^']+)'\)/.exec(part) ?? [];
    return path !== undefined && removed.some((file) => file.endsWith(`/${path}`));
  };
  const additions = /(?<=With\([[{]?\s*)(?:\w+: )?\(await import\('[^']+'\)\)\.\w+,?/g;
  const entries = /^ {2}['\w-]+: \{\n(?: {4}.*\n)+? {2}\},\n|^ {2}['\w-]+: \{ .* \},\n/gm;
  const without = text
    .replace(additions, (addition) => (isRemoved(addition) ? '' : addition))
    .replace(entries, (entry) => (isRemoved(entry.replaceAll(additions, '')) ? '' : entry));
  await writeFile(list, without);
}
