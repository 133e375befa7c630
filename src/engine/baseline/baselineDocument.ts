/** The baseline as a document of the backend. */
import { isDeepStrictEqual } from 'node:util';
import type { Backend, StoredDocument } from '../backend/backend.ts';
import type { Config } from '../declaration/config.ts';
import { filePlace, isSameDeclaration, pathOfRecorded, recordedPlace } from '../declaration/places.ts';
import { isSameResource } from '../plan/plan.ts';
import {
  type Baseline,
  baselineText,
  type Confirmed,
  type DeclarationBaseline,
  declarationsAfter,
  declarationsIn,
  entryOf,
  parseBaseline,
  withDeclarations,
} from './baseline.ts';

const documentName = 'baseline';

/** Undefined if there is none. @throws ProblemError if it cannot be used */
export async function readBaseline(backend: Backend): Promise<Baseline | undefined> {
  return baselineIn(await backend.readDocument(documentName));
}

/** Yields the baselines of all accounts in a backend. @throws ProblemError */
export async function* readEveryBaseline(backend: Backend): AsyncIterable<Baseline> {
  for await (const document of backend.readDocuments(documentName)) yield parseBaseline(document.text, document.where);
}

function baselineIn(document: StoredDocument | undefined): Baseline | undefined {
  return document && parseBaseline(document.text, document.where);
}

/** Records what a run confirmed; `run` is its id. Writes nothing if nothing has changed. Call it under the lock of the account. */
export async function updateBaseline(
  backend: Backend,
  config: Pick<Config, 'declared' | 'places' | 'name'>,
  confirmed: readonly Confirmed[],
  run: string | undefined,
): Promise<void> {
  const { account } = backend;
  const applied = confirmed.flatMap(({ is, resource }) => (is === 'applied' ? [resource] : []));
  const complete =
    config.declared.length > 0 && config.declared.every((each) => applied.some((other) => isSameResource(each, other)));
  const places = config.places.map((place) => recordedPlace(place, backend));
  const by = { at: new Date().toISOString(), run, complete, owner: config.name };
  await backend.updateDocument(documentName, (document) => {
    const baseline = baselineIn(document);
    const before = declarationsIn(baseline, account);
    const after = declarationsAfter(before, places, confirmed, by);
    return isDeepStrictEqual(before, after) ? undefined : baselineText(withDeclarations(baseline, account, after));
  });
}

/** The fate of a baseline that is taken over: `kept` is one that the account has itself. */
export type Adopted = 'written' | 'same' | 'kept';

/**
 * Takes the baseline of an earlier key of the account, or of another backend. What a declaration has applied completely under the present key is newer;
 * a part gets the entries that it lacks.
 */
export async function adoptBaseline(from: Backend, to: Backend): Promise<Adopted | undefined> {
  const theirs = declarationsIn(await readBaseline(from), from.account).map((each) => asRecordedIn(to, each, from));
  if (theirs.length === 0) return undefined;
  let adopted: Adopted = 'written';
  await to.updateDocument(documentName, (document) => {
    const baseline = baselineIn(document);
    const own = declarationsIn(baseline, to.account);
    const merged = mergedBaselines(theirs, own);
    if (isDeepStrictEqual(merged, own)) adopted = isDeepStrictEqual(own, theirs) ? 'same' : 'kept';
    // Accounts in one folder share the document.
    return baselineText(withDeclarations(withDeclarations(baseline, from.account, []), to.account, merged));
  });
  return adopted;
}

/** Removes the baseline of the account. */
export async function forgetBaseline(backend: Backend): Promise<void> {
  await backend.updateDocument(documentName, (document) => {
    const baseline = baselineIn(document);
    if (declarationsIn(baseline, backend.account).length === 0) return undefined;
    return baselineText(withDeclarations(baseline, backend.account, []));
  });
}

function asRecordedIn(to: Backend, { places, ...rest }: DeclarationBaseline, from: Backend): DeclarationBaseline {
  const recorded = places.map((place) => {
    const path = pathOfRecorded(place, [], from);
    return path === undefined ? place : recordedPlace(filePlace(path), to);
  });
  return { places: recorded, ...rest };
}

function mergedBaselines(
  theirs: readonly DeclarationBaseline[],
  own: readonly DeclarationBaseline[],
): DeclarationBaseline[] {
  const isOf = (one: DeclarationBaseline) => (other: DeclarationBaseline) =>
    isSameDeclaration(one.places, other.places);
  const completed = own.map((each) => {
    const before = theirs.find(isOf(each));
    if (each.complete || before === undefined) return each;
    const lacking = before.resources.filter((entry) => entryOf(each, entry) === undefined);
    return { ...each, complete: before.complete, resources: [...each.resources, ...lacking] };
  });
  return [...completed, ...theirs.filter((each) => !own.some(isOf(each)))];
}
