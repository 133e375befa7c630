/** Every test and campaign that a page of docs/explanations names as evidence exists. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { campaigns } from '../../reliability/campaigns.ts';
import { codeIn, faultsOfTests } from './coverageTable.ts';

const folder = 'docs/explanations';
const pages = readdirSync(folder).filter((name) => name !== 'README.md');

describe.each(pages)('%s', (name) => {
  const page = readFileSync(join(folder, name), 'utf8');
  const evidence = page.split('\n## Evidence\n')[1] ?? '';
  const rows = evidence.split('\n').filter((line) => /^\| (?!claim)/.test(line));

  it('names tests and campaigns that exist', () => {
    expect(rows.length).toBeGreaterThan(4);
    for (const row of rows) {
      const shownBy = row.split(' | ').at(-1) ?? '';
      const campaign = /^the campaign \[(\w+)\]/.exec(shownBy)?.[1];
      if (campaign === undefined) expect(faultsOfTests(codeIn(shownBy)), row).toEqual([]);
      else expect(Object.keys(campaigns), row).toContain(campaign);
    }
  });

  it('gives figures of campaigns that docs/evidence/reliability.md gives too', () => {
    const recorded = readFileSync('docs/evidence/reliability.md', 'utf8');
    const figures = rows.filter((row) => row.includes('the campaign [')).flatMap((row) => row.match(/\d[\d,]*/g) ?? []);
    expect(figures.filter((figure) => !hasFigure(recorded, figure))).toEqual([]);
  });

  it('is listed', () => {
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(`](${name})`);
  });
});

function hasFigure(text: string, figure: string): boolean {
  return new RegExp(`(?<![\\d,])(?:${figure}|${figure.replaceAll(',', '')})(?![\\d,]*\\d)`).test(text);
}
