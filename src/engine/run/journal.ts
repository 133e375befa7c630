/**
 * Writes the journal: every call of every run, before it is sent and again after its answer. After an interruption, it shows
 * what was done. It has one JSON object per line, and a line is durable before its call is sent.
 */
import { randomUUID } from 'node:crypto';
import { mayIncurCharges } from '../../kinds/knownCalls.ts';
import type { Call, Seen, SentCall } from '../../kinds/seam/call.ts';
import type { CallRecord } from '../../kinds/seam/context.ts';
import type { Backend, LogWriter } from '../backend/backend.ts';
import type { ResourceId } from '../plan/plan.ts';
import { parseLine } from './journalEntry.ts';
import type { StartedBy } from './startedBy.ts';

/** Commands that apply a plan. */
export type Command = 'apply' | 'destroy' | 'undo';

/** Commands that send one call without a declaration. */
export type AdHocCommand = 'zones migrate';

export interface RunHeader {
  command: Command | AdHocCommand;
  /** The origin of the service. */
  origin: string;
  /** The version of the tool. */
  version: string;
  /** The declared name of the account. */
  account?: string | undefined;
  /** The front that made the run; the command line if it is absent. */
  front?: string | undefined;
  /** The maker of the run, and the commit. */
  by?: StartedBy | undefined;
  /** A digest of the API key. */
  key?: string | undefined;
  /** The id of the plan file that was applied. */
  plan?: string | undefined;
  /** The run that was undone. */
  undoes?: string | undefined;
  /** True for a run that was copied from an earlier place or name of the account: it comes before the runs of the log. */
  isEarlier?: boolean | undefined;
}

/** The parts of a run's header that plans and reports have too. */
export type RunMeta = Pick<RunHeader, 'origin' | 'version' | 'account'>;

export interface Run extends Omit<RunHeader, 'command'> {
  /** `unknown` where the first line of the run is missing or damaged. */
  command: RunHeader['command'] | 'unknown';
  id: string;
  startedAt: string;
  calls: JournaledCall[];
  /** Absent when the run was interrupted, or is still under way. */
  ended?: RunEnd;
  /** Lines that cannot be read or that contradict others: the calls may be incomplete. */
  damage?: JournalDamage[];
  /** True for a run of this machine that is not in the backend: of another folder, or of another front. */
  isElsewhere?: boolean;
  /** True for a run under another name of an account at the same server, which this front cannot look up. */
  isOfOther?: boolean;
  /** The least time in ms since the run wrote its last line, by the clock of the store. Absent if it is not known: then it may be a moment. */
  ageMs?: number;
}

interface RunEnd {
  at: string;
  result: RunResult;
  /** The calls that were planned and not sent. */
  left?: readonly Call[] | undefined;
}

interface JournalDamage {
  line: number;
  /** The fault of the line, as a phrase that follows its number. */
  found: string;
}

export type RunResult = 'done' | 'failed';

export interface JournaledCall extends SentCall<Call> {
  /** The number of the call in the run, from 0. */
  seq: number;
  resource: ResourceId;
}

type Entry =
  | ({ type: 'run'; run: string; at: string } & RunHeader)
  | { type: 'sending'; run: string; seq: number; at: string; resource: ResourceId; call: Call }
  | { type: 'answered'; run: string; seq: number; at: string; count?: number }
  | { type: 'failed'; run: string; seq: number; at: string; code: string; message: string; effect: 'none' | 'unknown' }
  | ({ type: 'seen'; run: string; seq: number; at: string } & Seen)
  | ({ type: 'end'; run: string } & RunEnd);

/** Writes a run. */
export interface RunWriter {
  readonly run: Run;
  sending(resource: ResourceId, call: Call): Promise<CallRecord>;
  /** `left` are the planned calls that were not sent. */
  end(result: RunResult, left?: readonly Call[]): Promise<void>;
}

/**
 * Begins a run. Without a backend, only the `RunWriter` knows of the run, and `machine`, the log of this machine, which keeps the paid calls of all
 * runs.
 */
export async function beginRun(
  backend: Pick<Backend, 'appendToLog'> | undefined,
  header: RunHeader,
  machine?: Pick<Backend, 'appendToLog'>,
): Promise<RunWriter> {
  const log = await backend?.appendToLog();
  let calls = 0;
  const run: Run = { ...header, id: randomUUID(), startedAt: now(), calls: [] };
  const head: Entry = { type: 'run', run: run.id, at: run.startedAt, ...header };
  const copy = machine && copyFrom(head, machine);
  const write = async (entry: Entry, isPaid = false) => {
    await Promise.all([append(log, entry), isPaid && copy?.write(entry)]);
  };
  await write(head);
  return {
    run,
    async sending(resource, call) {
      const seq = calls++;
      const id = { run: run.id, seq };
      const isPaid = mayIncurCharges(call);
      const journaled: JournaledCall = { seq, resource, call, sentAt: now() };
      run.calls.push(journaled);
      const forget = () => run.calls.splice(run.calls.indexOf(journaled), 1);
      try {
        await write({ type: 'sending', ...id, at: journaled.sentAt, resource, call }, isPaid);
      } catch (error) {
        forget();
        throw error;
      }
      return {
        async answered(answer) {
          journaled.answered = { at: now(), ...answer };
          await write({ type: 'answered', ...id, ...journaled.answered }, isPaid);
        },
        async failed(error) {
          journaled.failed = { at: now(), ...error };
          await write({ type: 'failed', ...id, ...journaled.failed }, isPaid);
        },
        async withdraw() {
          forget();
          journaled.failed = { at: now(), ...withdrawn };
          await write({ type: 'failed', ...id, ...journaled.failed }, isPaid);
        },
        async seen(seen) {
          journaled.seen = { at: now(), ...seen };
          await write({ type: 'seen', ...id, ...journaled.seen }, isPaid);
        },
      };
    },
    async end(result, left = []) {
      run.ended = { at: now(), result, ...(left.length > 0 && { left }) };
      const entry: Entry = { type: 'end', run: run.id, ...run.ended };
      try {
        await Promise.all([append(log, entry), copy?.end(entry)]);
      } finally {
        await log?.close();
      }
    },
  };
}

/** Only the line of a call that is about to be sent is urgent. If the line of an answer is lost, the next run looks the call up. */
async function append(log: LogWriter | undefined, entry: Entry): Promise<void> {
  await log?.append([JSON.stringify(entry)], entry.type === 'sending' || entry.type === 'end' ? 'now' : 'can wait');
}

/** Copies a run to another log, which is opened for the first entry that is written. */
function copyFrom(head: Entry, to: Pick<Backend, 'appendToLog'>) {
  let opened: Promise<LogWriter> | undefined;
  const open = async () => {
    const log = await to.appendToLog();
    await append(log, head);
    return log;
  };
  return {
    async write(entry: Entry): Promise<void> {
      opened ??= open();
      await append(await opened, entry);
    },
    async end(entry: Entry): Promise<void> {
      const log = await opened;
      try {
        if (log !== undefined) await append(log, entry);
      } finally {
        await log?.close();
      }
    },
  };
}

const withdrawn = {
  code: 'not-sent',
  message: 'was not sent: another call had failed, or another run had recorded the same move',
  effect: 'none',
} as const;

export interface ReadBackFinding {
  run: Run;
  call: JournaledCall;
  seen: Seen;
}

/** Adds the outcomes of calls that their own runs did not learn. Without a backend, only the runs in memory know them. */
export async function recordFindings(
  backend: Pick<Backend, 'appendToLog'> | undefined,
  findings: readonly ReadBackFinding[],
): Promise<void> {
  if (findings.length === 0) return;
  const log = await backend?.appendToLog();
  const lines = findings.map(({ run, call, seen }) => {
    call.seen = { at: now(), final: true, ...seen };
    return JSON.stringify({ type: 'seen', run: run.id, seq: call.seq, ...call.seen } satisfies Entry);
  });
  try {
    await log?.append(lines, 'can wait');
  } finally {
    await log?.close();
  }
}

/** Removes the lines of runs from the log. Call it with the lock. */
export async function removeRuns(backend: Backend, removed: readonly Run[]): Promise<void> {
  const ids = new Set(removed.map(({ id }) => id));
  if (ids.size === 0) return;
  await backend.dropLines((text) => {
    const parsed = parseLine(text);
    return parsed?.kind === 'entry' && ids.has(parsed.entry.run);
  });
}

function now(): string {
  return new Date().toISOString();
}
