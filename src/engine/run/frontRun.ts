/**
 * The run of a front that learns of its resources one after the other, such as Pulumi. The first write takes the lock of the account and looks up what
 * others have sent; the last one of those under way ends the run and releases the lock. Without a backend, the log is that of this machine.
 */
import type { FrontName } from '../../base/diagnostics/fix.ts';
import { accountView } from '../../kinds/seam/accountView.ts';
import type { LockOptions } from '../backend/backend.ts';
import { ciJobUrl } from '../backend/holder.ts';
import { openStackBackend } from '../configuredBackend.ts';
import type { Config } from '../declaration/config.ts';
import type { AccountBackend } from '../identity/accountBackend.ts';
import { type AccountLog, accountLogOf, runMetaOf } from './accountLog.ts';
import { ActiveRun, type WriteOutcome, type Writing } from './activeRun.ts';
import { InFlight } from './inFlight.ts';
import type { Session } from './sessionViews.ts';
import { type Lock, sharedLock } from './sharedLock.ts';

interface FrontRunOptions {
  front: FrontName;
  session(): Session;
  waiting: Pick<LockOptions, 'timeoutMs' | 'onWait'>;
  /** Aborted, with a ProblemError, when no further call may begin. */
  stop: AbortSignal;
  /** True if accepted moves that no listing shows may be sent again. */
  resend: boolean;
}

export class FrontRun {
  readonly inFlight: InFlight;
  readonly #config: Config;
  readonly #options: FrontRunOptions;
  readonly #run: ActiveRun;
  readonly #lock: Lock;
  #opened: Promise<{ backend: AccountBackend; log: AccountLog }> | undefined;
  #looking: Promise<void> | undefined;
  #assertHeld: (() => Promise<void>) | undefined;
  #hasWritten = false;

  constructor(config: Config, options: FrontRunOptions) {
    const { front, stop } = options;
    this.#config = config;
    this.#options = options;
    this.inFlight = new InFlight(config.service.profile.settleSeconds * 1000);
    this.#run = new ActiveRun({
      begin: async () => {
        const { backend, log } = await this.#open();
        return log.begin({ command: 'apply', front, ...runMetaOf(backend.named(config)) });
      },
      inFlight: this.inFlight,
      stop,
    });
    this.#lock = sharedLock((action) => this.#locked(action));
  }

  /** True once this process may have written anything. Live state that was read before is then out of date. */
  get hasWritten(): boolean {
    return this.#hasWritten;
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

  /** Looks up what others sent, for a preview. A backend that cannot be read holds up the update only. */
  look(): Promise<void> {
    this.#looking ??= this.#open()
      .then(({ log }) => this.#lookUp(log))
      .catch(() => undefined);
    return this.#looking;
  }

  /** Rejects if the lock is lost, also where this process was paused and has not noticed it yet. Some reads are a PUT, which needs no lock. */
  assertHeld = async (): Promise<void> => this.#assertHeld?.();

  #open() {
    this.#opened ??= openLog(this.#config);
    return this.#opened;
  }

  async #lookUp(log: AccountLog, record?: AccountLog['record']): Promise<void> {
    const { session, resend } = this.#options;
    const { runs } = await log.recent();
    await this.inFlight.lookUp(runs, session().withFreshAccount(), { record, resend });
  }

  async #locked<T>(action: (lost: AbortSignal) => Promise<T>): Promise<T> {
    const { front, waiting, stop, session } = this.#options;
    const { backend, log } = await this.#open();
    const options = { ...waiting, signal: stop, command: front, folder: process.cwd(), job: ciJobUrl(process.env) };
    return backend.withLock(options, async (lost, assertHeld) => {
      this.#assertHeld = assertHeld;
      session().view(accountView).forget();
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

async function openLog(config: Config): Promise<{ backend: AccountBackend; log: AccountLog }> {
  const { env } = process;
  const backend = await openStackBackend(config, { cwd: process.cwd(), env });
  return { backend, log: accountLogOf(backend, { env, cwd: process.cwd() }) };
}
