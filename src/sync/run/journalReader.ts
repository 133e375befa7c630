/** Reads the journal: the runs that still matter to a plan at a cost that does not grow with its length, or all of them. */
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { openPrivateFile } from '../../files/privateFile.ts';
import { factsOf } from '../../kinds/knownCalls.ts';
import type { Run } from './journal.ts';
import { readIndex, writeIndex } from './journalIndex.ts';
import { type Position, readLines } from './journalLines.ts';
import { type CollectedRun, RunCollector } from './journalRuns.ts';
import { openCalls } from './outcome.ts';

/** Returns the runs, the oldest first; none where there is no journal. @throws ProblemError where the file is not a journal */
export async function readJournal(file: string): Promise<Run[]> {
  await using journal = await openIfThere(file);
  if (journal === undefined) return [];
  const collector = new RunCollector();
  for await (const { lines } of readLines(journal, start)) for (const line of lines) collector.add(line);
  if (collector.isNoJournal) throw new ProblemError([notAJournal(file)]);
  return collector.collected().map(({ run }) => run);
}

export interface RecentRuns {
  /** Runs with calls whose outcome is open, runs that may be under way, and runs of the last minutes; the oldest first. */
  runs: Run[];
  /** What the calls of all runs tell, by topic. */
  facts: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Reads what matters to a plan. Moves of the last `settleMs` matter, since listings may lag behind them.
 * @throws ProblemError where the file is not a journal
 */
export async function readRecentRuns(file: string, settleMs: number): Promise<RecentRuns> {
  await using journal = await openIfThere(file);
  if (journal === undefined) return { runs: [], facts: new Map() };
  const index = await readIndex(file, journal);
  const facts = new Map(Object.entries(index?.facts ?? {}).map(([topic, items]) => [topic, new Set(items)]));
  const collector = new RunCollector({ keepsLines: true });
  const drop = ({ run }: CollectedRun) => {
    addFacts(facts, run);
    collector.drop(run);
  };
  for (const line of index?.kept ?? []) collector.add(line);
  const from = index ?? start;
  let end: Position = from;
  const oldest = new Date(Date.now() - Math.max(settleMs, recentMs)).toISOString();
  for await (const batch of readLines(journal, from)) {
    for (const line of batch.lines) {
      const collected = collector.add(line);
      // At once: the journal may be longer than memory.
      if (collected?.run.ended && !isRelevant(collected, oldest)) drop(collected);
    }
    end = batch.end;
  }
  if (collector.isNoJournal && index === undefined) throw new ProblemError([notAJournal(file)]);
  for (const collected of collector.collected()) if (!isRelevant(collected, oldest)) drop(collected);
  const kept = collector.collected();
  if (end.bytes - from.bytes > indexedBytes) {
    await writeIndex(file, journal, end, { kept: keptLines(kept, end), facts: plainFacts(facts) });
  }
  const runs = kept.map(({ run }) => run);
  for (const run of runs) addFacts(facts, run);
  return { runs, facts };
}

/** The run that applied the plan of this id, as far as its first line tells. */
export async function runOfPlan(file: string, plan: string): Promise<Run | undefined> {
  await using journal = await openIfThere(file);
  if (journal === undefined) return undefined;
  const collector = new RunCollector();
  const inLine = JSON.stringify(plan);
  for await (const { lines } of readLines(journal, start)) {
    for (const line of lines) if (line[1].includes(inLine)) collector.add(line);
  }
  return collector.collected().find(({ run }) => run.plan === plan || run.damage)?.run;
}

const start: Position = { bytes: 0, lines: 0 };
/** Reading fewer bytes than these takes no time that can be noticed. */
const indexedBytes = 128 * 1024;
/** At least: another declaration that shares the journal may wait longer for its listings. */
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

/** A last line that is still being written is read again next time. */
function keptLines(kept: readonly CollectedRun[], { lines: last }: Position) {
  const lines = kept.flatMap(({ lines: its }) => its.filter(([number]) => number <= last));
  return lines.map(([number, text]): [number, string] => [number, text]).sort(([a], [b]) => a - b);
}

function plainFacts(facts: ReadonlyMap<string, ReadonlySet<string>>): Record<string, string[]> {
  return Object.fromEntries([...facts].map(([topic, items]) => [topic, [...items]]));
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await openPrivateFile(file, 'read');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function notAJournal(file: string): Problem {
  return {
    code: 'not-a-journal',
    found: `${basename(file)} is not a journal of runs`,
    fix: 'name another file with --journal',
  };
}
