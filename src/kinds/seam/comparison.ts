/** Separates drift from pending changes by comparing the live state with a baseline, the specs that were applied last. */
import type { Call } from './call.ts';
import type { Facts } from './callType.ts';
import { capability } from './capability.ts';
import type { PropertyChange } from './changes.ts';
import type { Move } from './move.ts';

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
  /** Returns what a difference is about, for reports. By default, they show its path and its values. */
  describe?(difference: PropertyChange): DescribedDifference | undefined;
  /** Pure: returns a function that finds the differences that a move ends. For kinds that move IPs. */
  endedBy?<Difference extends PropertyChange>(
    differences: readonly Difference[],
  ): (move: Move) => readonly Difference[];
  /** Returns true if the IP was in the zone before: the move brings it back. */
  isReturn?(move: Move, state: State): boolean;
  /** Pure: what only the baseline knows later, as the calls of a run that applied the spec leave it. Contexts have it among their facts. */
  facts?(spec: Spec, state: State, calls: readonly Call[]): Facts[];
  /** By default, a baseline keeps the spec itself, and it is compared with the live state as if it were declared. */
  baseline?: BaselineForm<Spec, State>;
}

/** A thing that is in another place than declared, or a number that differs. */
export type DescribedDifference =
  | { is: 'misplaced'; item: string; live: string; declared: string }
  /** `of`: the IPs that are counted, such as those of a country. */
  | { is: 'count'; zone: string; of: { country?: string } | 'undeclared'; live: number; declared: number };

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
