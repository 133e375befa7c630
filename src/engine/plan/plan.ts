/** The plan: the changes, calls, notes and problems of each declared resource. All reports are based on it. */
import { formatPath } from '../../base/diagnostics/path.ts';
import type { Location, Problem } from '../../base/diagnostics/problem.ts';
import { callTypeOf, movesOf } from '../../kinds/knownCalls.ts';
import { fromKinds, kinds } from '../../kinds/knownKinds.ts';
import type { Call } from '../../kinds/seam/call.ts';
import type { PropertyChange } from '../../kinds/seam/changes.ts';
import type { ZoneInventory } from '../../kinds/seam/kind.ts';
import type { Note } from '../../kinds/seam/notes.ts';
import { resolvableProblems } from '../../kinds/seam/resolvable.ts';
import type { CausedChange, MutedBy } from '../baseline/causes.ts';
import type { MoveWhy } from '../baseline/whys.ts';

export interface Plan {
  /** The resources, in the order in which they are handled. */
  resources: ResourcePlan[];
}

export interface ResourceId {
  /** `ZoneIpAllocation`. */
  kind: string;
  /** `zoneIpAllocations`. */
  collection: string;
  name: string;
}

type KeyFields = Pick<ResourceId, 'collection' | 'name'>;

/** Returns the key of a resource in a declaration: `zoneIpAllocations.static`. */
export function resourceKey({ collection, name }: KeyFields): string {
  return `${collection}.${name}`;
}

/** Returns the name of a resource in reports: its key, with unusual names in quotes: `zoneIpAllocations["a.b"]`. */
export function resourceTitle({ collection, name }: KeyFields): string {
  return formatPath([collection, name]);
}

export function isSameResource(one: KeyFields, other: KeyFields): boolean {
  return one.collection === other.collection && one.name === other.name;
}

export interface PlanNote extends Note {
  /** The exception that mutes the alarm of a note that counts as drift. */
  muted?: MutedBy | undefined;
}

export interface ResourcePlan extends ResourceId {
  changes: PropertyChange[];
  calls: Call[];
  notes: PlanNote[];
  inventory?: readonly (ZoneInventory & { place?: Location | undefined })[] | undefined;
  /** The location of the declaration. */
  place?: Location | undefined;
  /**
   * The differences between declaration and live state in the terms of the declaration, each with its cause. Absent where nothing was
   * compared with the baseline.
   */
  causes?: readonly CausedChange[] | undefined;
  /** Why the calls move IPs. Absent where nothing was compared with the baseline. */
  whys?: readonly MoveWhy[] | undefined;
  /** The calls that follow from the declaration alone, if they differ from `calls`: those that drift shows. */
  stated?: readonly Call[] | undefined;
  /** Problems that block the calls of this resource, with locations. */
  problems: Problem[];
}

export function hasChanges({ resources }: Plan): boolean {
  return resources.some(({ calls }) => calls.length > 0);
}

/** Returns the number of IPs that the calls of a plan move. */
export function countMoves({ resources }: Plan): number {
  return resources.flatMap(({ calls }) => calls).reduce((sum, call) => sum + movesOf(call).length, 0);
}

export function problemsOf({ resources }: Plan): Problem[] {
  return resources.flatMap(({ problems }) => problems);
}

const guardCodes = fromKinds(() => new Set(kinds.flatMap(({ guards }) => Object.keys(guards.scopes))));

/** Reports whether the problem is a broken guard: it stops calls, and the differences are known nevertheless. */
export function isGuardProblem({ code }: Problem): boolean {
  return guardCodes().has(code);
}

const resolvableCodes = fromKinds(() => new Set(kinds.flatMap((kind) => resolvableProblems.of(kind) ?? [])));

/** Reports whether later declarations or writes of other resources may resolve all of these problems. */
export function mayBeResolved(problems: readonly Problem[]): boolean {
  return problems.length > 0 && problems.every(({ code }) => resolvableCodes().has(code));
}

export function driftIn({ resources }: Plan): Plan {
  return { resources: resources.map(driftOf) };
}

function driftOf(resource: ResourcePlan): ResourcePlan {
  const { calls, stated, changes, causes, problems } = resource;
  const isObserved = (call: Call) => callTypeOf(call).isObserved(call);
  const unseen = calls.filter((call) => !isObserved(call)).flatMap((call) => callTypeOf(call).changes(call));
  const paths = new Set(unseen.map(({ path }) => JSON.stringify(path)));
  const isUnseen = calls.length > 0 && !calls.some(isObserved);
  return {
    ...resource,
    calls: [...(stated ?? calls)].filter(isObserved),
    changes: changes.filter(({ path }) => !paths.has(JSON.stringify(path))),
    ...(causes && { causes: isUnseen ? [] : causes.filter((each) => each.isObserved !== false) }),
    problems: problems.filter((problem) => !isGuardProblem(problem)),
  };
}
