/** Reads the journal: all runs, or, at a cost that does not grow with its length, the runs that still matter to a plan. */

import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { callTypeOf, factsOf } from '../../kinds/knownCalls.ts';
import { type Backend, type LogReader, type LogSummary, logStart, type Position } from '../backend/backend.ts';
import { openCalls } from './applyResult.ts';
import type { Run } from './journal.ts';
import { type CollectedRun, RunCollector } from './journalRuns.ts';

/** Returns the runs, the oldest first; none if there is no log. @throws ProblemError if the log is not a journal */
export async function readJournal(backend: Backend): Promise<Run[]> {
  const collector = new RunCollector();
  await withLog(backend, async (log) => {
    for await (const { lines } of log.read(logStart)) for (const line of lines) collector.add(line);
    if (collector.isNoJournal) throw new ProblemError([notAJournal(backend)]);
  });
  return collector.collected().map(({ run }) => run);
}

/** Returns the least time in ms since another run wrote to the log, by the clock of its store. */
export async function ageOfLog(backend: Backend): Promise<number> {
  return (await withLog(backend, (log) => log.ageMs())) ?? 0;
}

/** A part of the history. */
export interface HistoryPage {
  /** Only runs that began at this time or later, in ISO 8601. */
  since?: string | undefined;
  /** The most runs, of which the newest are taken. */
  limit?: number | undefined;
}

/**
 * Returns the runs of a page, the oldest first. Reads the log from its end, as far as the page needs it.
 * @throws ProblemError if the log is not a journal
 */
export async function readHistoryPage(backend: Backend, page: HistoryPage): Promise<Run[]> {
  return pageOf(await readFromEnd(backend, page), page);
}

/** Returns the runs of a page, and those around it in the part of the log that was read: at least this many bytes from its end. */
export async function readFromEnd(backend: Backend, page: HistoryPage, least = firstPageBytes): Promise<Run[]> {
  const found = await withLog(backend, async (log) => {
    for (let bytes = least; ; bytes *= 8) {
      const from = await log.positionNearEnd(bytes);
      if (from === undefined) return undefined;
      const collector = new RunCollector();
      for await (const { lines } of log.read(from)) for (const line of lines) collector.add(line);
      // The first of these runs may have begun before the position.
      const [, ...known] = collector.collected().map(({ run }) => run);
      if (hasWholePage(known, page)) return known;
    }
  });
  return found ?? readJournal(backend);
}

const firstPageBytes = 256 * 1024;

export function pageOf(runs: readonly Run[], { since = '', limit }: HistoryPage): Run[] {
  const found = runs.filter(({ startedAt }) => startedAt >= since);
  return limit === undefined ? found : found.slice(-limit);
}

/** Returns false if runs that are older than these may belong to the page. */
function hasWholePage(runs: readonly Run[], page: HistoryPage): boolean {
  const { since = '', limit = Number.POSITIVE_INFINITY } = page;
  const [oldest] = runs;
  // A run without a command lacks its first lines, which may come earlier in the log.
  if (oldest === undefined || runs.some(({ command }) => command === 'unknown')) return false;
  return oldest.startedAt < since || pageOf(runs, page).length >= limit;
}

export interface RecentRuns {
  /** Runs with calls whose outcome is open, runs that may be under way, and the last runs that moved anything; the oldest first. */
  runs: Run[];
  /** Facts from the calls of all runs, by topic. */
  facts: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Reads what matters to a plan. Which runs are the last ones follows from the order of the log, and never from their times: each run wrote
 * those by the clock of its own machine. @throws ProblemError if the log is not a journal
 */
export async function readRecentRuns(backend: Backend): Promise<RecentRuns> {
  const recent = await withLog(backend, (log) => recentRunsIn(backend, log));
  return recent ?? { runs: [], facts: new Map() };
}

async function recentRunsIn(backend: Backend, log: LogReader): Promise<RecentRuns> {
  const [summary, ageMs] = await Promise.all([log.readSummary(), log.ageMs()]);
  const facts = new Map(Object.entries(summary?.facts ?? {}).map(([topic, items]) => [topic, new Set(items)]));
  const collector = new RunCollector({ keepsLines: true });
  const last = new LastRuns((run) => {
    addFacts(facts, run);
    collector.drop(run);
  });
  for (const line of summary?.kept ?? []) last.add(collector.add(line));
  const from = summary?.end ?? logStart;
  let end: Position = from;
  for await (const batch of log.read(from)) {
    for (const line of batch.lines) last.add(collector.add(line));
    end = batch.end;
  }
  if (collector.isNoJournal && summary === undefined) throw new ProblemError([notAJournal(backend)]);
  const interrupted = collector.collected().filter(({ run }) => !run.ended && openCalls(run).length === 0);
  for (const { run } of interrupted.slice(0, -mostLast)) last.drop(run);
  const kept = collector.collected();
  await log.writeSummary(from, end, () => ({ kept: keptLines(kept, end), facts: plainFacts(facts) }));
  const runs = kept.map(({ run }) => ({ ...run, ageMs }));
  for (const run of runs) addFacts(facts, run);
  return { runs, facts };
}

/** More runs than can end within the time for which listings may lag. */
const mostLast = 20;

/** The last runs that ended. Others are dropped at once, because the journal may be larger than memory, unless a call of theirs is open. */
class LastRuns {
  readonly #runs = new Set<Run>();
  readonly drop: (run: Run) => void;

  constructor(drop: (run: Run) => void) {
    this.drop = drop;
  }

  /** Takes the run of each line that was read. */
  add(collected: CollectedRun | undefined): void {
    const run = collected?.run;
    if (!run?.ended || this.#runs.has(run)) return;
    if (mayHaveMoved(run)) this.#runs.add(run);
    else this.drop(run);
    const [oldest] = this.#runs;
    if (this.#runs.size <= mostLast || oldest === undefined) return;
    this.#runs.delete(oldest);
    if (openCalls(oldest).length === 0) this.drop(oldest);
  }
}

function mayHaveMoved({ calls, damage }: Run): boolean {
  return damage !== undefined || calls.some(({ call }) => callTypeOf(call).reconcile !== undefined);
}

/** Returns the run that applied the plan with this id. Reads only lines with this id, so that the run has no calls. */
export async function runOfPlan(backend: Backend, plan: string): Promise<Run | undefined> {
  const collector = new RunCollector();
  const inLine = JSON.stringify(plan);
  await withLog(backend, async (log) => {
    for await (const { lines } of log.read(logStart)) {
      for (const line of lines) if (line[1].includes(inLine)) collector.add(line);
    }
  });
  return collector.collected().find(({ run }) => run.plan === plan || run.damage)?.run;
}

/** Returns undefined if there is no log. */
async function withLog<T>(backend: Backend, action: (log: LogReader) => Promise<T>): Promise<T | undefined> {
  const log = await backend.openLog();
  try {
    return log && (await action(log));
  } finally {
    await log?.close();
  }
}

function addFacts(all: Map<string, Set<string>>, run: Run): void {
  for (const { topic, items } of run.calls.flatMap(factsOf)) {
    all.set(topic, new Set([...(all.get(topic) ?? []), ...items]));
  }
}

/** Returns the lines for the index, without a last line that is still being written. */
function keptLines(kept: readonly CollectedRun[], { lines: last }: Position): LogSummary['kept'] {
  const lines = kept.flatMap(({ lines: runLines }) => runLines.filter(([number]) => number <= last));
  return lines.map(([number, text]): [number, string] => [number, text]).sort(([a], [b]) => a - b);
}

function plainFacts(facts: ReadonlyMap<string, ReadonlySet<string>>): Record<string, string[]> {
  return Object.fromEntries([...facts].map(([topic, items]) => [topic, [...items]]));
}

function notAJournal({ logName }: Backend): Problem {
  return {
    code: 'not-a-journal',
    found: `${logName} is not a journal of runs`,
    fix: 'name another file with --journal',
  };
}
