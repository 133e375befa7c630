/** The capability that `webdata drift --accept` needs of a kind. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { capability } from '../../kinds/seam/capability.ts';
import type { Properties } from '../../kinds/seam/kind.ts';

interface Accepting<Spec = unknown, State = unknown> {
  /** Pure: the resource as it would be declared to match the live state. */
  acceptLive(resource: WrittenResource<Spec>, state: State, options: AcceptOptions): LiveDeclaration;
}

export const accepting = capability<Accepting>();

/** A resource as it is in the file, with variables replaced and without defaults, and its parsed spec. */
export interface WrittenResource<Spec> {
  written: Properties;
  spec: Spec;
}

export interface AcceptOptions {
  /** True if unmanaged IPs count as drift. */
  isStrict: boolean;
  /** True if all resources of the declaration are accepted. */
  isWhole: boolean;
}

export interface LiveDeclaration {
  /** Values that match stay as they were written, and lists keep their order. Undefined if the resource does not exist any more. */
  fields: Properties | undefined;
  /** Differences that cannot be declared. Paths begin within the spec. */
  problems?: readonly Problem[];
}
