/**
 * Verifies that a plan file has the same calls as a plan made now. The file may have been edited, so its calls are checked against all
 * guards before they are compared.
 */

import { existsSync } from 'node:fs';
import { isAbsolute, normalize, resolve } from 'node:path';
import deepDiff from 'deep-diff';
import { assertNoProblems, mergeByItem, type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { shownName, standardStream } from '../../base/files/textFile.ts';
import { isMapValue } from '../../base/values/plain.ts';
import { callKey } from '../../kinds/knownCalls.ts';
import { kinds } from '../../kinds/knownKinds.ts';
import type { Call } from '../../kinds/seam/call.ts';
import { ownership } from '../../kinds/seam/ownership.ts';
import { describeCall } from '../../kinds/shownCalls.ts';
import type { Config } from '../declaration/config.ts';
import { isSameAccount, isSameServer } from '../identity/accountIdentity.ts';
import type { PlanningOptions } from '../options.ts';
import type { Run, RunMeta } from '../run/journal.ts';
import { shortRunId } from '../run/runId.ts';
import { fingerprintsOf } from './fingerprints.ts';
import { isSameResource } from './plan.ts';
import { declarationOf, type PlanFile } from './planFile.ts';
import type { Planned } from './resources.ts';

/** Checks that this is the declaration that the plan was made from. @throws ProblemError */
export function assertDeclaredByPlan(file: PlanFile, config: Config): void {
  assertNoProblems(declarationChanges(file, config));
}

/**
 * Returns the files of the plan that `apply` reads by itself: those in the current folder and below. A plan file may have been edited, so others
 * must be named. @throws ProblemError
 */
export function filesOfPlan({ files }: PlanFile, cwd: string): readonly string[] {
  const isReadable = (file: string) =>
    file !== standardStream && isRelativeBelow(file) && existsSync(resolve(cwd, file));
  if (files.every(isReadable)) return files;
  throw new ProblemError([declarationNeeded(files)]);
}

function isRelativeBelow(file: string): boolean {
  return !isAbsolute(file) && !normalize(file).startsWith('..');
}

function declarationNeeded(files: readonly string[]): Problem {
  const options = files.map((file) => (file === standardStream ? '-f FILE' : `-f ${file}`)).join(' ');
  return {
    code: 'declaration-needed',
    found: `the declaration of this plan, ${files.map(shownName).join(' and ')}, is not in the current folder`,
    allowed: 'applying a plan with the declaration that it was made from: the guards and the backend are there',
    fix: `go to the folder in which the plan was made, or pass the declaration, such as ${options}`,
  };
}

/**
 * Refuses options that decide what is in a plan. Options that relax a guard stay, because the guards are checked again.
 * @throws ProblemError
 */
export function assertNoPlanOptions({
  select = [],
  zone = [],
  prune,
}: Pick<PlanningOptions, 'select' | 'zone' | 'prune'>): void {
  assertNoProblems([
    ...(select.length > 0 ? [optionOfPlan('--select', select.map((each) => `--select ${each}`).join(' '))] : []),
    ...(zone.length > 0 ? [optionOfPlan('--zone', zone.map((each) => `--zone ${each}`).join(' '))] : []),
    ...(prune ? [optionOfPlan('--prune', '--prune')] : []),
  ]);
}

function optionOfPlan(option: string, options: string): Problem {
  return {
    code: 'option-of-plan',
    found: `${option} cannot change a plan that was made already`,
    allowed: 'with a plan file, all of its calls and no others',
    fix: `plan again with ${options} and --output, then apply that file`,
  };
}

/** Returns the resources of the plan as selectors. Undeclared registrations cannot be selected. */
export function selectedIn(file: PlanFile): string[] {
  const selected = file.resources.filter((resource) => !isOnlyRegistered(file, resource));
  return selected.map(({ collection, name }) => `${collection}/${name}`);
}

/** Reports whether the plan removes undeclared registrations. */
export function isPruning(file: PlanFile): boolean {
  const removed = file.resources.filter((resource) => isOnlyRegistered(file, resource));
  return file.intent === 'update' && removed.some(({ calls }) => calls.length > 0);
}

function isOnlyRegistered({ declaration }: PlanFile, { collection, name }: PlanFile['resources'][number]): boolean {
  const kind = kinds.find((each) => each.collection === collection);
  return kind !== undefined && ownership.of(kind) !== undefined && !Object.hasOwn(declaration[collection] ?? {}, name);
}

/** Checks what needs no live state. `applied` is the run that applied the plan. @throws ProblemError */
export function verifyPlanFile(file: PlanFile, applied: Run | undefined, meta: RunMeta & { backend: string }): void {
  const isNamed = file.account !== undefined && meta.account !== undefined;
  const isAtServer = isSameServer(file, meta) || (isNamed && isSameAccount(file, meta));
  const isOfAccount = file.account === meta.account || isSameAccount(file, meta);
  const madeElsewhere = otherPlan(`with the runs and the lock in ${file.backend}`, meta.backend);
  const [madeBy, thisVersion] = [`by webdata ${file.version}`, `webdata ${meta.version}`];
  assertNoProblems([
    ...(applied ? [appliedAlready(applied)] : []),
    ...(isAtServer ? [] : [{ code: 'other-origin', ...otherPlan(`for ${file.origin}`, meta.origin) }]),
    ...(isOfAccount ? [] : [{ code: 'other-account', ...otherPlan(`for ${accountWords(file)}`, accountWords(meta)) }]),
    ...(file.backend === meta.backend ? [] : [{ code: 'other-backend', ...madeElsewhere, fix: asForPlan }]),
    ...(file.version === meta.version ? [] : [{ code: 'other-version', ...otherPlan(madeBy, thisVersion) }]),
  ]);
}

const asForPlan = 'pass --backend as for the plan, or plan again with this backend';

function otherPlan(made: string, allowed: string): Omit<Problem, 'code'> {
  return { found: `the plan was made ${made}`, allowed, fix: 'plan again' };
}

function accountWords({ account }: Pick<RunMeta, 'account'>): string {
  return account === undefined ? 'an account without a name' : `account ${account}`;
}

/**
 * Compares the plan with a plan made now. Resources whose live state cannot be read are left to the apply, which sends nothing for them.
 * @throws ProblemError if they differ or a guard is broken
 */
export function comparePlanFile(file: PlanFile, planned: readonly Planned[], { locate }: Config): void {
  const read = planned.filter(({ unread }) => unread === undefined);
  const problems = read.flatMap(({ plan }) => plan.problems);
  const guards = read.flatMap((each) => guardProblems(each, callsIn(file, each), locate));
  assertNoProblems([...problems, ...guards]);
  assertNoProblems([...read.flatMap((each) => differences(file, each)), ...goneSince(file, planned)]);
}

/** Returns problems for resources that the file would remove and that no longer exist. */
function goneSince({ resources }: PlanFile, planned: readonly Planned[]): Problem[] {
  const isPlanned = (resource: PlanFile['resources'][number]) =>
    planned.some(({ plan }) => isSameResource(plan, resource));
  return resources
    .filter((resource) => resource.calls.length > 0 && !isPlanned(resource))
    .map(({ collection, name, calls }) =>
      stale([collection, name], 'the resource to remove no longer exists', calls, []),
    );
}

function callsIn(file: PlanFile, planned: Planned): Call[] {
  return resourceIn(file, planned)?.calls ?? [];
}

function resourceIn({ resources }: PlanFile, { plan }: Planned): PlanFile['resources'][number] | undefined {
  return resources.find((resource) => isSameResource(resource, plan));
}

function guardProblems({ declared, state }: Planned, calls: readonly Call[], locate: Config['locate']): Problem[] {
  if (state === undefined) return [];
  const { definition, spec, collection, name } = declared;
  const broken = definition.guards.broken(spec, state, calls);
  return mergeByItem(broken.map((problem) => locate(problem, [collection, name])));
}

/** Compares the calls of the file with those of a plan made now. */
function differences(file: PlanFile, planned: Planned): Problem[] {
  const { collection, name, calls: now } = planned.plan;
  const then = callsIn(file, planned);
  const keys = { before: new Set(then.map(callKey)), now: new Set(now.map(callKey)) };
  const gone = then.filter((call) => !keys.now.has(callKey(call)));
  const come = now.filter((call) => !keys.before.has(callKey(call)));
  if (gone.length === 0 && come.length === 0) return [];
  const hashes = resourceIn(file, planned)?.fingerprints ?? {};
  const fingerprints = fingerprintsOf(planned);
  const changed = Object.keys(fingerprints).filter((what) => hashes[what] !== fingerprints[what]);
  const cause = changed.length > 0 ? `${shortened(changed).join(', ')} changed since it was made` : notTheSame;
  return [stale([collection, name], cause, gone, come)];
}

const notTheSame = 'nothing that it depends on has changed, so the file was edited or made with other options';

/** The cause comes first, followed by one call of each side as evidence. */
function stale(path: PropertyKey[], cause: string, gone: readonly Call[], come: readonly Call[]): Problem {
  const evidence = [
    ...(gone.length > 0 ? [`no longer needed: ${firstInWords(gone)}`] : []),
    ...(come.length > 0 ? [`needed now: ${firstInWords(come)}`] : []),
  ];
  return {
    code: 'stale-plan',
    path,
    found: `the plan is out of date: ${cause}`,
    allowed: ['a plan whose calls are still the same', ...evidence].join('; '),
    fix: 'plan again and review the changes',
  };
}

function firstInWords(calls: readonly Call[]): string {
  const [first] = calls;
  if (first === undefined) return '';
  return calls.length > 1 ? `${inWords(first)} (and ${counted(calls.length - 1, 'more call')})` : inWords(first);
}

const fewItems = 3;

function shortened(items: readonly string[]): string[] {
  if (items.length <= fewItems) return [...items];
  return [...items.slice(0, fewItems), `${items.length - fewItems} more`];
}

function inWords(call: Call): string {
  const { subject, flow, items } = describeCall(call);
  if (flow === undefined) return `${subject}: ${items.join(', ')}`;
  return `${flow.from} to ${flow.to}: ${shortened(flow.moves.map(({ ip }) => ip)).join(', ')}`;
}

function appliedAlready({ startedAt, id }: Run): Problem {
  return {
    code: 'plan-applied',
    found: `this plan was already applied at ${startedAt} (run ${shortRunId({ id })})`,
    allowed: 'a plan is applied once',
    fix: 'plan again',
  };
}

/** Returns problems for differences between the declaration of the plan and that of the files. */
function declarationChanges(file: PlanFile, config: Config): Problem[] {
  const { owner } = file;
  if (owner !== undefined && owner !== config.name) {
    const other = otherPlan(`for the owner ${owner}`, config.name ?? 'no owner');
    return [{ code: 'other-declaration', ...other, path: ['name'] }];
  }
  const [then, now] = comparableDeclarations(file, config);
  const differing = deepDiff.diff(withSortedLists(then), withSortedLists(now)) ?? [];
  return differing.slice(0, 5).map((difference) => ({
    code: 'other-declaration',
    path: difference.path ?? [],
    found: `the declaration has changed since this plan was made${beforeAndNow(difference)}`,
    allowed: 'a plan of this declaration',
    fix: 'plan again',
  }));
}

/** ` (was 40, is 41)`, for numbers and switches only: any text may be a secret. */
function beforeAndNow(difference: deepDiff.Diff<unknown>): string {
  if (difference.kind !== 'E') return '';
  const { lhs, rhs } = difference;
  const isShown = [lhs, rhs].every((value) => typeof value === 'number' || typeof value === 'boolean');
  return isShown ? ` (was ${lhs}, is ${rhs})` : '';
}

/** Returns both declarations in a form in which equal secrets are equal. */
function comparableDeclarations(
  { declaration }: PlanFile,
  config: Config,
): [PlanFile['declaration'], PlanFile['declaration']] {
  const [then, now] = [structuredClone(declaration), declarationOf(config)];
  for (const { collection, name, spec, definition } of config.declared) {
    const kept = then[collection];
    const owned = ownership.of(definition);
    if (owned === undefined || kept === undefined || !Object.hasOwn(kept, name)) continue;
    const sides = owned.comparable(spec, kept[name]);
    kept[name] = sides.sealed;
    now[collection] = { ...now[collection], [name]: sides.declared };
  }
  return [then, now];
}

/**
 * Sorts the lists of addresses, ports and zones, whose order has no meaning. Lists in registrations stay unsorted, because inputs are sent in
 * their order.
 */
function withSortedLists(declaration: PlanFile['declaration']): PlanFile['declaration'] {
  const registered = new Set(
    kinds.filter((kind) => ownership.of(kind) !== undefined).map(({ collection }) => collection),
  );
  const entries = Object.entries(declaration).map(([collection, specs]) => [
    collection,
    registered.has(collection) ? specs : sortedLists(specs),
  ]);
  return Object.fromEntries(entries);
}

function sortedLists(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value)].toSorted();
  if (!isMapValue(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, sortedLists(field)]));
}
