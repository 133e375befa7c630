/** As much of a Markdown reader as shows what a text is made of: blocks of code, code spans, tables, and the rest. */

interface Outside {
  /** Every line that is not in a block of code, its code spans taken out. */
  lines: string[];
  /** Cells of each row of each table. */
  tables: string[][][];
}

export function readMarkdown(markdown: string): Outside {
  const raw = withoutBlocks(markdown.split('\n'));
  return { lines: raw.map(readLine), tables: tablesIn(raw) };
}

/** As CommonMark has it: the block ends at a line of nothing but as many backticks, or more. */
function withoutBlocks(lines: readonly string[]): string[] {
  let fence = '';
  return lines.filter((line) => {
    const opened = fence;
    const run = /^ {0,3}(`{3,})[^`]*$/.exec(line)?.[1] ?? '';
    if (opened === '') fence = run;
    else if (run.length >= opened.length && line.trim() === run) fence = '';
    return opened === '' && run === '';
  });
}

function readLine(line: string): string {
  return line.startsWith('|') ? cellsOf(line).join(' | ') : withoutSpans(line);
}

/** Bars end a cell, in a code span or not, but for those with a backslash before them. */
function cellsOf(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => withoutSpans(cell.replaceAll('\\|', '|').trim()));
}

/** A run of backticks ends at the next run of the same length, and is text where there is none. */
function withoutSpans(text: string): string {
  const opening = /(?<!`)(`+)(?!`)/.exec(text);
  const [, run = ''] = opening ?? [];
  if (!opening) return text;
  const before = text.slice(0, opening.index);
  const after = text.slice(opening.index + run.length);
  const closing = new RegExp(`(?<!\`)${run}(?!\`)`).exec(after);
  if (!closing) return `${before}${run}${withoutSpans(after)}`;
  return `${before}${withoutSpans(after.slice(closing.index + run.length))}`;
}

function tablesIn(lines: readonly string[]): string[][][] {
  const tables: string[][][] = [];
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('|')) continue;
    if (!lines[index - 1]?.startsWith('|')) tables.push([]);
    tables.at(-1)?.push(cellsOf(line));
  }
  return tables;
}
