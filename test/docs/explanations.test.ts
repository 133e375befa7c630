/** Every test and campaign that docs/evidence/explanations.md names exists, and every explanation has some. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { campaigns } from '../../reliability/campaigns.ts';
import { codeIn, faultsOfTests } from './coverageTable.ts';

const folder = 'docs/explanations';
const pages = [...readdirSync(folder).map((name) => `explanations/${name}`), 'SECURITY.md'];
const [, ...sections] = readFileSync('docs/evidence/explanations.md', 'utf8').split('\n## ');

describe.each(pages)('%s', (name) => {
  const evidence = sections.find((section) => section.includes(`${name})`)) ?? '';
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
});

function hasFigure(text: string, figure: string): boolean {
  return new RegExp(`(?<![\\d,])(?:${figure}|${figure.replaceAll(',', '')})(?![\\d,]*\\d)`).test(text);
}
