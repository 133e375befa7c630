/**
 * Formats YAML: two spaces of indentation, spaces in flow collections, one kind of list. Keeps every value and every comment. Lines of
 * comments move with the content around them, and keep their indentation relative to each other.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isScalar, parseDocument } from 'yaml';
import { ProblemError } from '../diagnostics/problem.ts';
import { commentsIn } from './edit/comments.ts';
import { readYaml } from './source.ts';

/** A few texts are stable only after a second pass. */
const mostPasses = 4;

/** Returns the formatted text; formatting it again changes nothing. @throws ProblemError if the text is not valid, or cannot be formatted safely */
export function formatYaml(written: string, file: string): string {
  const text = written.replaceAll('\r\n', '\n');
  // Git and some editors keep the line ends of Windows: they are no fault of the format.
  const formatted = formattedText(text, file);
  return text === written ? formatted : formatted.replaceAll('\n', '\r\n');
}

function formattedText(text: string, file: string): string {
  const { value } = readYaml(text, file);
  if (!hasValue(parsed(text))) return text;
  let formatted = text;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const next = formatOnce(formatted);
    if (next === formatted) break;
    formatted = next;
  }
  const isSame = isDeepStrictEqual(readYaml(formatted, file).value, value);
  if (isSame && isDeepStrictEqual(commentTexts(formatted), commentTexts(text)) && formatOnce(formatted) === formatted) {
    return formatted;
  }
  throw new ProblemError([
    {
      code: 'not-formatted',
      found: `${file} cannot be formatted without changing a value or a comment`,
      fix: 'format it by hand; comments inside of flow collections are a common cause',
    },
  ]);
}

/** The library writes all lines of a block of comments in one column, and a comment beside a key on a line of its own: so each notes where it was. */
function formatOnce(text: string): string {
  const options = { lineWidth: 0, indent: 2, indentSeq: true, flowCollectionPadding: true };
  const formatted = parsed(withNotes(text)).toString(options);
  return formatted
    .replaceAll(/(?:\n *|(?<=\S) )#\uE001/g, ' #')
    .replaceAll(/^( *)#\uE000(-?\d+)\uE000/gm, (_, indent: string, distance: string) => {
      return `${' '.repeat(Math.max(0, indent.length + Number(distance)))}#`;
    });
}

/** Adds to each comment the distance from the first of its block, or that it is beside a value. The characters are for private use. */
function withNotes(text: string): string {
  const starts = new Set(commentsIn(text).map(({ from }) => from));
  let [offset, first] = [0, undefined as number | undefined];
  const lines = text.split('\n').map((line) => {
    const [column, beside] = [
      line.search(/\S/),
      [...line.matchAll(/#/g)].find(({ index }) => starts.has(offset + index)),
    ];
    offset += line.length + 1;
    if (beside?.index !== column) {
      if (column >= 0) first = undefined;
      return beside === undefined ? line : `${line.slice(0, beside.index)}#\uE001${line.slice(beside.index + 1)}`;
    }
    first ??= column;
    return `${line.slice(0, column)}#\uE000${column - first}\uE000${line.slice(column + 1)}`;
  });
  return lines.join('\n');
}

function parsed(text: string): Document {
  return parseDocument(text, { version: '1.2', schema: 'core', merge: true, logLevel: 'silent' });
}

/** Returns false for a text that is empty or has only comments. */
function hasValue({ contents }: Document): boolean {
  return contents !== null && !(isScalar(contents) && contents.source === '');
}

function commentTexts(text: string): string[] {
  return commentsIn(text).map(({ from, to }) => text.slice(from, to).trim());
}
