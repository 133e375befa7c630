/** The plan: what every declared resource is, what would be called to make it so, and what stands in the way. All reports are over this. */
import { type Location, mergeByCause, type Problem } from '../../diagnostics/problem.ts';
import type { Call } from '../../kinds/call.ts';
import type { PropertyChange } from '../../kinds/changes.ts';
import type { Note, ZoneInventory } from '../../kinds/kind.ts';
import { type CountedTotal, totalsOf } from '../../kinds/knownCalls.ts';
import { isUnhealthy, isUnmanaged } from '../../kinds/knownNotes.ts';

export interface Plan {
  /** In the order in which they would be handled. */
  resources: ResourcePlan[];
}

export interface ResourceId {
  /** `ZoneIpAllocation`. */
  kind: string;
  /** `zoneIpAllocations`. */
  collection: string;
  name: string;
}

export interface ResourcePlan extends ResourceId {
  changes: PropertyChange[];
  calls: Call[];
  notes: Note[];
  inventory?: readonly ZoneInventory[] | undefined;
  /** Where it is declared. */
  place?: Location | undefined;
  /** Why nothing can be done about this resource, with places in the file. */
  problems: Problem[];
  /** What the calls depend on, by what it is (`zone checkout`, `settings of http://…`): a hash of it as it was read. */
  fingerprints: Record<string, string>;
}

/** A plan in numbers, for its last line and for programs. */
export interface PlanSummary {
  /** What the calls change, counted by the types of calls. */
  totals: CountedTotal[];
  /** Schedules that missed a tick, or whose last scheduled run is unknown. */
  schedulesAmiss: number;
  unmanagedIps: number;
  problems: number;
}

export function summarize({ resources }: Plan): PlanSummary {
  return {
    totals: totalsOf(resources.flatMap(({ calls }) => calls)),
    schedulesAmiss: resources.filter(({ notes }) => notes.some(isUnhealthy)).length,
    unmanagedIps: resources.flatMap(({ notes }) => notes.flatMap((note) => (isUnmanaged(note) ? (note.ips ?? []) : [])))
      .length,
    problems: mergeByCause(resources.flatMap(({ problems }) => problems)).length,
  };
}

export function hasChanges({ resources }: Plan): boolean {
  return resources.some(({ calls }) => calls.length > 0);
}

export function problemsOf({ resources }: Plan): Problem[] {
  return resources.flatMap(({ problems }) => problems);
}
