/** Separates drift from pending changes by comparing the live state with a baseline, the specs that were applied last. */
import type { Call } from './call.ts';
import type { Facts } from './callType.ts';
import { capability } from './capability.ts';
import type { PropertyChange } from './changes.ts';

/** For kinds whose drift cannot be seen from the changes of `diff`. */
interface DriftComparison<Spec = unknown, State = unknown> {
  /**
   * Pure: the differences in the terms of the declaration. By default, the changes of `diff`. Needed for kinds that can meet a declaration
   * in several ways: different IPs may fill a count.
   */
  differences?(spec: Spec, state: State): SpecDifference[];
  /**
   * Pure: the calls that follow from the declaration alone. Drift shows these: a report states facts, and only a plan chooses IPs. By default, those
   * of `diff`.
   */
  stated?(spec: Spec, state: State): Call[];
  /** Returns a sentence for a difference that no such call shows. */
  sentence?(difference: PropertyChange): string | undefined;
  /** Pure: what only the baseline knows later, as the calls of a run that applied the spec leave it. Contexts have it among their facts. */
  facts?(spec: Spec, state: State, calls: readonly Call[]): Facts[];
  /** By default, a baseline keeps the spec itself, and it is compared with the live state as if it were declared. */
  baseline?: BaselineForm<Spec, State>;
}

export const driftComparison = capability<DriftComparison>();

/** A difference between a spec and the live state. The path begins within the spec. */
export interface SpecDifference extends PropertyChange {
  /** Differences with the same subject are compared although their paths differ, such as two zones that declare an IP. */
  subject?: string;
  /** False if reading cannot show whether the difference exists. Such a difference is never drift. */
  isObserved?: boolean;
}

/** The form in which a baseline keeps specs that hold secrets or name files. */
export interface BaselineForm<Spec, State> {
  /** Returns plain JSON without secrets. Undefined if the spec is not complete. */
  keep(spec: Spec, state: State): unknown;
  /** Pure: the differences between a kept spec and the live state. `spec` is the current spec. */
  differences(kept: unknown, spec: Spec, state: State): SpecDifference[];
}
