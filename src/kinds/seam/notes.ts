/** Notes for reviewers. */
import type { InferredProfile } from '../../client/inferredProfile.ts';
import { profileYaml } from '../../client/profile.ts';

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

/** Reports what was detected as fields of the service profile that pin it. */
export function inferredProfileNote(inferred: InferredProfile | undefined): Note[] {
  if (inferred === undefined || Object.keys(inferred).length === 0) return [];
  const text = `read from the answers of the service; to pin it, add to the declaration: ${profileYaml(inferred)}`;
  return [{ code: 'profile-inferred', text }];
}
