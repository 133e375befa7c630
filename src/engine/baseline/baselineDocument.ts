/** The baseline as a document of the backend. */
import { isDeepStrictEqual } from 'node:util';
import type { Backend, StoredDocument } from '../backend/backend.ts';
import { accountKey } from '../declaration/accountKey.ts';
import type { Config } from '../declaration/config.ts';
import { recordedPlace } from '../declaration/places.ts';
import { isSameResource } from '../plan/plan.ts';
import {
  type Baseline,
  baselineText,
  type Confirmed,
  declarationsAfter,
  declarationsIn,
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
  config: Pick<Config, 'account' | 'service' | 'manager' | 'triggers' | 'declared' | 'places' | 'name'>,
  confirmed: readonly Confirmed[],
  run: string | undefined,
): Promise<void> {
  const account = accountKey(config);
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
