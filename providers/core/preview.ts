/**
 * Plans the resources of a preview, in the order of their declaration: the calls that each one needs, with the moves of the resources before it
 * expected. Dynamic providers have no preview call, so this happens during check and diff.
 */

import pLimit from 'p-limit';
import type { FrontName } from '../../src/base/diagnostics/fix.ts';
import type { Problem } from '../../src/base/diagnostics/problem.ts';
import type { FrontRun } from '../../src/engine/doors/run.ts';
import { expectDone, type Session } from '../../src/engine/doors/session.ts';
import type { Call } from '../../src/kinds/seam/call.ts';
import type { Context } from '../../src/kinds/seam/context.ts';
import type { Diff } from '../../src/kinds/seam/kind.ts';
import { type PlanTarget, type Print, takeover, warning } from './announcement.ts';
import type { Announcements } from './announcements.ts';
import { diffOfKept, withLiveValues } from './ignoredChanges.ts';
import { mayBeResolved, problemsFrom } from './problems.ts';
import { kindAndKey, type Resource } from './resource.ts';
import { storedOf } from './stored/table.ts';

export interface PlannedResource {
  /** Undefined if the live state could not be read, or does not show accepted calls yet. */
  diff?: Diff;
  /** The live state, if it could be read. */
  state?: unknown;
  problems: Problem[];
}

export interface Planner {
  /** Plans a declared resource, prints its calls, and expects them in the plans of later resources. */
  announce(target: PlanTarget): Promise<PlannedResource>;
  /** Returns the calls that were planned for other resources. */
  callsBeside(resource: Resource): Call[];
  /** Returns the calls of a resource that was planned. */
  planOf(resource: Resource): Diff | undefined;
  /** Returns true if the resource was planned, and needs no call. */
  isAsDeclared(resource: Resource): boolean;
  /** Returns true once the planning session expects calls: it does not show the live state any more. */
  expectsCalls(): boolean;
}

interface PlannerOptions {
  front: FrontName;
  planning: Session;
  print: Print;
  announcements: Pick<Announcements, 'plan'>;
  run: Pick<FrontRun, 'look' | 'inFlight'>;
}

export function createPlanner({ front, planning, print, announcements, run }: PlannerOptions): Planner {
  const plans = new Map<string, PlannedResource>();
  /** Resources that need what a later resource may release. */
  let waiting: PlanTarget[] = [];

  let expectsCalls = false;

  /** A plan expects the calls of those before it, so no plan begins until the one before has announced them. */
  const oneAtATime = pLimit(1);

  async function plan(target: PlanTarget): Promise<PlannedResource> {
    await run.look();
    const found = await planResource(target.resource, target.context());
    const withheld = run.inFlight.problems(found.diff?.calls ?? [], target.unseen);
    const planned = withheld.length === 0 ? found : { problems: [...found.problems, ...withheld] };
    if (withheld.length > 0) await print(warning(front, target, withheld), 'remark');
    plans.set(kindAndKey(target.resource), planned);
    if (planned.problems.length === 0) {
      for (const call of planned.diff?.calls ?? []) {
        expectDone(call, planning);
        expectsCalls = true;
      }
      await announcements.plan(target, planned.diff);
      const remark = takeoverIn(target, planned);
      if (remark !== undefined) await print(remark, 'remark');
    }
    return planned;
  }

  async function planWaiting(): Promise<void> {
    for (let hasHelped = true; hasHelped && waiting.length > 0; ) {
      const before = waiting;
      waiting = [];
      for (const target of before) if ((await plan(target)).problems.length > 0) waiting.push(target);
      hasHelped = waiting.length < before.length;
    }
  }

  async function announceNext(target: PlanTarget): Promise<PlannedResource> {
    const known = plans.get(kindAndKey(target.resource));
    if (known) return known;
    const planned = await plan(target);
    if (mayBeResolved(planned.problems)) {
      waiting.push(target);
      await print(
        warning(front, target, planned.problems, 'unless a resource that is declared later provides what is missing'),
        'remark',
      );
    }
    await planWaiting();
    return plans.get(kindAndKey(target.resource)) ?? planned;
  }

  return {
    expectsCalls: () => expectsCalls,
    callsBeside: (resource) =>
      [...plans].flatMap(([key, { diff }]) => (key === kindAndKey(resource) ? [] : (diff?.calls ?? []))),
    planOf: (resource) => plans.get(kindAndKey(resource))?.diff,
    isAsDeclared(resource) {
      const { diff, problems = [] } = plans.get(kindAndKey(resource)) ?? {};
      return diff !== undefined && diff.calls.length + problems.length === 0;
    },
    announce: (target) => oneAtATime(() => announceNext(target)),
  };
}

/** The last declaration of a registration has it: another stack, workspace or file would lose it unnoticed. */
function takeoverIn(target: PlanTarget, { diff, state }: PlannedResource): string | undefined {
  const { identity, kind } = target.resource;
  if (!target.isNew || identity === undefined || diff === undefined || storedOf(kind).isGone(state)) return undefined;
  const fields = [...new Set(diff.changes.map(({ path }) => String(path[0])))];
  return fields.length === 0 ? undefined : takeover(target, identity, fields);
}

export async function planResource(resource: Resource, context: Context): Promise<PlannedResource> {
  try {
    const kept = await withLiveValues(resource, context);
    const state = await kept.kind.observe(kept.spec, context);
    const diff = diffOfKept(kept, state);
    return { diff, state, problems: diff.problems };
  } catch (error) {
    return { problems: problemsFrom(error) };
  }
}
