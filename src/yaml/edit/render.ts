/** YAML text for new values. Text that looks like a variable is escaped, because `${` begins one in a declaration. */
import { Document, Scalar, stringify, visit } from 'yaml';
import { isMapValue } from '../../values/plain.ts';

const options = { version: '1.2', schema: 'core', lineWidth: 0 } as const;

/** Returns the value in one line; `quotes` is the style of the text that it replaces. */
export function inlineText(value: unknown, quotes: Scalar.Type = Scalar.PLAIN): string {
  const document = new Document([escaped(value)], { version: '1.2', schema: 'core' });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== 'string') return;
      const isQuoted = quotes === Scalar.QUOTE_DOUBLE || quotes === Scalar.QUOTE_SINGLE;
      if (/[\n\r\u0085\u2028\u2029]/.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      else if (isQuoted) node.type = quotes;
    },
    Collection(_, node) {
      node.flow = true;
    },
  });
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false }).trim();
  return text.includes('\n') ? JSON.stringify(escaped(value)) : text.slice(1, -1);
}

/** Returns the lines of a block map with this one entry, or of a block list with this one item. */
export function blockLines(value: Readonly<Record<string, unknown>> | readonly [unknown]): string[] {
  return stringify(escaped(value), options).trimEnd().split('\n');
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
