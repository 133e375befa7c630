/** The guards of an undo: those of the current declaration, whatever was declared when the run was made. */
import type { Problem } from '../input/problem.ts';
import type { Call } from '../resources/call.ts';
import type { Config, Declared } from './config.ts';
import type { ResourceId } from './plan.ts';
import { concurrencyKeyOf, problemsFrom } from './planner.ts';
import type { Session } from './session.ts';

/**
 * A declaration that still stands guards its own calls, but for where IPs may go: they go back to where they were. One that was
 * taken away is stood in for by those that share its concurrencyKey: what these protect is not to be moved by an old run either. Guards
 * are held against the account as it is before the calls.
 */
export async function undoGuards(
  id: Pick<ResourceId, 'collection' | 'name'>,
  concurrencyKey: string,
  { declared, locate }: Config,
  session: Session,
): Promise<(calls: readonly Call[]) => Problem[]> {
  const others = declared.filter(({ collection }) => collection === id.collection);
  const standing = others.find(({ name }) => name === id.name);
  const guardians = standing
    ? [standing]
    : others.filter((other) => concurrencyKeyOf(other, session) === concurrencyKey);
  const foreign = standing ? placeGuards : strangerGuards;
  const guards = await Promise.all(guardians.map((each) => guardOf(each, session)));
  return (calls) =>
    guards.flatMap(({ resource: { collection, name }, broken }) =>
      broken(calls)
        .filter(({ code }) => !foreign.has(code))
        .map((problem) => locate(problem, [collection, name])),
    );
}

const placeGuards: ReadonlySet<string> = new Set(['foreign-zone']);
/** How much a declaration may move, and which record is its own, is about itself. */
const strangerGuards: ReadonlySet<string> = new Set([...placeGuards, 'too-many-moves', 'foreign-record']);

interface Guard {
  resource: Declared;
  broken(calls: readonly Call[]): Problem[];
}

async function guardOf(resource: Declared, session: Session): Promise<Guard> {
  const { definition, spec } = resource;
  try {
    const state = await definition.read(spec, session.contextFor(resource));
    return { resource, broken: (calls) => definition.guard(spec, state, calls) };
  } catch (error) {
    const problems = problemsFrom(error);
    return { resource, broken: () => problems };
  }
}
