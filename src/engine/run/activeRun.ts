/**
 * A run on an account: the one way in which every front sends calls. Resources with the same concurrency key are written one after the other, and each
 * call passes the gates in `gates.ts` before it is sent. Its caller holds the lock of the account.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { assertNoProblems } from '../../base/diagnostics/problem.ts';
import { outcomeOf } from '../../kinds/knownCalls.ts';
import type { Call, CallOutcome } from '../../kinds/seam/call.ts';
import type { CallRecord, Context, Recorder } from '../../kinds/seam/context.ts';
import type { ResourceId } from '../plan/plan.ts';
import { type Gates, passGates } from './gates.ts';
import type { JournaledCall, Run, RunResult, RunWriter } from './journal.ts';

/** The progress of a call, after it is in the journal. */
export type CallEvent =
  | { type: 'sending'; run: string; resource: ResourceId; call: Call }
  | { type: 'outcome'; run: string; resource: ResourceId; call: Call; outcome: CallOutcome; record: JournaledCall };

interface RunOptions extends Pick<Gates, 'inFlight' | 'stop'> {
  /** Begins the run in the log of the account. */
  begin(): Promise<RunWriter>;
  /** Returns the last runs of other names at the server. */
  recentOfOthers(): Promise<readonly Run[]>;
  onEvent?: ((event: CallEvent) => void) | undefined;
}

/** A resource that is written. */
export interface Writing<State> extends Pick<Gates, 'show' | 'unseen'> {
  resource: ResourceId;
  /** Returns the context of its kind, with this recorder. `lost` is aborted when another process has taken over the lock. */
  contextWith(recorder: Recorder, lost?: AbortSignal): Context;
  /** Plans again, sends the calls and reads back. @throws ProblemError, ServiceError */
  send(context: Context): Promise<State>;
}

export interface WriteOutcome<State> {
  /** The calls that were sent, in their order. */
  sent: readonly JournaledCall[];
  /** The live state after the calls; undefined after an error. */
  state?: State | undefined;
  error?: unknown;
}

export class ActiveRun {
  readonly #options: RunOptions;
  readonly #queues = new Map<string, LimitFunction>();
  #begun: Promise<RunWriter> | undefined;
  #writer: RunWriter | undefined;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  /** Begins the run in the log, unless it has begun. By default, its first call does. */
  async begin(): Promise<RunWriter> {
    this.#begun ??= this.#options.begin();
    try {
      this.#writer = await this.#begun;
      return this.#writer;
    } catch (error) {
      this.#begun = undefined;
      throw error;
    }
  }

  /** Runs an action when those before it with the same concurrency key have ended. */
  inTurn<T>(concurrencyKey: string, action: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(concurrencyKey) ?? pLimit(1);
    this.#queues.set(concurrencyKey, queue);
    return queue(action);
  }

  /** Sends the calls of a resource. Call it in its turn. An error is part of the result, because calls before it may have had an effect. */
  async write<State>(
    { resource, contextWith, send, ...own }: Writing<State>,
    lost?: AbortSignal,
  ): Promise<WriteOutcome<State>> {
    const { inFlight, stop } = this.#options;
    const calls = new Set<Call>();
    const recorder: Recorder = {
      sending: async (call) => {
        await passGates(call, { inFlight, stop, ...own });
        const writer = await this.begin();
        const record = await writer.sending(resource, call);
        await this.#assertSentByNoOther(call, record);
        calls.add(call);
        return this.#observed(writer, resource, call, record);
      },
    };
    const context = contextWith(recorder, lost);
    const result = await send(context).then(
      (state) => ({ state }),
      (error: unknown) => ({ error }),
    );
    const sent = this.#writer?.run.calls.filter(({ call }) => calls.has(call)) ?? [];
    inFlight.sent(sent, context);
    return { sent, ...result };
  }

  /** Ends the run in the log, if it has begun. By default, it is done if each of its calls is. */
  async end(result?: RunResult, left?: readonly Call[]): Promise<void> {
    const writer = await this.#begun;
    this.#begun = undefined;
    if (writer === undefined) return;
    const isDone = writer.run.calls.every((sent) => outcomeOf(sent) === 'done');
    await writer.end(result ?? (isDone ? 'done' : 'failed'), left);
  }

  /**
   * Other names at the server have locks of their own, and yet an IP exists once at a server. A run that looks after recording sees what was recorded
   * before; two that record at the same time may both be refused, which costs nothing.
   */
  async #assertSentByNoOther(call: Call, record: CallRecord): Promise<void> {
    const { inFlight, recentOfOthers } = this.#options;
    try {
      assertNoProblems(await inFlight.problemsBeside(call, recentOfOthers));
    } catch (error) {
      await record.withdraw();
      throw error;
    }
  }

  /** Reports a call that is in the journal, and each time that more is known about it. */
  #observed({ run }: RunWriter, resource: ResourceId, call: Call, record: CallRecord): CallRecord {
    const { onEvent } = this.#options;
    const journaled = run.calls.find((each) => each.call === call);
    if (onEvent === undefined || journaled === undefined) return record;
    const id = { run: run.id, resource, call };
    onEvent({ type: 'sending', ...id });
    const reporting =
      <Fact extends unknown[]>(write: (...fact: Fact) => Promise<void>) =>
      async (...fact: Fact) => {
        await write(...fact);
        onEvent({ type: 'outcome', ...id, outcome: outcomeOf(journaled), record: { ...journaled } });
      };
    return {
      answered: reporting(record.answered),
      failed: reporting(record.failed),
      withdraw: reporting(record.withdraw),
      seen: reporting(record.seen),
    };
  }
}
