/** Says how to correct a value of the wrong type in YAML. */

/**
 * @param expected zod's name of the type
 * @param written the scalar as it is in the file; undefined if it must not be shown
 */
export function wrongTypeFix(expected: string, value: unknown, written: string | undefined): string | undefined {
  const isText = typeof value === 'string';
  const isScalar = isText || typeof value === 'number' || typeof value === 'boolean';
  switch (expected) {
    case 'string':
      return isScalar ? withExample('put it in quotes', written && JSON.stringify(written)) : undefined;
    case 'number':
    case 'int':
      return isText && value.trim() !== '' && Number.isFinite(Number(value)) ? withoutQuotes(written) : undefined;
    case 'boolean':
      return isText ? booleanFix(value, written) : undefined;
    case 'array':
      return isScalar ? withExample('write it as a list', written && `[${quoted(written)}]`) : undefined;
    case 'object':
    case 'record':
      return Array.isArray(value) ? 'write `name: value` lines, without `- `' : undefined;
    default:
      return undefined;
  }
}

function booleanFix(value: string, written: string | undefined): string | undefined {
  if (!/^(true|yes|on|false|no|off)$/i.test(value)) return undefined;
  const isBoolean = value === 'true' || value === 'false';
  if (isBoolean && written?.includes('${')) return withoutQuotes(written);
  return `write ${/^(true|yes|on)$/i.test(value)}, without quotes`;
}

/** A variable between { } or [ ] needs quotes, and is text with them. */
function withoutQuotes(written: string | undefined): string {
  if (written?.includes('${')) return `give it a line of its own, without quotes: NAME: ${written}`;
  return withExample('remove the quotes', written);
}

function withExample(advice: string, example: string | undefined): string {
  return example === undefined ? advice : `${advice}: ${example}`;
}

/** Quotes an item of `[…]` unless it is plain: more characters have a meaning there than elsewhere. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : JSON.stringify(text);
}
