/** The meanings of the notes of a kind. Reports and the documentation look them up by code. */
import { capability } from './capability.ts';

export interface NoteType {
  code: string;
  /** When it is printed, as one sentence. */
  description: string;
  /** Set if the note counts as drift although no call would end it: always, or with `--strict` only. */
  drift?: 'always' | 'strict';
}

/** The notes that a kind may print. */
export const noteTypes = capability<readonly NoteType[]>();

export const profileInferred: NoteType = {
  code: 'profile-inferred',
  description: 'A part of the service profile was detected from answers and can be pinned.',
};
