/** Reads the journal: all runs, or, at a cost that does not grow with its length, the runs that still matter to a plan. */

import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { factsOf } from '../../kinds/knownCalls.ts';
import { type Backend, type LogReader, type LogSummary, logStart, type Position } from '../backend/backend.ts';
import type { Run } from './journal.ts';
import { type CollectedRun, RunCollector } from './journalRuns.ts';
import { openCalls } from './outcome.ts';
import { runWithPrefix } from './runId.ts';

/** Returns the runs, the oldest first; none if there is no log. @throws ProblemError if the log is not a journal */
export async function readJournal(backend: Backend): Promise<Run[]> {
  const collector = new RunCollector();
  await withLog(backend, async (log) => {
    for await (const { lines } of log.read(logStart)) for (const line of lines) collector.add(line);
    if (collector.isNoJournal) throw new ProblemError([notAJournal(backend)]);
  });
  return collector.collected().map(({ run }) => run);
}

/** Returns when the first run in the log began. Reads no more of it than that run's first line. */
export async function startOfJournal(backend: Backend): Promise<string | undefined> {
  return withLog(backend, async (log) => {
    const collector = new RunCollector();
    for await (const { lines } of log.read(logStart)) {
      for (const line of lines) {
        const first = collector.add(line);
        if (first !== undefined) return first.run.startedAt;
      }
    }
    return undefined;
  });
}

/** A part of the history. */
export interface HistoryPage {
  /** Only runs that began at this time or later, in ISO 8601. */
  since?: string | undefined;
  /** Only runs older than this one: its id, or the beginning of its id. */
  before?: string | undefined;
  /** The most runs, of which the newest are taken. */
  limit?: number | undefined;
}

/**
 * Returns the runs of a page, the oldest first. Reads the log from its end, as far as the page needs it.
 * @throws ProblemError if the log is not a journal, or if `before` names no run
 */
export async function readHistoryPage(backend: Backend, page: HistoryPage): Promise<Run[]> {
  const found = await withLog(backend, async (log) => {
    for (let bytes = firstPageBytes; ; bytes *= 8) {
      const from = await log.positionNearEnd(bytes);
      if (from === undefined) return undefined;
      const collector = new RunCollector();
      for await (const { lines } of log.read(from)) for (const line of lines) collector.add(line);
      // The first of these runs may have begun before the position.
      const [, ...known] = collector.collected().map(({ run }) => run);
      if (hasWholePage(known, page)) return pageOf(known, page);
    }
  });
  return found ?? pageOf(await readJournal(backend), page);
}

const firstPageBytes = 256 * 1024;

export function pageOf(runs: readonly Run[], { since = '', before, limit }: HistoryPage): Run[] {
  const end = before === undefined ? runs.length : runs.indexOf(runWithPrefix(runs, before));
  const found = runs.slice(0, end).filter(({ startedAt }) => startedAt >= since);
  return limit === undefined ? found : found.slice(-limit);
}

/** Returns false if runs that are older than these may belong to the page. */
function hasWholePage(runs: readonly Run[], page: HistoryPage): boolean {
  const { since = '', before, limit = Number.POSITIVE_INFINITY } = page;
  const [oldest] = runs;
  // A run without a command lacks its first lines, which may come earlier in the log.
  if (oldest === undefined || runs.some(({ command }) => command === 'unknown')) return false;
  if (before !== undefined && !runs.some(({ id }) => id.startsWith(before.toLowerCase()))) return false;
  return oldest.startedAt < since || pageOf(runs, page).length >= limit;
}

export interface RecentRuns {
  /** Runs with calls whose outcome is open, runs that may be under way, and runs of the last minutes; the oldest first. */
  runs: Run[];
  /** Facts from the calls of all runs, by topic. */
  facts: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Reads what matters to a plan. Moves of the last `lagMs` matter, since listings may lag behind them.
 * @throws ProblemError if the log is not a journal
 */
export async function readRecentRuns(backend: Backend, lagMs: number): Promise<RecentRuns> {
  const recent = await withLog(backend, (log) => recentRunsIn(backend, log, lagMs));
  return recent ?? { runs: [], facts: new Map() };
}

async function recentRunsIn(backend: Backend, log: LogReader, lagMs: number): Promise<RecentRuns> {
  const summary = await log.readSummary();
  const facts = new Map(Object.entries(summary?.facts ?? {}).map(([topic, items]) => [topic, new Set(items)]));
  const collector = new RunCollector({ keepsLines: true });
  const drop = ({ run }: CollectedRun) => {
    addFacts(facts, run);
    collector.drop(run);
  };
  for (const line of summary?.kept ?? []) collector.add(line);
  const from = summary?.end ?? logStart;
  let end: Position = from;
  const oldest = new Date(Date.now() - Math.max(lagMs, recentMs)).toISOString();
  for await (const batch of log.read(from)) {
    for (const line of batch.lines) {
      const collected = collector.add(line);
      // Dropped immediately, because the journal may be larger than memory.
      if (collected?.run.ended && !isRelevant(collected, oldest)) drop(collected);
    }
    end = batch.end;
  }
  if (collector.isNoJournal && summary === undefined) throw new ProblemError([notAJournal(backend)]);
  for (const collected of collector.collected()) if (!isRelevant(collected, oldest)) drop(collected);
  const kept = collector.collected();
  await log.writeSummary(from, end, () => ({ kept: keptLines(kept, end), facts: plainFacts(facts) }));
  const runs = kept.map(({ run }) => run);
  for (const run of runs) addFacts(facts, run);
  return { runs, facts };
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

/** The least time that runs stay relevant, since another declaration that shares the journal may expect a longer lag. */
const recentMs = 600_000;
/** A run that did not end within a day was interrupted. */
const longestRunMs = 86_400_000;

function isRelevant({ run, lastAt }: CollectedRun, oldest: string): boolean {
  if (lastAt >= oldest || openCalls(run).length > 0) return true;
  return !run.ended && Date.parse(lastAt) > Date.now() - longestRunMs;
}

function addFacts(all: Map<string, Set<string>>, run: Run): void {
  for (const { topic, items } of run.calls.flatMap(factsOf)) {
    all.set(topic, new Set([...(all.get(topic) ?? []), ...items]));
  }
}

/** Returns the lines for the index, without a last line that is still being written. */
function keptLines(kept: readonly CollectedRun[], { lines: last }: Position): LogSummary['kept'] {
  const lines = kept.flatMap(({ lines: its }) => its.filter(([number]) => number <= last));
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
