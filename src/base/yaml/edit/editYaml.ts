/**
 * Changes values of a YAML file by the smallest edits of its text: comments, order, quoting, anchors and styles stay. Text that other
 * values share, and values of variables, are not changed.
 */
import { isDeepStrictEqual } from 'node:util';
import { ProblemError } from '../../diagnostics/problem.ts';
import { isMapValue } from '../../values/plain.ts';
import { byteOrderMark } from '../../values/utf8.ts';
import { readYaml } from '../source.ts';
import type { Environment } from '../variables.ts';
import { lostComments } from './comments.ts';
import { Editor, type ValueChange } from './editor.ts';
import { notEditable } from './refusals.ts';

interface EditOptions {
  /** For locations. */
  file: string;
  env: Environment;
}

/** Returns the text with all changes. @throws ProblemError with locations if one of them cannot be made; then none is */
export function editYaml(text: string, changes: readonly ValueChange[], { file, env }: EditOptions): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  let current = text.slice(mark.length);
  // Additions come first, so that a list whose items are all replaced keeps its style.
  for (const phase of ['add', 'remove'] as const) {
    for (let hasMore = true; hasMore; ) {
      const editor = new Editor(current, readYaml(current, file, { env }), phase);
      for (const change of changes) editor.change(change);
      current = editor.applied();
      hasMore = editor.hasMore;
    }
  }
  assertAsIntended(text, mark + current, changes, { file, env });
  return mark + current;
}

/** Every edit is read back: the text must have the new values, and all others and all comments as before. */
function assertAsIntended(
  before: string,
  after: string,
  changes: readonly ValueChange[],
  { file, env }: EditOptions,
): void {
  const old = readYaml(before, file, { env });
  const wanted = changes.reduce((value, change) => withChange(value, change.path, change.value), old.value);
  const fault = faultOf();
  if (fault === undefined) return;
  const [first] = changes;
  const path = [...(first?.path ?? [])];
  throw new ProblemError([{ ...notEditable(fault), path, place: old.locationOf(path) }]);

  function faultOf(): string | undefined {
    try {
      if (!isDeepStrictEqual(readYaml(after, file, { env }).value, wanted)) return 'other values would change with it';
    } catch (error) {
      if (error instanceof ProblemError) return 'the text would not be valid any more';
      throw error;
    }
    return lostComments(before, after).length > 0 ? 'a comment would be lost' : undefined;
  }
}

export function withChange(value: unknown, [key, ...rest]: readonly PropertyKey[], wanted: unknown): unknown {
  if (key === undefined) return wanted;
  const map = isMapValue(value) ? value : {};
  const name = String(key);
  const inner = withChange(Object.hasOwn(map, name) ? map[name] : undefined, rest, wanted);
  const { [name]: _, ...others } = map;
  return inner === undefined ? others : { ...map, [name]: inner };
}
