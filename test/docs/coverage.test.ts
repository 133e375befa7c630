/** docs/evidence/coverage.md has a row for every name of the specification, and each row names places and tests that there are. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { codeIn, faultsOf, rowsOf } from './coverageTable.ts';
import { specification } from './specificationNames.ts';
import { titlesIn } from './testTitles.ts';

const rows = rowsOf(await readFile('docs/evidence/coverage.md', 'utf8'));

describe('docs/evidence/coverage.md', () => {
  it('names only places and tests that there are', () => {
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.flatMap(faultsOf)).toEqual([]);
  });

  it.each(Object.entries(specification))('has every name of %s', (section, names) => {
    const said = rows.filter((row) => row.section === section).map(({ cells: [what = ''] }) => what);
    const named = new Set(said.flatMap(codeIn));
    const isThere = (name: string) =>
      named.has(name) || (name.includes(' ') && said.some((what) => what.includes(name)));
    expect(names.filter((name) => !isThere(name))).toEqual([]);
  });

  it('has no section that the list of names does not know', () => {
    expect(new Set(rows.map(({ section }) => section))).toEqual(new Set(Object.keys(specification)));
  });
});

describe('what is not there is found', () => {
  const table = (where: string, test: string) =>
    `# A\n| what | where | test |\n|---|---|---|\n| \`zone\` | ${where} | ${test} |\n`;
  const place = '`src/version.ts › version`';
  const here = 'test/docs/coverage.test.ts › docs/evidence/coverage.md';

  it.each([
    [place, `\`${here} › names only places and tests that there are\``, []],
    [place, `\`${here} › has every name of Zone\``, []],
    ['Nothing: keys are made in the control panel.', '-', []],
    ['', '-', ['line 4: a cell is empty, or one too many']],
    [place, '', ['line 4: a cell is empty, or one too many']],
    [place, '-', ['line 4 (`zone`): no test is named']],
    ['Nothing.', '-', ['line 4 (`zone`): neither a place in src/ nor `Nothing: ` with a reason, and - for the test']],
    ['`src/nowhere.ts`', `\`${here} › has every name of Zone\``, ['line 4 (`zone`): there is no src/nowhere.ts']],
    [
      '`src/version.ts › nothing`',
      `\`${here} › has every name of Zone\``,
      ['line 4 (`zone`): src/version.ts declares no nothing'],
    ],
    [place, '`test/no.test.ts › a`', ['line 4 (`zone`): there is no test file test/no.test.ts']],
    [place, `\`${here}\``, ['line 4 (`zone`): test/docs/coverage.test.ts has no test docs/evidence/coverage.md']],
  ])('%s, %s', (where, test, faults) => {
    expect(rowsOf(table(where, test)).flatMap(faultsOf)).toEqual(faults);
  });

  it('titles are read with the describes around them, whatever they are called on', () => {
    const source = `
      describe('a', () => {
        it('b', () => { check('not a title'); });
        test.each([['x']])('c %s', async () => {});
        describe.each([1])(\`d \${1}\`, () => it.skipIf(true)('e', () => {}));
      });
      test('f', () => {});`;
    expect(titlesIn(source)).toEqual(['a › b', 'a › c %s', `a › d \${1} › e`, 'f']);
  });
});
