/**
 * Changes scalars, items of lists and whole keys of a YAML file by the smallest edits of its text: comments, order and all other lines stay.
 * Every edit is read back. What it does not change exactly is refused with the text to paste.
 */
import { isDeepStrictEqual } from 'node:util';
import { ProblemError } from '../../diagnostics/problem.ts';
import { isMapValue } from '../../values/plain.ts';
import { byteOrderMark } from '../../values/utf8.ts';
import { type ParsedYaml, readYaml } from '../source.ts';
import type { Environment } from '../variables.ts';
import { isOfKey, type NotEditable, textEdits, textStyle, type ValueChange } from './changes.ts';
import { lostComments } from './comments.ts';
import type { Edit } from './items.ts';
import { inlineText } from './render.ts';

interface EditOptions {
  /** For locations. */
  file: string;
  env: Environment;
}

/** Returns the text with all changes. @throws ProblemError with locations if one of them cannot be made; then none is */
export function editYaml(text: string, changes: readonly ValueChange[], { file, env }: EditOptions): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const parsed = readYaml(text, file, { env });
  const values = changes.filter((change) => !isOfKey(parsed, change));
  const keys = changes.filter((change) => isOfKey(parsed, change));
  // Each key by itself, so that the entries beside it are as they were parsed.
  const groups = [values, ...keys.map((change) => [change])].filter((group) => group.length > 0);
  const edited = groups.reduce((current, group) => {
    const source = readYaml(current, file, { env });
    const edits = group.flatMap((change) => {
      const made = textEdits(current, source, change);
      return Array.isArray(made) ? made : refuse(change, parsed, made);
    });
    return applied(current, edits);
  }, text.slice(mark.length));
  const fault = faultOf(edited);
  const [first] = changes;
  if (fault !== undefined && first !== undefined) refuse(first, parsed, { code: 'not-editable', why: fault });
  return mark + edited;

  /** The text must have the new values, and all others and all comments as before. */
  function faultOf(after: string): string | undefined {
    const wanted = changes.reduce((value, change) => withChange(value, change.path, change.value), parsed.value);
    try {
      if (!isDeepStrictEqual(readYaml(after, file, { env }).value, wanted)) return 'other values would change with it';
    } catch (error) {
      if (error instanceof ProblemError) return 'the text would not be valid any more';
      throw error;
    }
    return lostComments(text, after).length > 0 ? 'a comment would be lost' : undefined;
  }
}

/** Edits at one offset apply in the order in which they were made. */
function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, text: inserted } of edits.toSorted((a, b) => a.from - b.from)) {
    parts.push(text.slice(at, from), inserted);
    at = to;
  }
  return parts.join('') + text.slice(at);
}

function refuse(change: ValueChange, parsed: ParsedYaml, { code, why }: NotEditable): never {
  const { path } = change;
  throw new ProblemError([
    {
      code,
      found: `the value cannot be changed by a small edit: ${why}`,
      fix: fixByHand(change, parsed),
      path: [...path],
      place: parsed.locationOf(path),
    },
  ]);
}

/** Returns the edit of a change in words, with the text to paste into the file: JSON in a file of JSON. */
export function fixByHand({ path, value }: ValueChange, { tree }: ParsedYaml): string {
  const key = String(path.at(-1));
  if (value === undefined) return `remove \`${key}\` by hand`;
  return `write ${inlineText({ [key]: value }, textStyle(tree.root)).slice(1, -1)} by hand`;
}

export function withChange(value: unknown, [key, ...rest]: readonly PropertyKey[], wanted: unknown): unknown {
  if (key === undefined) return wanted;
  const map = isMapValue(value) ? value : {};
  const name = String(key);
  const inner = withChange(Object.hasOwn(map, name) ? map[name] : undefined, rest, wanted);
  const { [name]: _, ...others } = map;
  return inner === undefined ? others : { ...map, [name]: inner };
}
