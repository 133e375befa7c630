/**
 * Resources that were applied and are no longer declared. Nothing compares them any more, so a declaration that was emptied by mistake would
 * look like an account without drift.
 */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted, firstOf } from '../../base/diagnostics/valueWords.ts';
import type { Config } from '../declaration/config.ts';
import { isSameResource } from '../plan/plan.ts';
import { type Baseline, type BaselineEntry, ownBaseline } from './baseline.ts';

export interface MissingResource extends Pick<BaselineEntry, 'kind' | 'collection' | 'name' | 'at'> {
  /** True if the declaration has no resource of this kind any more. */
  isEmptied: boolean;
}

/** Returns the resources that an earlier state of this declaration applied. Other declarations of the account keep their own. */
export function missingResources(
  baseline: Baseline | undefined,
  config: Config,
  { account, places }: { account: string; places: readonly string[] },
): MissingResource[] {
  const entries = (baseline?.accounts ?? []).flatMap(({ account: accountName, declarations }) =>
    // An empty file may have lost the name of its account too.
    accountName === account || config.declared.length === 0 ? (ownBaseline(declarations, places)?.resources ?? []) : [],
  );
  const collections = new Set(config.declared.map(({ collection }) => collection));
  return entries
    .filter((entry) => !config.declared.some((each) => isSameResource(each, entry)))
    .map(({ kind, collection, name, at }) => ({ kind, collection, name, at, isEmptied: !collections.has(collection) }));
}

/** Returns one problem for all of them. `isAny`: another declaration may have applied them. */
export function missingProblems(found: readonly MissingResource[], isAny: boolean): Problem[] {
  if (found.length === 0) return [];
  const names = found.map(({ kind, name, at }) => `${kind}/${name} (applied ${at.slice(0, 10)})`);
  const isOne = found.length === 1;
  const what = `${counted(found.length, 'resource')} that ${isOne ? 'was' : 'were'} applied ${isOne ? 'is' : 'are'}`;
  return [
    {
      code: 'no-longer-declared',
      found: `${what} no longer declared, and not compared: ${firstOf(names, mostShown)}`,
      allowed: 'a declaration of every resource that was applied',
      fix: isAny ? ofAnyFix : found.some(({ isEmptied }) => isEmptied) ? emptiedFix : removedFix,
    },
  ];
}

const emptiedFix = 'restore the declaration; if it is meant to be empty, run `webdata apply --allow-removed` once';
const removedFix = 'restore the declaration; if they were removed on purpose, run `webdata apply` once';
const ofAnyFix =
  'if another declaration from standard input applied them, give each a `name`; if they were removed on purpose, run `webdata apply --allow-removed` once';

const mostShown = 5;

/** A file that was emptied may have named the backend with its baseline too. */
export const nothingDeclared: Problem = {
  code: 'nothing-declared',
  found: 'nothing is declared, and nothing is known to be applied from these files, so nothing was compared',
  allowed: 'a declaration with resources',
  fix: 'restore the declaration; if it is meant to be empty, pass --allow-removed',
};
