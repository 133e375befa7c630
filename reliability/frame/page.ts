/** docs/reliability.md, made of what the campaigns found and of the defects that they led to. */
import type { Defect } from '../defects.ts';
import type { Count, Table } from './campaign.ts';
import type { Result } from './results.ts';

export function pageOf(results: readonly Result[], defects: readonly Defect[]): string {
  return `# Reliability

What \`webdata\` withstood. Each section is a campaign that tries to break it: the figures were written by the run of the command
under them. All of them play the service with the emulator, whose own log of requests and effects says what really happened.

\`\`\`sh
npm run reliability
npm run reliability -- --short
npm run reliability -- --write
\`\`\`

The first line runs all campaigns at full length, one after the other; the second their short forms, which the tests run too; the
third keeps what the long forms found and makes this page of it. A name or several after \`--\` run only those.

${[...results.map(sectionOf), defectsFound(defects)].join('\n')}`;
}

function sectionOf({ name, about, repeat, counts, failures, skipped = [], tables = [] }: Result): string {
  return [
    `## ${capitalized(name)}`,
    about,
    markdownTable(['what', 'figure'], [...counts, ['failures', failures.length] satisfies Count].map(asText)),
    ...skipped.map((what) => `Skipped: ${what}`),
    ...failures.map((failure) => `Failed: ${failure.split('\n')[0]}`),
    ...tables.map(tableOf),
    `\`\`\`sh\n${repeat}\n\`\`\`\n`,
  ].join('\n\n');
}

function tableOf({ title, heads, rows }: Table): string {
  return `${title}\n\n${markdownTable(heads, rows.map(asText))}`;
}

function defectsFound(defects: readonly Defect[]): string {
  const rows = defects.map(({ found, mended, test }) => [found, mended, `\`${test}\``]);
  return `## Defects found

What was found on the way, and the test that now holds it.

${markdownTable(['found', 'mended', 'test'], rows)}
`;
}

function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escaped).join(' | ')} |`).join('\n');
}

function asText(cells: readonly (string | number)[]): string[] {
  return cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell));
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
