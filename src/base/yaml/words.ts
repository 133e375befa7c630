/** Descriptions of the errors of the YAML parser, for people who write YAML: of frequent mistakes, in other words than the parser's. */
import { type Document, isCollection, isScalar, type Node, Scalar, visit, type YAMLError } from 'yaml';

interface SyntaxWords {
  found: string;
  allowed?: string;
  fix: string;
  /** The offset to point at instead of the parser's own position. */
  offset?: number;
}

/** Describes an error. `doc` and `text` locate mistakes that the parser notices far from their cause. */
export function wordsFor(error: YAMLError, doc: Document, text: string): SyntaxWords {
  const offset = error.pos[0];
  const { message } = error;
  if (isUnquotedVariable(error, text)) return unquotedVariable(offset - 1, text);
  if (/^Missing closing ['"]/.test(message)) return unclosedQuote(doc, offset);
  if (/end with a [\]}]/.test(message)) return unclosedBracket(doc, offset, text);
  if (/^Nested mappings/.test(message)) return secondValue(offset, text);
  const special = SPECIAL.find(([pattern]) => pattern.test(message));
  if (special) return special[1];
  const culprit = text.slice(offset, Math.min(error.pos[1], offset + LONGEST_SHOWN)).trimEnd();
  return BY_CODE[error.code]?.(culprit, text.slice(offset, offset + 2)) ?? parserWords(error);
}

/** Returns true for the error at the `{` of a `${NAME}` inside of [ ] or { }. */
export function isUnquotedVariable({ pos: [offset] }: YAMLError, text: string): boolean {
  return text[offset] === '{' && text[offset - 1] === '$';
}

const LONGEST_SHOWN = 40;

function unquotedVariable(offset: number, text: string): SyntaxWords {
  const written = /^\$\{\w+\}/.exec(text.slice(offset, offset + LONGEST_SHOWN))?.[0] ?? `\${NAME}`;
  return {
    found: `\`${written}\` is inside [ ] or { } without quotes, so that YAML reads its { as the start of a map`,
    fix: `put text in quotes: "${written}"; give a number, true or false a line of its own: NAME: ${written}`,
    offset,
  };
}

/** `a: b: c` in one line, or a line indented under `a: b`. */
function secondValue(offset: number, text: string): SyntaxWords {
  const before = /^[^\n]*\n\s*/.exec(text.slice(offset))?.[0] ?? '';
  if (before === '' || /:\s/.test(before)) {
    return {
      found: 'the line has a second `: `',
      fix: `${QUOTE_IT}, or start the inner map on a line of its own, indented`,
    };
  }
  return {
    found: 'the line is indented under a key that already has a value',
    fix: 'start it in the column of that key, or remove the value',
    offset: offset + before.length,
  };
}

function unclosedQuote(doc: Document, end: number): SyntaxWords {
  const isQuoted = (node: Node) =>
    isScalar(node) && (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE);
  return {
    found: 'the quote is never closed',
    fix: 'close it on the line where the text ends',
    ...startOf(doc, end, isQuoted),
  };
}

function unclosedBracket(doc: Document, end: number, text: string): SyntaxWords {
  const start = startOf(doc, end, (node) => isCollection(node) && node.flow === true);
  const opening = text[start.offset ?? end] === '{' ? '{' : '[';
  return {
    found: `\`${opening}\` is never closed`,
    fix: `close it with \`${opening === '[' ? ']' : '}'}\`, and indent its lines more than the key that it belongs to`,
    ...start,
  };
}

/** Returns the start of the innermost matching node that is still open at `end`, where the parser gave up. */
function startOf(doc: Document, end: number, isWanted: (node: Node) => boolean): { offset?: number } {
  let offset: number | undefined;
  visit(doc, {
    Node: (_key, node) => {
      const [start, , stop] = node.range ?? [end, end, end];
      if (isWanted(node) && start < end && end <= stop) offset = start;
    },
  });
  return offset === undefined ? {} : { offset };
}

const QUOTE_IT = 'put the text in quotes';

const NO_COLON: SyntaxWords = {
  found: 'the line is neither `key: value` nor a list item',
  fix: 'write `key: value`, with a space after the colon, or indent it under the key that it belongs to',
};

/** Recognized by the message, because one error code of the parser can mean several mistakes. */
const SPECIAL: readonly [RegExp, SyntaxWords][] = [
  [
    /block sequence may not be used/,
    {
      found: 'the list item is not aligned with the others',
      fix: 'start all `- ` of one list in the same column',
    },
  ],
  [
    /block-seq-ind on same line with key/,
    {
      found: 'the list starts on the line of its key',
      fix: 'start the list on the next line, or write it as [a, b]',
    },
  ],
  [/Implicit (map )?keys (need|of)/, NO_COLON],
];

const BY_CODE: Partial<Record<YAMLError['code'], (culprit: string, firstTwo: string) => SyntaxWords>> = {
  BAD_DQ_ESCAPE: (_, escaped) => ({
    found: `\`${escaped}\` is not an escape in double quotes`,
    fix: "write \\\\ for a backslash, or use single quotes: '…'",
  }),
  BAD_INDENT: () => ({
    found: 'the line is not aligned with its neighbours',
    fix: 'start all entries of one map or list in the same column, with spaces',
  }),
  BAD_SCALAR_START: (culprit) => ({ found: `a value cannot start with \`${culprit.slice(0, 1)}\``, fix: QUOTE_IT }),
  MULTIPLE_DOCS: () => ({
    found: 'the file has a second document',
    allowed: 'one document in each file',
    fix: 'remove this line, or put the second document in a file of its own',
  }),
  RESOURCE_EXHAUSTION: () => ({ found: 'maps and lists are nested too deeply', fix: 'flatten them' }),
  TAB_AS_INDENT: () => ({ found: 'the indentation has a tab', allowed: 'spaces', fix: 'replace the tab by spaces' }),
  TAG_RESOLVE_FAILED: (culprit) => ({
    found: `the tag \`${culprit}\` cannot be used here`,
    fix: `remove it, or ${QUOTE_IT} if the ! belongs to it`,
  }),
  UNEXPECTED_TOKEN: (culprit) => ({
    found: `unexpected \`${culprit}\``,
    fix: `${QUOTE_IT} if it belongs to a value; else remove it or correct the text before it`,
  }),
};

function parserWords(error: YAMLError): SyntaxWords {
  return {
    found: `the text is not valid YAML: ${error.message}`,
    fix: 'correct it, or put the value in quotes if it is text',
  };
}
