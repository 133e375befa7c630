/** docs/evidence/coverage.md has a row for every name of the specification, and each row names places and tests that there are. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { codeIn, faultsOf, rowsOf } from './coverageTable.ts';
import { specification } from './specificationNames.ts';

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
