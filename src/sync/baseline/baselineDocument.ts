/** The baseline as a document of the backend. */
import { isDeepStrictEqual } from 'node:util';
import type { Backend } from '../../backend/backend.ts';
import { withMachineLock } from '../../backend/folder/machineLock.ts';
import { accountName, type Config } from '../config/config.ts';
import type { ResourceId } from '../plan/plan.ts';
import {
  accountIn,
  afterRun,
  type Baseline,
  baselineText,
  parseBaseline,
  type Settled,
  withAccount,
} from './baseline.ts';

const documentName = 'baseline';

/** Undefined if there is none. @throws ProblemError if it cannot be used */
export async function readBaseline(backend: Backend): Promise<Baseline | undefined> {
  const document = await backend.readDocument(documentName);
  return document && parseBaseline(document.text, document.where);
}

/** Records what a run settled; `run` is its id. Writes nothing if nothing has changed. Call it under the lock of the account. */
export async function updateBaseline(
  backend: Backend,
  config: Pick<Config, 'account' | 'service' | 'declared'>,
  settled: readonly Settled[],
  run: string | undefined,
): Promise<void> {
  if (backend.isShared) return replaceBaseline(backend, config, settled, run);
  // Accounts that share a folder share the document, and their own locks do not exclude each other.
  const options = { timeoutMs: longestWaitMs, command: 'webdata apply', folder: backend.address };
  await withMachineLock(`baseline ${backend.address}`, options, () => replaceBaseline(backend, config, settled, run));
}

const longestWaitMs = 60_000;

async function replaceBaseline(
  backend: Backend,
  config: Pick<Config, 'account' | 'service' | 'declared'>,
  settled: readonly Settled[],
  run: string | undefined,
): Promise<void> {
  const baseline = await readBaseline(backend);
  const account = accountName(config);
  const before = accountIn(baseline, account) ?? { account, complete: false, resources: [] };
  const applied = settled.flatMap(({ is, resource }) => (is === 'applied' ? [resource] : []));
  const complete = config.declared.length > 0 && config.declared.every((each) => isNamed(applied, each));
  const after = afterRun(before, settled, { at: new Date().toISOString(), run, complete });
  if (!isDeepStrictEqual(before, after)) {
    await backend.writeDocument(documentName, baselineText(withAccount(baseline, after)));
  }
}

function isNamed(resources: readonly ResourceId[], { collection, name }: ResourceId): boolean {
  return resources.some((each) => each.collection === collection && each.name === name);
}
