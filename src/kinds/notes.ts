/** Notes for reviewers, and the notes that several kinds print. */
import type { InferredProfile } from '../service/inferredProfile.ts';
import { profileYaml } from '../service/profile.ts';

/** Something that a reviewer should know and that is not a change. */
export interface Note {
  /** The code of a `NoteType` of the kind. */
  code: string;
  text: string;
  /** The IPs that the note is about. */
  ips?: readonly string[];
  /** The part of the spec that the note is about. By default, the whole resource. */
  path?: readonly PropertyKey[];
}

export interface NoteType {
  code: string;
  /** When it is printed, as one sentence. */
  description: string;
  /** Set if the note counts as drift although no call would end it: always, or with `--strict` only. */
  drift?: 'always' | 'strict';
}

export const profileInferred: NoteType = {
  code: 'profile-inferred',
  description: 'A part of the service profile was detected from answers and can be pinned.',
};

export const listFetched: NoteType = {
  code: 'list-fetched',
  description: 'A list of the declaration was fetched by URL or by command, or taken from the plan file.',
};

/** Reports what was detected as fields of the service profile that pin it. */
export function inferredProfileNote(inferred: InferredProfile | undefined): Note[] {
  if (inferred === undefined || Object.keys(inferred).length === 0) return [];
  const text = `read from the answers of the service; to pin it, add to the declaration: ${profileYaml(inferred)}`;
  return [{ code: 'profile-inferred', text }];
}
