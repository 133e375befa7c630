/**
 * Writes the journal: every call of every run, before it is sent and again after its answer. After an interruption, it shows
 * what was done. It has one JSON object per line, and a line is durable before its call is sent.
 */
import { randomUUID } from 'node:crypto';
import type { Backend } from '../../backend/backend.ts';
import type { Call, Seen, SentCall } from '../../kinds/call.ts';
import type { CallRecord } from '../../kinds/context.ts';
import type { ResourceId } from '../plan/plan.ts';

/** Commands that apply a plan. */
export type Command = 'apply' | 'destroy' | 'undo';

/** Commands that send one call without a declaration. */
export type AdHocCommand = 'zones migrate' | 'manager delete-ports';

export interface RunHeader {
  command: Command | AdHocCommand;
  /** The origin of the service. */
  origin: string;
  /** The version of the tool. */
  version: string;
  /** The declared name of the account. */
  account?: string | undefined;
  /** The id of the plan file that was applied. */
  plan?: string | undefined;
  /** The run that was undone. */
  undoes?: string | undefined;
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
  ended?: { at: string; result: RunResult };
  /** Lines that cannot be read or that contradict others: the calls may be incomplete. */
  damage?: JournalDamage[];
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
  | { type: 'end'; run: string; at: string; result: RunResult };

/** Writes a run. */
export interface RunWriter {
  readonly run: Run;
  /** Returns the calls of a resource so far. */
  callsOf(resource: ResourceId): JournaledCall[];
  sending(resource: ResourceId, call: Call): Promise<CallRecord>;
  end(result: RunResult): Promise<void>;
}

/** Begins a run. Without a backend, only the `RunWriter` knows of the run. */
export async function beginRun(backend: Backend | undefined, header: RunHeader): Promise<RunWriter> {
  const log = await backend?.appendToLog();
  let calls = 0;
  const run: Run = { ...header, id: randomUUID(), startedAt: now(), calls: [] };
  // Only the line of a call that is about to be sent is urgent. If the line of an answer is lost, the next run looks the call up.
  const write = async (entry: Entry) =>
    log?.append([JSON.stringify(entry)], entry.type === 'sending' || entry.type === 'end' ? 'now' : 'can wait');
  await write({ type: 'run', run: run.id, at: run.startedAt, ...header });
  return {
    run,
    callsOf: ({ collection, name }) =>
      run.calls.filter(({ resource }) => resource.collection === collection && resource.name === name),
    async sending(resource, call) {
      const seq = calls++;
      const id = { run: run.id, seq };
      const journaled: JournaledCall = { seq, resource, call, sentAt: now() };
      run.calls.push(journaled);
      const forget = () => run.calls.splice(run.calls.indexOf(journaled), 1);
      try {
        await write({ type: 'sending', ...id, at: journaled.sentAt, resource, call });
      } catch (error) {
        forget();
        throw error;
      }
      return {
        async answered(answer) {
          journaled.answered = { at: now(), ...answer };
          await write({ type: 'answered', ...id, ...journaled.answered });
        },
        async failed(error) {
          journaled.failed = { at: now(), ...error };
          await write({ type: 'failed', ...id, ...journaled.failed });
        },
        async withdraw() {
          forget();
          journaled.failed = { at: now(), ...withdrawn };
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
      try {
        await write({ type: 'end', run: run.id, ...run.ended });
      } finally {
        await log?.close();
      }
    },
  };
}

const withdrawn = {
  code: 'not-sent',
  message: 'was not sent, because another call had failed meanwhile',
  effect: 'none',
} as const;

export interface ReadBackFinding {
  run: Run;
  call: JournaledCall;
  seen: Seen;
}

/** Adds the outcomes of calls that their own runs did not learn. */
export async function recordFindings(
  backend: Pick<Backend, 'appendToLog'>,
  findings: readonly ReadBackFinding[],
): Promise<void> {
  if (findings.length === 0) return;
  const log = await backend.appendToLog();
  const lines = findings.map(({ run, call, seen }) => {
    call.seen = { at: now(), final: true, ...seen };
    return JSON.stringify({ type: 'seen', run: run.id, seq: call.seq, ...call.seen } satisfies Entry);
  });
  try {
    await log.append(lines, 'can wait');
  } finally {
    await log.close();
  }
}

function now(): string {
  return new Date().toISOString();
}
