import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { longest } from '../longestFirst.ts';
import { essential, essentialStores } from '../parts.ts';

const root = join(import.meta.dirname, '../..');
const endToEnd = /^test\/(e2e|reliability|bench)\//;
const files = globSync('test/**/*.ts', { cwd: root }).filter((file) => !endToEnd.test(file));

it('unit tests need no build and no browser: they import nothing from the end-to-end tests', () => {
  expect(files.length).toBeGreaterThan(100);
  const offending = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/ from '([^']+)'/g)]
      .map(([, name = '']) => (name.startsWith('.') ? join(dirname(file), name) : name))
      .filter((name) => endToEnd.test(name) || name === 'playwright-core')
      .map((name) => `${file} imports ${name}`),
  );
  expect(offending).toEqual([]);
});

it.each([
  ['longest', longest],
  ['essential', [...essential, ...essentialStores]],
])('the list of the %s test files names files that exist', (_, list) => {
  expect(list.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

it('tests wait with `eventually`, and have no shorter limit of their own', () => {
  const own = /vi\.waitFor\(|\.poll\(.*timeout:|(?:, |\()\{ timeout: \d{1,3}_?\d{3} \}, (?:async )?\(/;
  const offending = globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .some((line) => own.test(line) && !/timeout: [69]00_000/.test(line)),
  );
  expect(offending).toEqual([]);
});

it('CONTRIBUTING.md leads from each promise to test files that exist', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const rows = [...page.matchAll(/^\| ([^|]+) \| (`test\/[^|]+) \|$/gm)];
  const named = rows.flatMap(([, , proof = '']) => proof.split(', ').map((file) => file.replaceAll('`', '')));
  expect(rows.length).toBeGreaterThan(15);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
