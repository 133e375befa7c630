/** `webdata backend push`: copies the runs and the baseline of an account from a folder to a shared backend. */

import { ProblemError } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { type Backend, logStart, type NumberedLine } from '../backend/backend.ts';
import type { Run } from '../run/journal.ts';
import { RunCollector } from '../run/journalRuns.ts';

export interface Pushed {
  /** The number of runs in the folder that belong to the account. */
  runs: number;
  /** The number of lines that were not in the shared backend. */
  lines: number;
  /** The number of runs of other accounts in the folder. */
  others: number;
  /** Absent if the folder has no baseline. */
  baseline?: 'written' | 'same' | 'kept';
}

/**
 * Copies what the shared backend lacks. May be repeated after an interruption. Call it with the locks of both. @throws ProblemError if the shared
 * backend has other runs
 */
export async function pushBackend(
  folder: Backend,
  shared: Backend,
  isOnAccount: (run: Run) => boolean,
): Promise<Pushed> {
  const collector = new RunCollector({ keepsLines: true });
  await eachLine(folder, (line) => collector.add(line));
  const collected = collector.collected();
  const chosen = collected.filter(({ run }) => isOnAccount(run));
  const lines = chosen
    .flatMap((each) => each.lines)
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text.replaceAll('\0', '').trim());
  const present: string[] = [];
  await eachLine(shared, ([, text]) => present.push(text));
  const shorter = Math.min(lines.length, present.length);
  if (lines.slice(0, shorter).some((line, index) => line !== present[index])) {
    throw new ProblemError([otherRuns(shared, present)]);
  }
  const added = lines.slice(shorter);
  if (added.length > 0) {
    const log = await shared.appendToLog();
    await log.append(added, 'now');
    await log.close();
  }
  const baseline = await pushDocument(folder, shared, 'baseline');
  return {
    runs: chosen.length,
    lines: added.length,
    others: collected.length - chosen.length,
    ...(baseline && { baseline }),
  };
}

async function eachLine(backend: Backend, action: (line: NumberedLine) => void): Promise<void> {
  const log = await backend.openLog();
  for await (const { lines } of log?.read(logStart) ?? []) for (const line of lines) action(line);
  await log?.close();
}

async function pushDocument(folder: Backend, shared: Backend, name: string): Promise<Pushed['baseline']> {
  const [own, present] = await Promise.all([folder.readDocument(name), shared.readDocument(name)]);
  if (own === undefined) return undefined;
  if (present !== undefined) return present.text === own.text ? 'same' : 'kept';
  await shared.updateDocument(name, () => own.text);
  return 'written';
}

function otherRuns({ address }: Backend, present: readonly string[]) {
  return {
    code: 'backend-not-empty',
    found: `${address} already has other runs of this account (${counted(present.length, 'line')})`,
    allowed: 'a backend without runs of this account, or one that has the runs of this folder',
    fix: 'use the backend as it is, or name another prefix or database',
  };
}
