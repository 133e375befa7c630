/** The plan: what every declared resource is, what would be called to make it so, and what stands in the way. All reports are over this. */
import type { Place, Problem } from '../input/problem.ts';
import type { Call } from '../resources/call.ts';
import type { PropertyChange } from '../resources/changes.ts';
import { isAmiss, type Note, type ZoneInventory } from '../resources/kind.ts';

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
  place?: Place | undefined;
  /** Why nothing can be done about this resource, with places in the file. */
  problems: Problem[];
  /** What the calls depend on, by what it is (`zone checkout`, `settings of http://…`): a hash of it as it was read. */
  fingerprints: Record<string, string>;
}

/** Totals of a plan, for its last line and for programs. */
export interface PlanSummary {
  /** Distinct IPs that move. */
  ips: number;
  migrateCalls: number;
  /** Settings that change, each entry of an allow list by itself. */
  settings: number;
  ports: number;
  /** Deliveries and schedules that are registered, or changed there; and that are removed. */
  registrations: number;
  removals: number;
  /** Schedules that missed a tick, or whose last run is unknown. */
  schedulesAmiss: number;
  unmanagedIps: number;
  problems: number;
}

export function summarize({ resources }: Plan): PlanSummary {
  const calls = resources.flatMap((resource) => resource.calls);
  const migrations = calls.filter((call) => call.type === 'migrate');
  const deletions = calls.filter((call) => call.type === 'deletePorts');
  const settings = resources.filter(({ calls: its }) => its.some(({ type }) => type === 'updateSettings'));
  return {
    ips: new Set(migrations.flatMap(({ moves }) => moves.map(({ ip }) => ip))).size,
    migrateCalls: migrations.length,
    settings: settings.flatMap(({ changes }) => changes.filter(({ path }) => path[0] !== 'ports')).length,
    ports: deletions.flatMap(({ ports }) => ports).length,
    registrations: calls.filter(({ type }) => type === 'register').length,
    removals: calls.filter(({ type }) => type === 'unregister').length,
    schedulesAmiss: resources.filter(({ notes }) => notes.some(isAmiss)).length,
    unmanagedIps: resources.flatMap(({ notes }) =>
      notes.flatMap((note) => (note.code === 'unmanaged' ? (note.ips ?? []) : [])),
    ).length,
    problems: resources.flatMap(({ problems }) => problems).length,
  };
}

export function hasChanges({ resources }: Plan): boolean {
  return resources.some(({ calls }) => calls.length > 0);
}

export function problemsOf({ resources }: Plan): Problem[] {
  return resources.flatMap(({ problems }) => problems);
}
