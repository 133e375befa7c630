/** Generates docs/evidence/reliability.md from the results of the campaigns. */
import type { Count, Table } from './campaign.ts';
import type { Result } from './results.ts';

export function reliabilityPage(results: readonly Result[]): string {
  return `# Reliability

The failures that \`webdata\` has been tested against. Each section is a campaign that tries to break it, with the figures of its last
full run and the command to repeat it. Every campaign uses the emulator instead of the service; the emulator logs all requests and their effects,
which shows what really happened.

\`\`\`sh
npm run reliability
npm run reliability -- --short
npm run reliability -- --write
\`\`\`

The first command runs all campaigns at full length, one after the other. The second runs their short forms, which are also part of the tests. The third
also saves the figures and writes this page. Names after \`--\` run only those campaigns.

${results.map(sectionOf).join('\n')}`;
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
