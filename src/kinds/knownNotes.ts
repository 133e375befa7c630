/** The notes of all kinds, by code: reports ask here how a note counts. */

import { fromKinds, kinds } from './knownKinds.ts';
import type { Note } from './seam/notes.ts';
import { type NoteType, noteTypes } from './seam/noteTypes.ts';

const byCode = fromKinds(
  () =>
    new Map(kinds.flatMap((kind) => (noteTypes.of(kind) ?? []).map((note): [string, NoteType] => [note.code, note]))),
);

/** Returns true if the note is drift that no call would end, such as a schedule that missed a tick. */
export function isUnhealthy({ code }: Pick<Note, 'code'>): boolean {
  return byCode().get(code)?.drift === 'always';
}

/** Returns true if the note is about IPs that no declaration manages. They are drift with `--strict`, and reports list them. */
export function isUnmanaged({ code }: Pick<Note, 'code'>): boolean {
  return byCode().get(code)?.drift === 'strict';
}
