/** Reports what was detected about the service, as fields of the service profile that pin it. */
import type { InferredProfile } from '../service/inferredProfile.ts';
import { profileYaml } from '../service/profile.ts';
import type { Note, NoteType } from './kind.ts';

export const profileInferred: NoteType = {
  code: 'profile-inferred',
  description: 'A part of the service profile was detected from answers and can be pinned.',
};

export function inferredProfileNote(inferred: InferredProfile | undefined): Note[] {
  if (inferred === undefined || Object.keys(inferred).length === 0) return [];
  const text = `read from the answers of the service; to pin it, add to the declaration: ${profileYaml(inferred)}`;
  return [{ code: 'profile-inferred', text }];
}
