/** The baseline of a folder: a file beside the journal. */
import { mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { writeWholeFile } from '../../files/wholeFile.ts';
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

/** Returns the path: `baseline.json` beside `journal.jsonl`, and `ci.baseline.json` beside `ci.jsonl`. */
export function baselineFile(journal: string): string {
  const name = basename(journal).replace(/\.jsonl$/, '');
  return join(dirname(journal), name === 'journal' ? 'baseline.json' : `${name}.baseline.json`);
}

/** Undefined if there is none. @throws ProblemError if it cannot be used */
export async function readBaseline(file: string): Promise<Baseline | undefined> {
  try {
    return parseBaseline(await readFile(file, 'utf8'), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function writeBaseline(file: string, baseline: Baseline): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeWholeFile(file, baselineText(baseline), { mode: 0o600 });
}

/** Records what a run settled; `run` is its id. Writes nothing if nothing has changed. Call it under the lock of the account. */
export async function updateBaseline(
  file: string,
  config: Pick<Config, 'account' | 'service' | 'declared'>,
  settled: readonly Settled[],
  run: string | undefined,
): Promise<void> {
  const baseline = await readBaseline(file);
  const account = accountName(config);
  const before = accountIn(baseline, account) ?? { account, complete: false, resources: [] };
  const applied = settled.flatMap(({ is, resource }) => (is === 'applied' ? [resource] : []));
  const complete = config.declared.length > 0 && config.declared.every((each) => isNamed(applied, each));
  const after = afterRun(before, settled, { at: new Date().toISOString(), run, complete });
  if (!isDeepStrictEqual(before, after)) await writeBaseline(file, withAccount(baseline, after));
}

function isNamed(resources: readonly ResourceId[], { collection, name }: ResourceId): boolean {
  return resources.some((each) => each.collection === collection && each.name === name);
}
