/** The guards of calls that no declaration makes: those of an undo, and moves by hand. They come from the current declaration. */
import { mergeByItem, type Problem } from '../../base/diagnostics/problem.ts';
import type { Call } from '../../kinds/seam/call.ts';
import type { Config } from '../declaration/config.ts';
import type { ResourceId } from '../plan/plan.ts';
import { concurrencyKeyOf } from '../plan/planner.ts';
import { problemsOfError } from '../plan/planResource.ts';
import type { Declared } from '../plan/resources.ts';
import type { Session } from '../run/session.ts';

/**
 * Returns the guards of the resource, except those on target zones, since IPs go back to where they were. For a resource that is no
 * longer declared, the resources with the same concurrency key guard: an old run must not move what they protect. If one of them could
 * have made the calls, the resource may have been renamed, and the limits of the new name count them. Guards are checked against the
 * live state before the calls. Problems that are no guards always apply: the live state could not be read.
 */
export async function declaredGuards(
  id: Pick<ResourceId, 'collection' | 'name'>,
  concurrencyKey: string,
  { declared, locate }: Config,
  session: Session,
): Promise<(calls: readonly Call[]) => Problem[]> {
  const others = declared.filter(({ collection }) => collection === id.collection);
  const own = others.find(({ name }) => name === id.name);
  const holders = own ? [own] : others.filter((other) => concurrencyKeyOf(other, session) === concurrencyKey);
  const guardians = await Promise.all(holders.map((each) => guardOf(each, session)));
  return (calls) =>
    guardians.flatMap(({ resource, broken }) => {
      const { collection, name, definition, spec } = resource;
      const { scopes, couldMake } = definition.guards;
      const ownCalls = own ? calls : calls.filter((call) => couldMake(spec, call));
      const problems = [
        ...broken(calls).filter(({ code }) => scopes[code] !== 'planned' && scopes[code] !== 'own'),
        ...broken(ownCalls).filter(({ code }) => scopes[code] === 'own'),
      ];
      return mergeByItem(problems.map((problem) => locate(problem, [collection, name])));
    });
}

interface Guard {
  resource: Declared;
  broken(calls: readonly Call[]): Problem[];
}

async function guardOf(resource: Declared, session: Session): Promise<Guard> {
  const { definition, spec } = resource;
  try {
    const state = await definition.observe(spec, session.contextFor(resource));
    return { resource, broken: (calls) => definition.guards.broken(spec, state, calls) };
  } catch (error) {
    const problems = problemsOfError(error);
    return { resource, broken: () => problems };
  }
}
