/** What to do about a value of the wrong type. */

const MEANT_AS_BOOLEAN = new Map(
  Object.entries({ false: false, no: false, off: false, on: true, true: true, yes: true }),
);

/**
 * @param expected zod's name of the type
 * @param written the scalar as the file has it; undefined where it must not be shown
 */
export function wrongTypeFix(expected: string, value: unknown, written: string | undefined): string | undefined {
  switch (expected) {
    case 'string':
      return isScalar(value) ? withExample('put it in quotes', written && JSON.stringify(written)) : undefined;
    case 'number':
    case 'int':
      return isNumeric(value) ? withExample('remove the quotes', written) : undefined;
    case 'boolean':
      return booleanFix(value);
    case 'array':
      return isScalar(value) ? withExample('write it as a list', written && `[${quoted(written)}]`) : undefined;
    case 'object':
    case 'record':
      return Array.isArray(value) ? 'write `name: value` lines, without `- `' : undefined;
    default:
      return undefined;
  }
}

function withExample(advice: string, example: string | undefined): string {
  return example === undefined ? advice : `${advice}: ${example}`;
}

function booleanFix(value: unknown): string | undefined {
  const meant = typeof value === 'string' ? MEANT_AS_BOOLEAN.get(value.toLowerCase()) : undefined;
  return meant === undefined ? undefined : `write ${meant}, without quotes`;
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
}

/** As an item between brackets, where more than elsewhere has a meaning. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : JSON.stringify(text);
}
