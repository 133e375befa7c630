/** Other declarations of the account: each answers for its own resources. They are named, and compared for what two declarations claim. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted, firstOf } from '../../base/diagnostics/valueWords.ts';
import { kinds } from '../../kinds/knownKinds.ts';
import { driftComparison } from '../../kinds/seam/comparison.ts';
import { ownership } from '../../kinds/seam/ownership.ts';
import type { Config } from '../declaration/config.ts';
import { isSameResource } from '../plan/plan.ts';
import type { BaselineEntry, DeclarationBaseline } from './baseline.ts';

export interface Neighbour extends Pick<DeclarationBaseline, 'places' | 'resources'> {
  /** The names of its files. */
  name: string;
  /** True if one of its files no longer exists. */
  isGone: boolean;
}

/** Returns the neighbour that registered a resource for this owner. */
export function registeredBy(
  neighbours: readonly Neighbour[],
  resource: Pick<BaselineEntry, 'collection' | 'name'>,
  owner: string | undefined,
): Neighbour | undefined {
  return neighbours.find(({ resources }) =>
    resources.some((entry) => entry.owner === owner && isSameResource(entry, resource)),
  );
}

/** Returns a warning for each neighbour whose file is gone, and for each thing that a neighbour declares too. */
export function neighbourWarnings(neighbours: readonly Neighbour[], config: Config): Problem[] {
  return neighbours.flatMap((neighbour) => [
    ...(neighbour.isGone && neighbour.resources.length > 0 ? [declarationGone(neighbour)] : []),
    ...declaredTwice(neighbour, config),
  ]);
}

function declarationGone({ name, resources }: Neighbour): Problem {
  return {
    code: 'declaration-gone',
    found: `${name} no longer exists, and ${counted(resources.length, 'resource')} declared by it ${resources.length === 1 ? 'is' : 'are'} not compared: ${namesOf(resources)}`,
    fix: `restore it; if it was moved, apply it from its new place; if it was removed on purpose, run \`webdata apply --allow-removed\` once`,
    affects: [],
  };
}

function namesOf(resources: readonly BaselineEntry[]): string {
  return firstOf(
    resources.map(({ kind, name }) => `${kind}/${name}`),
    5,
  );
}

/** Two declarations of one thing would undo each other in turn. */
function declaredTwice(neighbour: Neighbour, config: Config): Problem[] {
  return [...registeredTwice(neighbour, config), ...claimedTwice(neighbour, config)];
}

function registeredTwice({ name, resources }: Neighbour, { declared, name: owner, locate }: Config): Problem[] {
  return declared.flatMap((each) => {
    const twin = resources.find((entry) => isSameResource(entry, each) && entry.owner === owner);
    if (twin === undefined || ownership.of(each.definition) === undefined) return [];
    const found = `${each.kind}/${each.name} of ${owner} is declared by ${name} too (applied ${twin.at.slice(0, 10)})`;
    return [locate({ ...twice, found, at: 'key' }, [each.collection, each.name])];
  });
}

const twice = {
  code: 'declared-by-two',
  allowed: 'one declaration for each thing: two undo each other in turn',
  fix: 'remove it from one of them, and apply that one',
};

/** Compares with what the kinds refuse within one declaration, such as a zone that two allocations fill. */
function claimedTwice({ name, resources }: Neighbour, { declared, manager, locate }: Config): Problem[] {
  return kinds.flatMap((definition) => {
    const { collection, conflicts } = definition;
    const own = declared.filter((each) => each.definition === definition);
    if (own.length === 0 || driftComparison.of(definition)?.baseline !== undefined) return [];
    const theirs = resources.flatMap((entry) => {
      const spec = entry.collection === collection ? definition.spec.safeParse(entry.spec).data : undefined;
      return spec === undefined ? [] : [[`${name}: ${entry.name}`, spec] as const];
    });
    if (theirs.length === 0) return [];
    const specs = new Map([...theirs, ...own.map((each) => [each.name, each.spec] as const)]);
    const names = new Set(own.map((each) => each.name));
    const isOwn = (path: readonly PropertyKey[] = []) => names.has(String(path[0]));
    return conflicts(specs, { managerUrl: manager.url, declared: () => specs }).flatMap((problem) => {
      const paths = [problem.path, ...(problem.also ?? []).map(({ path }) => path)];
      const path = paths.find(isOwn);
      if (path === undefined || paths.every(isOwn)) return [];
      const found = `${problem.found}, and the other one is declared by ${name}`;
      return [locate({ ...twice, found, path: [...path], at: 'key' }, [collection])];
    });
  });
}
