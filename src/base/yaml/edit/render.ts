/** YAML text for new values. Text that looks like a variable is escaped, because `${` begins one in a declaration. */
import { Document, Scalar, visit } from 'yaml';
import { isMapValue } from '../../values/plain.ts';

const options = { version: '1.2', schema: 'core' } as const;

/**
 * Returns the value as YAML. Characters that are not visible, such as marks that reverse the direction of text, are escapes: a reviewer must
 * see what a name from a service says.
 */
export function yamlText(value: unknown, lineWidth = 0): string {
  const document = new Document(value, options);
  visit(document, { Scalar: (_, node) => quoteHidden(node) });
  return withEscapes(document.toString({ lineWidth }));
}

/** Line breaks and tabs are not hidden. */
const hidden = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes exist in double quotes only. */
function quoteHidden(node: Scalar): void {
  if (typeof node.value === 'string' && node.value.search(hidden) >= 0) node.type = Scalar.QUOTE_DOUBLE;
}

/** Escapes hidden characters of a text whose scalars with such characters are in double quotes. JSON has no `\U`. */
export function withEscapes(yaml: string, isJson = false): string {
  return yaml.replaceAll(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code <= 0xffff) return `\\u${hex(code, 4)}`;
    return isJson ? [0, 1].map((at) => `\\u${hex(character.charCodeAt(at), 4)}`).join('') : `\\U${hex(code, 8)}`;
  });
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/** Style of new texts: without quotes, in quotes, or as JSON, where keys are in double quotes too and YAML's other escapes are not allowed. */
export type TextStyle = Scalar.Type | 'JSON';

/** Returns the value in one line. */
export function inlineText(value: unknown, style: TextStyle = Scalar.PLAIN): string {
  if (style === 'JSON') return withEscapes(JSON.stringify(escaped(value)), true);
  const document = new Document([escaped(value)], options);
  quoteTexts(document, style);
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && lineBreak.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
    Collection(_, node) {
      node.flow = true;
    },
  });
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false }).trim();
  return withEscapes(text.slice(1, -1));
}

/** Returns the lines of a block map with this one entry, or of a block list with this one item. */
export function blockLines(value: Readonly<Record<string, unknown>> | readonly [unknown], style: TextStyle): string[] {
  const document = new Document(escaped(value), options);
  quoteTexts(document, style);
  return withEscapes(document.toString({ lineWidth: 0 }))
    .trimEnd()
    .split('\n');
}

const lineBreak = /[\n\r\u0085\u2028\u2029]/;

function quoteTexts(document: Document, style: TextStyle): void {
  const isQuoted = style === Scalar.QUOTE_DOUBLE || style === Scalar.QUOTE_SINGLE;
  visit(document, {
    Scalar(role, node) {
      if (typeof node.value !== 'string') return;
      if (isQuoted && role !== 'key' && !lineBreak.test(node.value)) node.type = style;
      quoteHidden(node);
    },
  });
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(escaped);
  if (!isMapValue(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, escaped(field)]));
}
