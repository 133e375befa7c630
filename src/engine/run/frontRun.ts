/**
 * The run of a front that learns of its resources one after the other, such as Pulumi. The first write takes the lock of the account and looks up what
 * others have sent; the last one of those under way ends the run and releases the lock. Without a backend, the log is that of this machine.
 */
import type { FrontName } from '../../base/diagnostics/fix.ts';
import { movesOf } from '../../kinds/knownCalls.ts';
import { accountView } from '../../kinds/seam/accountView.ts';
import type { Call, SeenItems, SentCall } from '../../kinds/seam/call.ts';
import type { Overrides } from '../../kinds/seam/context.ts';
import { ciJobUrl, type LockHolder, waitingForLock } from '../backend/holder.ts';
import { openStackBackend } from '../configuredBackend.ts';
import type { Config } from '../declaration/config.ts';
import type { AccountBackend } from '../identity/accountBackend.ts';
import { type AccountLog, accountLogOf, runMetaOf } from './accountLog.ts';
import { ActiveRun, type WriteOutcome, type Writing } from './activeRun.ts';
import { connect } from './connections.ts';
import { FrontPlans, type FrontTarget, type PlanMessages } from './frontPlans.ts';
import { InFlight, lookUpOpen, unseenMoves, type WithheldMove } from './inFlight.ts';
import { pauseText } from './pauseText.ts';
import { createSession, type Session } from './session.ts';
import { type Lock, sharedLock } from './sharedLock.ts';

interface FrontRunOptions<Target> {
  front: FrontName;
  overrides: Overrides;
  /** The longest wait for another run to end. */
  lockTimeoutMs: number;
  /** Aborted, with a ProblemError, when no further call may begin. */
  stop: AbortSignal;
  /** True if accepted moves that no listing shows may be sent again. */
  resend: boolean;
  /** Shows what the user should know while it waits. */
  remark(text: string): void;
  messages: PlanMessages<Target>;
}

export class FrontRun<Target extends FrontTarget> {
  /** For reading and writing the live state. */
  readonly live: Session;
  /** For planning: keeps listings, and expects planned moves, until something is written. */
  readonly planning: Session;
  readonly plans: FrontPlans<Target>;
  readonly #config: Config;
  readonly #options: FrontRunOptions<Target>;
  readonly #inFlight: InFlight;
  readonly #lagMs: number;
  readonly #run: ActiveRun;
  readonly #lock: Lock;
  #opened: Promise<{ backend: AccountBackend; log: AccountLog }> | undefined;
  #looking: Promise<void> | undefined;
  #assertHeld: (() => Promise<void>) | undefined;
  #hasWritten = false;

  constructor(config: Config, options: FrontRunOptions<Target>) {
    const { front, stop, overrides, remark, messages } = options;
    this.#config = config;
    this.#options = options;
    this.#lagMs = config.service.profile.settleSeconds * 1000;
    const connections = connect(config, {
      readOnly: false,
      // Also where this process was paused and has not noticed yet that the lock is lost. Some reads are a PUT, which needs no lock.
      beforeWrite: async () => this.#assertHeld?.(),
      onPause: (pause) => remark(pauseText(pause)),
    });
    this.live = createSession(config, connections, { overrides });
    this.planning = this.live.withFreshAccount();
    const inFlight = new InFlight(this.#lagMs);
    this.#inFlight = inFlight;
    this.plans = new FrontPlans({ planning: this.planning, inFlight, look: () => this.#look(), messages });
    this.#run = new ActiveRun({
      begin: async () => {
        const { backend, log } = await this.#open();
        return log.begin({ command: 'apply', front, ...runMetaOf(backend.named(config)) });
      },
      recentOfOthers: async () => (await this.#open()).log.recentOfOthers(),
      inFlight,
      stop,
    });
    this.#lock = sharedLock((action) => this.#locked(action));
  }

  /** True once this process may have written anything. Live state that was read before is then out of date. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** True while the session for planning shows the live state: later it shows planned moves as done, and keeps listings from before a write. */
  get showsLive(): boolean {
    return !this.#hasWritten && !this.plans.expectsCalls();
  }

  /** Writes a resource with the lock and in its turn. Writes that wait for their turn keep the lock, so that what one has read holds for the next. */
  async write<State>(concurrencyKey: string, writing: Writing<State>): Promise<WriteOutcome<State>> {
    for (;;) {
      const written = await this.#lock((lost) =>
        this.#run.inTurn(concurrencyKey, async () => {
          // The lock was lost while the write waited for its turn.
          if (lost.aborted) return undefined;
          this.#hasWritten = true;
          return this.#run.write(writing, lost);
        }),
      );
      if (written !== undefined) return written;
    }
  }

  /** Runs a read while no resource with the same concurrency key writes. */
  read<T>(concurrencyKey: string, action: () => Promise<T>): Promise<T> {
    return this.#run.inTurn(concurrencyKey, action);
  }

  /**
   * Looks up calls that the state of a resource holds, after what others sent. Returns those that are still open, and their moves that the service
   * accepted. In a write, what others sent was looked up with the lock.
   */
  async recall(
    stored: readonly SentCall<Call>[],
    { isBeforeWrite }: { isBeforeWrite: boolean },
  ): Promise<{ open: SentCall<Call>[]; unseen: WithheldMove[] }> {
    // The calls of this process are newer.
    if (!isBeforeWrite && !this.#inFlight.hasSent) await this.#look();
    if (stored.length === 0 || this.#options.resend) return { open: [], unseen: [] };
    // A state has no clock, so the age of its calls is not known.
    const waiting = stored.map((sent) => ({ sent, deadline: performance.now() + this.#lagMs }));
    const found = await lookUpOpen(waiting, this.live.withFreshAccount(), this.#lagMs);
    // Zones that cannot be listed show nothing.
    const seenOf = (sent: SentCall<Call>) => found.get(sent) ?? nothingSeen(sent.call);
    const unseen = stored.flatMap((sent) => {
      const moves = unseenMoves(sent, seenOf(sent), 'an earlier update');
      this.#inFlight.inState(sent, moves);
      return moves;
    });
    return { open: stored.filter((sent) => isOpen(seenOf(sent))), unseen };
  }

  /** Looks up what others sent, for a preview. A backend that cannot be read holds up the update only. */
  #look(): Promise<void> {
    this.#looking ??= this.#open()
      .then(({ log }) => this.#lookUp(log))
      .catch(() => undefined);
    return this.#looking;
  }

  #open() {
    this.#opened ??= openLog(this.#config);
    return this.#opened;
  }

  async #lookUp(log: AccountLog, record?: AccountLog['record']): Promise<void> {
    const { runs } = await log.recent();
    await this.#inFlight.lookUp(runs, this.live.withFreshAccount(), { record, resend: this.#options.resend });
  }

  async #locked<T>(action: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const { front, lockTimeoutMs: timeoutMs, stop, remark } = this.#options;
    const { backend, log } = await this.#open();
    const options = {
      timeoutMs,
      onWait: (holder?: LockHolder) => remark(waitingForLock(holder, timeoutMs)),
      signal: stop,
      command: front,
      folder: process.cwd(),
      job: ciJobUrl(process.env),
    };
    return backend.withLock(options, async (lost, assertHeld) => {
      this.#assertHeld = assertHeld;
      this.live.view(accountView).forget();
      try {
        await this.#lookUp(log, log.record);
        return await action(lost);
      } finally {
        if (this.#assertHeld === assertHeld) this.#assertHeld = undefined;
        await this.#run.end();
      }
    });
  }
}

function isOpen({ notMoved, notVisible }: SeenItems): boolean {
  return notMoved.length + notVisible.length > 0;
}

function nothingSeen(call: Call): SeenItems {
  return { moved: [], notMoved: movesOf(call).map(({ ip }) => ip), elsewhere: [], notVisible: [] };
}

async function openLog(config: Config): Promise<{ backend: AccountBackend; log: AccountLog }> {
  const { env } = process;
  const backend = await openStackBackend(config, { cwd: process.cwd(), env });
  const { apiKey } = config.service;
  return { backend, log: accountLogOf(backend, { env, cwd: process.cwd(), apiKey }) };
}
