/** Resources that are registered under an owner, and may therefore be live without being declared. */
import { capability } from './capability.ts';
import type { Context } from './context.ts';
import type { Diff } from './kind.ts';
import type { Note } from './notes.ts';

export interface OwnedResources<Spec = unknown> {
  /** The spec with salted hashes in place of its secrets, for plan files. */
  seal(spec: Spec): unknown;
  /** Replaces secrets by words: equal secrets get equal words on both sides. */
  comparable(spec: Spec, sealed: unknown): { declared: unknown; sealed: unknown };
  /** All that the owner has registered. @throws ServiceError */
  registered(owner: string, context: Context<Spec>): Promise<OwnedResource[]>;
}

export const ownership = capability<OwnedResources>();

export interface OwnedResource {
  name: string;
  /** Printed if the resource is not declared and stays. */
  note: Note;
  removal: Diff;
}
