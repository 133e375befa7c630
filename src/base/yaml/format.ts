/**
 * Formats YAML: two spaces of indentation, spaces in flow collections, one kind of list. Keeps every value and every comment. Lines of
 * comments stay where they are, and keep their indentation relative to each other and to the lines around them.
 */
import { isDeepStrictEqual } from 'node:util';
import { parseDocument } from 'yaml';
import { ProblemError } from '../diagnostics/problem.ts';
import { hasNoValue, withComments, withoutComments } from './commentPlaces.ts';
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
  if (hasNoValue(text)) return text;
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

/** The library places comments that have no line of their own in the formatted text. */
function formatOnce(text: string): string {
  const staying = new Set<number>();
  for (;;) {
    const bare = withoutComments(text, staying);
    const restored = withComments(formattedByLibrary(bare.text), bare);
    if ('text' in restored) return restored.text;
    for (const before of restored.lost) staying.add(before);
  }
}

function formattedByLibrary(text: string): string {
  const document = parseDocument(text, { version: '1.2', schema: 'core', merge: true, logLevel: 'silent' });
  return document.toString({ lineWidth: 0, indent: 2, indentSeq: true, flowCollectionPadding: true });
}

function commentTexts(text: string): string[] {
  return commentsIn(text).map(({ from, to }) => text.slice(from, to).trim());
}
