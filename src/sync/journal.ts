/**
 * The journal: every call of every run, written down before it is sent and again when its answer is there, so that an
 * interrupted run can say what was done. One JSON object a line, only ever appended, synced to disk before the call goes out.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type LineFile, openLineFile } from '../input/lineFile.ts';
import { type Problem, ProblemError } from '../input/problem.ts';
import type { Call } from '../resources/call.ts';
import type { CallRecord, Seen } from '../resources/context.ts';
import { parseEntry, type ReadEntry } from './journalEntry.ts';
import type { ResourceId } from './plan.ts';

/** What carries a plan out. */
export type Command = 'apply' | 'destroy' | 'undo';

/** What makes one call that somebody asks for, and no declaration. */
export type HandCommand = 'zones migrate' | 'manager delete-ports';

export interface RunHeader {
  command: Command | HandCommand;
  /** The API's origin. */
  origin: string;
  /** Of the tool. */
  version: string;
  /** The plan file that was applied. */
  plan?: string | undefined;
  /** The run that was undone. */
  undoes?: string | undefined;
}

export interface Run extends RunHeader {
  id: string;
  startedAt: string;
  calls: JournaledCall[];
  /** Absent when the run was interrupted, or is still under way. */
  ended?: { at: string; result: RunResult };
}

export type RunResult = 'done' | 'failed';

export interface JournaledCall {
  /** Its number in the run, from 0. */
  seq: number;
  resource: ResourceId;
  call: Call;
  sentAt: string;
  answered?: { at: string; count?: number };
  failed?: { at: string; code: string; message: string; effect: 'none' | 'unknown' };
  /** What the last read-back showed; `final` where a later run looked, when nothing could come of the call any more. */
  seen?: Seen & { at: string; final?: boolean };
}

type Entry =
  | ({ type: 'run'; run: string; at: string } & RunHeader)
  | { type: 'sending'; run: string; seq: number; at: string; resource: ResourceId; call: Call }
  | { type: 'answered'; run: string; seq: number; at: string; count?: number }
  | { type: 'failed'; run: string; seq: number; at: string; code: string; message: string; effect: 'none' | 'unknown' }
  | ({ type: 'seen'; run: string; seq: number; at: string } & Seen)
  | { type: 'end'; run: string; at: string; result: RunResult };

/** A run that is being written. */
export interface RunWriter {
  readonly run: Run;
  /** The calls of one resource, so far. */
  callsOf(resource: ResourceId): JournaledCall[];
  sending(resource: ResourceId, call: Call): Promise<CallRecord>;
  end(result: RunResult): Promise<void>;
}

/**
 * Begins a run. The file and its folder are made where they are missing, readable by their owner only. Without a file, nothing but
 * the `RunWriter` knows of the run.
 */
export async function beginRun(file: string | undefined, header: RunHeader): Promise<RunWriter> {
  const journal = file === undefined ? undefined : await openForAppend(file);
  const run: Run = { ...header, id: randomUUID(), startedAt: now(), calls: [] };
  const write = async (entry: Entry) => journal && append(journal, entry);
  await write({ type: 'run', run: run.id, at: run.startedAt, ...header });
  return {
    run,
    callsOf: ({ collection, name }) =>
      run.calls.filter(({ resource }) => resource.collection === collection && resource.name === name),
    async sending(resource, call) {
      const seq = run.calls.length;
      const id = { run: run.id, seq };
      const journaled: JournaledCall = { seq, resource, call, sentAt: now() };
      run.calls.push(journaled);
      await write({ type: 'sending', ...id, at: journaled.sentAt, resource, call });
      return {
        async answered(answer) {
          journaled.answered = { at: now(), ...answer };
          await write({ type: 'answered', ...id, ...journaled.answered });
        },
        async failed(error) {
          journaled.failed = { at: now(), ...error };
          await write({ type: 'failed', ...id, ...journaled.failed });
        },
        async seen(seen) {
          journaled.seen = { at: now(), ...seen };
          await write({ type: 'seen', ...id, ...journaled.seen });
        },
      };
    },
    async end(result) {
      run.ended = { at: now(), result };
      await write({ type: 'end', run: run.id, ...run.ended });
      await journal?.close();
    },
  };
}

/** Adds to a run that was interrupted what has become of one of its calls. */
export async function recordSeen(file: string, run: Run, call: JournaledCall, seen: Seen): Promise<void> {
  const journal = await openForAppend(file);
  call.seen = { at: now(), final: true, ...seen };
  await append(journal, { type: 'seen', run: run.id, seq: call.seq, ...call.seen });
  await journal.close();
}

/** The runs, the oldest first; none where there is no journal. Lines that a crash cut off are passed over. */
export async function readJournal(file: string): Promise<Run[]> {
  const runs = new Map<string, Run>();
  const text = await textOf(file);
  for (const [index, line] of text.split('\n').entries()) {
    const entry = parseEntry(line, index + 1, file);
    if (entry) addEntry(runs, entry);
  }
  if (runs.size === 0 && text.includes('\n')) throw new ProblemError([notAJournal(file)]);
  return [...runs.values()];
}

function notAJournal(file: string): Problem {
  return {
    code: 'not-a-journal',
    found: `${basename(file)} holds something else than the journal of runs`,
    fix: 'name another file with --journal',
  };
}

function addEntry(runs: Map<string, Run>, entry: ReadEntry): void {
  if (entry.type === 'run') {
    const { type: _, run: id, at: startedAt, ...header } = entry;
    runs.set(id, { ...header, id, startedAt, calls: [] });
    return;
  }
  const run = runs.get(entry.run);
  if (!run) return;
  if (entry.type === 'end') run.ended = { at: entry.at, result: entry.result };
  else if (entry.type === 'sending') {
    run.calls.push({ seq: entry.seq, resource: entry.resource, call: entry.call, sentAt: entry.at });
  } else {
    const { type, run: _, seq, ...what } = entry;
    const call = run.calls.find((other) => other.seq === seq);
    if (call) Object.assign(call, { [type]: what });
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

async function openForAppend(file: string): Promise<LineFile> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  return openLineFile(file, 0o600);
}

async function append(journal: LineFile, entry: Entry): Promise<void> {
  await journal.append(JSON.stringify(entry));
}

function now(): string {
  return new Date().toISOString();
}
