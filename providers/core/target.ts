/** A resource as it is planned and written: in its session, with what the state knows. */
import type { Session } from '../../src/engine/doors/front.ts';
import type { Context } from '../../src/kinds/seam/context.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import type { PlanTarget } from './announcements.ts';
import { diffOfKept, withLiveValues } from './ignoredChanges.ts';
import { type ContextOptions, contextFor, kindAndKey, type Resource } from './resource.ts';

/** Compares a resource with the live state, without the properties that it ignores. */
export async function compareResource(resource: Resource, context: Context) {
  const kept = await withLiveValues(resource, context);
  const state = await kept.kind.observe(kept.spec, context);
  return { diff: diffOfKept(kept, state), state };
}

/** Returns a resource as it is planned. Each plan has a context of its own, because the program goes on declaring neighbors. */
export function targetFor(
  session: Session,
  resource: Resource,
  { isNew = false, unseen, ...options }: ContextOptions & Partial<Pick<PlanTarget, 'isNew' | 'unseen'>> = {},
): PlanTarget {
  const context = () => contextFor(session, resource, options);
  const compare = () => compareResource(resource, context());
  return { resource, key: kindAndKey(resource), isNew, unseen, context, compare };
}

/** Drops undefined values, which the engine does not accept. */
export function plain(properties: Properties): Properties {
  return JSON.parse(JSON.stringify(properties));
}
