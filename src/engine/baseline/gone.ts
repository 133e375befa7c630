/** Declarations whose files no longer exist, of every account in a backend: no other declaration compares what they applied. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import type { Backend } from '../backend/backend.ts';
import type { Config } from '../declaration/config.ts';
import { isGone, pathOfRecorded } from '../declaration/places.ts';
import type { Confirmed, DeclarationBaseline } from './baseline.ts';
import { readEveryBaseline } from './baselineDocument.ts';
import { missingProblems } from './missing.ts';

export interface GoneDeclaration extends Pick<DeclarationBaseline, 'places' | 'resources'> {
  /** The key of its account. */
  account: string;
  /** The absolute path of its last file. */
  path: string;
}

/** Finds them on this machine, and in the repositories of `config`. */
export async function goneDeclarations(
  backend: Backend,
  { places: known }: Pick<Config, 'places'>,
): Promise<GoneDeclaration[]> {
  const found: GoneDeclaration[] = [];
  for await (const { accounts } of readEveryBaseline(backend)) {
    for (const { account, declarations } of accounts) {
      for (const { places, resources } of declarations) {
        const path = pathOfRecorded(places.at(-1) ?? '', known, backend);
        if (path !== undefined && resources.length > 0 && isGone(places, known, backend))
          found.push({ account, path, places, resources });
      }
    }
  }
  return found;
}

export function goneProblem({ resources }: GoneDeclaration): Problem[] {
  return missingProblems(
    resources.map((each) => ({ ...each, isEmptied: true })),
    false,
  );
}

/** Returns what agrees to the removal. */
export function agreedRemoval({ places: of, resources }: Pick<GoneDeclaration, 'places' | 'resources'>): Confirmed[] {
  return resources.map((resource) => ({ is: 'removed', resource, of }));
}
