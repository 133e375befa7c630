/** Copies the runs and the baseline of an account to another place or key. It may be repeated after an interruption. */
import { type Backend, type LockOptions, lineOfFailover, logStart, type NumberedLine } from '../backend/backend.ts';
import { type Adopted, adoptBaseline } from '../baseline/baselineDocument.ts';
import type { Run } from '../run/journal.ts';
import { parseLine } from '../run/journalEntry.ts';
import { RunCollector } from '../run/journalRuns.ts';

export interface TakenOver {
  /** The number of runs that `from` has of the account. */
  runs: number;
  /** The number of lines that `to` did not have. */
  lines: number;
  /** The number of runs of other accounts in `from`. */
  others: number;
  /** The fate of the baseline; absent if there is none. */
  baseline?: Adopted | undefined;
}

/** Takes over runs and baseline under the lock of `to`, which for a folder is a lock of this machine. */
export function takeOverLocked(
  from: Backend,
  to: Backend,
  options: LockOptions,
  isOfAccount: (run: Run) => boolean,
): Promise<TakenOver> {
  return to.withLock(options, () => takeOver(from, to, isOfAccount));
}

/** Call it with the lock of `to`, and with that of `from` if others may write there. */
export async function takeOver(
  from: Backend,
  to: Backend,
  isOfAccount: (run: Run) => boolean = () => true,
): Promise<TakenOver> {
  // The accounts of a folder share its log, in which runs have the names of their accounts.
  if (!from.isShared && from.address === to.address)
    return { runs: 0, lines: 0, others: 0, baseline: await adoptBaseline(from, to) };
  const collector = new RunCollector({ keepsLines: true });
  await eachLine(from, (line) => collector.add(line));
  const collected = collector.collected();
  const chosen = collected.filter(({ run }) => isOfAccount(run));
  const present = new Set<string>();
  await eachLine(to, ([, text]) => present.add(text));
  const added = chosen
    .flatMap(({ lines }) => lines)
    .sort(([a], [b]) => a - b)
    .map(([, text]) => earlier(text.replaceAll('\0', '').trim()))
    .filter((text) => !present.has(text));
  if (added.length > 0) {
    const log = await to.appendToLog();
    await log.append(added, 'now');
    await log.close();
  }
  const baseline = await adoptBaseline(from, to);
  return { runs: chosen.length, lines: added.length, others: collected.length - chosen.length, baseline };
}

/** Marks the first line of a run, so that the run comes before those that the log has already. */
function earlier(text: string): string {
  const line = parseLine(text);
  return line?.kind === 'entry' && line.entry.type === 'run'
    ? JSON.stringify({ ...line.entry, isEarlier: true } satisfies typeof line.entry)
    : text;
}

async function eachLine(backend: Backend, action: (line: NumberedLine) => void): Promise<void> {
  const log = await backend.openLog();
  for await (const { lines } of log?.read(logStart) ?? [])
    for (const line of lines) if (line[1] !== lineOfFailover) action(line);
  await log?.close();
}
