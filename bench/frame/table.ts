/** The table, for a terminal and as Markdown. */
import type { Ratio, Row } from './benchmark.ts';
import { digits } from './units.ts';

const heads = ['what', 'ours', 'floor or peer', 'ratio (min–max)', 'must reach', 'reached'];

/** Returns aligned columns, with numbered notes below. */
export function tableText(rows: readonly Row[]): string {
  const { cells, notes } = withNotes(rows);
  const all = [heads, ...cells];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines.toSpliced(1, 0, '-'.repeat(lines[0]?.length ?? 0)), '', ...notes].join('\n').trimEnd();
}

export function tableMarkdown(rows: readonly Row[]): string {
  const { cells, notes } = withNotes(rows);
  const lines = [heads, heads.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`);
  return [...lines, '', ...notes.flatMap((note) => [note, ''])].join('\n').trimEnd();
}

function withNotes(rows: readonly Row[]): { cells: string[][]; notes: string[] } {
  const notes: string[] = [];
  const cells = rows.map(({ what, ours, floor, ratio, must, reached, note }) => {
    if (note !== undefined) notes.push(`(${notes.length + 1}) ${note}`);
    const mark = note === undefined ? '' : ` (${notes.length})`;
    const told = { true: 'yes', false: 'no', absent: 'absent' }[`${reached}`];
    return [what + mark, ours, floor, ratio === undefined ? '' : ratioText(ratio), must, told];
  });
  return { cells, notes };
}

function ratioText({ median, min, max }: Ratio): string {
  return `${digits(median)} (${digits(min)}–${digits(max)})`;
}
