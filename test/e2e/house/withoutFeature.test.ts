/** A feature can be removed as CONTRIBUTING.md says: the tree without it still passes the type check and the tests of what is left. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { compiler, root } from '../../../scripts/bundle/paths.ts';

const run = promisify(execFile);
const feature = 'audit';

it(`type checks and passes unit tests without features/${feature}`, async () => {
  const tree = await mkdtemp(join(tmpdir(), 'webdata-tree-'));
  try {
    await copyTree(tree);
    await removeFeature(tree);
    expect(await outputOf(tree, compiler)).toBe('');
    const tests = [
      'test/kinds/schemas.test.ts',
      'test/kinds/knownKinds.test.ts',
      'test/features',
      'test/cli/commands/help.test.ts',
    ];
    const results = await outputOf(tree, join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--no-color', ...tests);
    expect(results).toMatch(/Test Files {2}\d{2,} passed \(\d+\)/);
  } finally {
    await rm(tree, { recursive: true });
  }
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

async function removeFeature(tree: string): Promise<void> {
  const folder = join(tree, 'src/features', feature);
  const kinds = await readFile(join(folder, 'kinds.ts'), 'utf8');
  const provided = [...kinds.matchAll(/^import '(.+)';$/gm)].map(([, file = '']) => join(folder, file));
  expect(provided).not.toEqual([]);
  const tests = [`test/features/${feature}`, `test/cli/commands/${feature}.test.ts`];
  for (const gone of [folder, ...provided, ...tests.map((file) => join(tree, file))]) {
    await rm(gone, { recursive: true, force: true });
  }
  await edit(join(tree, 'src/cli/commands.ts'), new RegExp(`^  ${feature}: \\{\\n(?: {4}.*\\n)+  \\},\\n`, 'm'));
}

/** Removes the only match. */
async function edit(file: string, pattern: RegExp): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(pattern);
  await writeFile(file, text.replace(pattern, ''));
}
