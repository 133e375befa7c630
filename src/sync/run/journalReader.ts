/** Reads the journal: all runs, or, at a cost that does not grow with its length, the runs that still matter to a plan. */
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Problem, ProblemError } from '../../diagnostics/problem.ts';
import { openPrivateFile } from '../../files/privateFile.ts';
import { factsOf } from '../../kinds/knownCalls.ts';
import type { Run } from './journal.ts';
import { readIndex, writeIndex } from './journalIndex.ts';
import { type CollectedRun, type NumberedLine, RunCollector } from './journalRuns.ts';
import { openCalls } from './outcome.ts';

/** Returns the runs, the oldest first; none if the file does not exist. @throws ProblemError if the file is not a journal */
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
  /** Facts from the calls of all runs, by topic. */
  facts: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Reads what matters to a plan. Moves of the last `settleMs` matter, since listings may lag behind them.
 * @throws ProblemError if the file is not a journal
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
      // Dropped immediately, because the journal may be larger than memory.
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

/** Returns the run that applied the plan with this id. Reads only lines with this id, so that the run has no calls. */
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
/** Fewer bytes are read fast enough without an index. */
const indexedBytes = 128 * 1024;
/** The least time that runs stay relevant, since another declaration that shares the journal may have a longer settle time. */
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

const chunkBytes = 1024 * 1024;
/** Far more than the largest call needs. Longer lines are cut here and count as damaged. */
const longestLine = 64 * 1024 * 1024;

export interface LineBatch {
  lines: NumberedLine[];
  /** The position after the last of these lines. */
  end: Position;
}

export interface Position {
  bytes: number;
  lines: number;
}

/**
 * Yields the lines from `start` on. The last batch may hold a line without a line break, which its `end` does not count: another
 * process may still be writing it.
 */
export async function* readLines(handle: FileHandle, start: Position): AsyncGenerator<LineBatch> {
  const end = { ...start };
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let parts: Buffer[] = [];
  let partBytes = 0;
  const addPart = (part: Buffer) => {
    // The rest of a longer line is dropped: it would not fit into a string.
    if (partBytes < longestLine) parts.push(Buffer.from(part));
    partBytes += part.length;
  };
  const takeLine = (last: Buffer): NumberedLine => {
    addPart(last);
    const text = Buffer.concat(parts).toString('utf8');
    parts = [];
    partBytes = 0;
    return [end.lines + 1, text];
  };
  for (let position = start.bytes; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, chunkBytes, position);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    const lines: NumberedLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      lines.push(takeLine(chunk.subarray(from, at)));
      from = at + 1;
      end.lines += 1;
      end.bytes = position + from;
    }
    addPart(chunk.subarray(from));
    position += bytesRead;
    if (lines.length > 0) yield { lines, end: { ...end } };
  }
  if (partBytes > 0) yield { lines: [takeLine(Buffer.alloc(0))], end: { ...end } };
}
