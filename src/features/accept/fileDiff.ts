/** The difference of two versions of a file, in the unified format that `git apply` and `patch` read. */
import { matchItems } from '../../base/yaml/edit/matchItems.ts';

/** Returns an empty text for equal files. */
export function fileDiff(file: string, before: string, after: string): string {
  if (before === after) return '';
  const rows = rowsOf(linesOf(before), linesOf(after));
  const hunks = hunksOf(rows).map(([from, to]) => hunkText(rows, from, to));
  return `--- a/${file}\n+++ b/${file}\n${hunks.join('')}`;
}

interface Row {
  mark: ' ' | '-' | '+';
  /** With its line break, if it has one. */
  line: string;
}

const context = 3;

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function rowsOf(before: readonly string[], after: readonly string[]): Row[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const longest = Math.min(before.length, after.length) - start;
  while (end < longest && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const same = (lines: readonly string[]) => lines.map((line): Row => ({ mark: ' ', line }));
  return [...same(before.slice(0, start)), ...changedRows(old, now), ...same(before.slice(before.length - end))];
}

function changedRows(before: readonly string[], after: readonly string[]): Row[] {
  const rows: Row[] = [];
  let done = 0;
  const removeUpTo = (index: number) => {
    for (; done < index; done += 1) rows.push({ mark: '-', line: before[done] ?? '' });
  };
  let added: Row[] = [];
  for (const [index, match] of matchItems(before, after).entries()) {
    const line = after[index] ?? '';
    if (match < 0) {
      added.push({ mark: '+', line });
      continue;
    }
    removeUpTo(match);
    rows.push(...added, { mark: ' ', line });
    added = [];
    done = match + 1;
  }
  removeUpTo(before.length);
  return [...rows, ...added];
}

/** Returns the ranges of rows to show: changes with their context. */
function hunksOf(rows: readonly Row[]): [number, number][] {
  const hunks: [number, number][] = [];
  for (const [index, { mark }] of rows.entries()) {
    if (mark === ' ') continue;
    const [from, to] = [Math.max(0, index - context), Math.min(rows.length, index + context + 1)];
    const last = hunks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}

function hunkText(rows: readonly Row[], from: number, to: number): string {
  const count = (shown: readonly Row[], other: Row['mark']) => shown.filter(({ mark }) => mark !== other).length;
  const [before, within] = [rows.slice(0, from), rows.slice(from, to)];
  const range = (other: Row['mark']) => {
    const [start, length] = [count(before, other), count(within, other)];
    return `${length === 0 ? start : start + 1},${length}`;
  };
  const lines = within.map(
    ({ mark, line }) => mark + (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`),
  );
  return `@@ -${range('+')} +${range('-')} @@\n${lines.join('')}`;
}
