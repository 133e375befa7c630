/** The comments of a text: the library would move and indent them, so they are taken out and put back. */
import { commentsIn } from './edit/comments.ts';
import { type LineToken, lineTokens } from './lineTokens.ts';

/** Comment lines with the blank lines around them, between two lines of content. */
interface CommentBlock {
  lines: readonly string[];
  /** The number of tokens before it. */
  before: number;
}

interface TextWithoutComments {
  text: string;
  blocks: readonly CommentBlock[];
  /** Comments at the end of a line, by the number of tokens before them. */
  beside: ReadonlyMap<number, string>;
}

/** Returns true if a text is empty or has only comments. */
export function hasNoValue(text: string): boolean {
  return lineTokens(text).every(({ name }) => name === '---');
}

/** Takes the comments out, except those in flow collections, and those with one of these numbers of tokens before them. */
export function withoutComments(text: string, staying: ReadonlySet<number>): TextWithoutComments {
  const tokens = lineTokens(text);
  const used = usedLines(tokens);
  const [kept, blocks]: [string[], CommentBlock[]] = [[], []];
  const lines = text.trimEnd().split('\n');
  const beside = commentsBeside(text, tokens, staying);
  for (let [index, before] = [0, 0]; index < lines.length; index += 1) {
    const start = index;
    while (index < lines.length && !used.has(index)) index += 1;
    while ((tokens[before]?.line ?? start) < start) before += 1;
    const free = lines.slice(start, index);
    if (free.every(isBlank) || staying.has(before)) kept.push(...free);
    else blocks.push({ lines: free, before });
    while ((tokens[before]?.line ?? index + 1) <= index) before += 1;
    const comment = beside.get(before);
    if (index < lines.length) kept.push(withoutEnd(lines[index] ?? '', comment));
  }
  // The last line breaks may belong to a block scalar.
  return { text: kept.join('\n') + text.slice(text.trimEnd().length), blocks, beside };
}

function withoutEnd(line: string, end = ''): string {
  return end !== '' && line.endsWith(end) ? line.slice(0, -end.length).trimEnd() : line;
}

function commentsBeside(
  text: string,
  tokens: readonly LineToken[],
  staying: ReadonlySet<number>,
): ReadonlyMap<number, string> {
  const depths = depthsAfter(tokens);
  const byLastLine = new Map(tokens.map(({ lastLine }, index) => [lastLine, index + 1]));
  const lines = text.split('\n');
  const [found, at] = [new Map<number, string>(), { line: 0, offset: 0 }];
  for (const { from, to } of commentsIn(text)) {
    for (; at.offset + (lines[at.line]?.length ?? 0) < from; at.line += 1)
      at.offset += (lines[at.line]?.length ?? 0) + 1;
    const [content, before] = [text.slice(at.offset, from), byLastLine.get(at.line)];
    // The comment of a block scalar is before its text.
    if (before === undefined || depths[before - 1] !== 0 || staying.has(before) || isBlank(content)) continue;
    if (!/[|>][-+\d]*\s*$/.test(content)) found.set(before, text.slice(from, to));
  }
  return found;
}

/** Returns the number of open flow collections after each token. */
function depthsAfter(tokens: readonly LineToken[]): number[] {
  let depth = 0;
  return tokens.map(({ name }) => {
    if (name === '{' || name === '[') depth += 1;
    if (name === '}' || name === ']') depth -= 1;
    return depth;
  });
}

/** Returns the lines that tokens are on, also between the brackets of flow collections. */
function usedLines(tokens: readonly LineToken[]): ReadonlySet<number> {
  const [used, depths] = [new Set<number>(), depthsAfter(tokens)];
  for (const [index, { line, lastLine }] of tokens.entries()) {
    const isInFlow = (depths[index - 1] ?? 0) > 0;
    for (let each = isInFlow ? (tokens[index - 1]?.lastLine ?? line) : line; each <= lastLine; each += 1)
      used.add(each);
  }
  return used;
}

/** A formatted text with its comments, or the numbers of tokens before those that have no place in it. */
type Restored = { text: string } | { lost: readonly number[] };

/** Puts the comments back between the tokens where they were, with the indentation of the formatted content. */
export function withComments(formatted: string, { text, blocks, beside }: TextWithoutComments): Restored {
  const [old, now] = [lineTokens(text), lineTokens(formatted)];
  const isSame = old.length === now.length && old.every(({ name }, index) => name === now[index]?.name);
  if (!isSame) return { lost: [...blocks.map(({ before }) => before), ...beside.keys()] };
  const lines = formatted.trimEnd().split('\n');
  const [inserted, lost] = [new Map<number, readonly string[]>(), [] as number[]];
  for (const [before, comment] of beside) {
    const [{ lastLine = 0 } = {}, next] = [now[before - 1], now[before]];
    if (next !== undefined && next.line <= lastLine) lost.push(before);
    else lines[lastLine] += ` ${comment}`;
  }
  for (const block of blocks) {
    const next = now[block.before];
    const indented = reindented(block, old, now);
    const hasLine = next === undefined || (next.isFirst && !next.isBlockScalar);
    if (hasLine && indented !== undefined) inserted.set(next?.line ?? lines.length, indented);
    else lost.push(block.before);
  }
  return lost.length > 0
    ? { lost }
    : { text: withInserted(lines, inserted) + formatted.slice(formatted.trimEnd().length) };
}

/** Inserts lines before those with these indexes. */
function withInserted(lines: readonly string[], inserted: ReadonlyMap<number, readonly string[]>): string {
  const all = lines.flatMap((line, index) => [...(inserted.get(index) ?? []), line]);
  return [...all, ...(inserted.get(lines.length) ?? [])].join('\n');
}

/** Returns undefined if a block scalar before the comments would swallow them. */
function reindented(block: CommentBlock, old: readonly LineToken[], now: readonly LineToken[]): string[] | undefined {
  const indents = newIndents(block, old, now);
  if (indents === undefined) return undefined;
  const { lines, before } = block;
  const indented = lines.map(
    (line) => ' '.repeat(isBlank(line) ? 0 : (indents.get(indentOf(line)) ?? 0)) + line.trim(),
  );
  const isKept = (line: string, index: number) =>
    line !== '' || (indented[index - 1] ?? (before === 0 ? '' : '#')) !== '';
  const single = indented.filter(isKept);
  return before === old.length && single.at(-1) === '' ? single.slice(0, -1) : single;
}

/** Returns the new indentation for each old one, in the same order. */
function newIndents(
  { lines, before }: CommentBlock,
  old: readonly LineToken[],
  now: readonly LineToken[],
): ReadonlyMap<number, number> | undefined {
  const written = lines.filter((line) => !isBlank(line)).map(indentOf);
  const columns = [...new Set(written)].sort((a, b) => a - b);
  const each = columns.map((column) => newColumn(column, before, old, now));
  const shift = (each[0] ?? 0) - (columns[0] ?? 0);
  const moved = isAscending(each) ? each : columns.map((column) => column + shift);
  // The first comment below a block scalar must be further left than its text.
  const [last, first = 0] = [now[before - 1], written[0]];
  const excess = last?.isBlockScalar ? (moved[columns.indexOf(first)] ?? 0) - last.column + 1 : 0;
  const fitting = moved.map((column, index) =>
    excess > 0 && (columns[index] ?? 0) >= first ? column - excess : column,
  );
  return isAscending(fitting) ? new Map(columns.map((column, index) => [column, fitting[index] ?? 0])) : undefined;
}

function isAscending(columns: readonly number[]): boolean {
  return columns.every((column, index) => column > (columns[index - 1] ?? -1));
}

/** Returns the new column of a comment. It moves with the line below if that has the same column, and with the line that encloses it otherwise. */
function newColumn(column: number, before: number, old: readonly LineToken[], now: readonly LineToken[]): number {
  const shiftOf = (index: number) => (now[index]?.column ?? 0) - (old[index]?.column ?? 0);
  if (old[before]?.column === column) return column + shiftOf(before);
  for (let index = before - 1; index >= 0; index -= 1) {
    const token = old[index];
    if (token?.isLead && token.column <= column) return column + shiftOf(index);
  }
  return Math.max(0, column + shiftOf(before));
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
