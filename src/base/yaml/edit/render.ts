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

/** Escapes hidden characters of a text whose scalars with such characters are in double quotes. */
export function withEscapes(yaml: string): string {
  return yaml.replaceAll(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
  });
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/** Returns the value in one line; `quotes` is the style of the text that it replaces. */
export function inlineText(value: unknown, quotes: Scalar.Type = Scalar.PLAIN): string {
  const document = new Document([escaped(value)], options);
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== 'string') return;
      const isQuoted = quotes === Scalar.QUOTE_DOUBLE || quotes === Scalar.QUOTE_SINGLE;
      if (/[\n\r\u0085\u2028\u2029]/.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      else if (isQuoted) node.type = quotes;
      quoteHidden(node);
    },
    Collection(_, node) {
      node.flow = true;
    },
  });
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false }).trim();
  return withEscapes(text.includes('\n') ? JSON.stringify(escaped(value)) : text.slice(1, -1));
}

/** Returns the lines of a block map with this one entry, or of a block list with this one item. */
export function blockLines(value: Readonly<Record<string, unknown>> | readonly [unknown]): string[] {
  return yamlText(escaped(value)).trimEnd().split('\n');
}

export function flowEntry(key: string, value: unknown): string {
  return `${inlineText(key)}: ${inlineText(value)}`;
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(escaped);
  if (!isMapValue(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, escaped(field)]));
}
