/**
 * The one entrance to an account, for commands, programs and rehearsals: `await using account = await openAccount(options)`. It reads the
 * declaration and opens the backend once. Each operation opens a session, with the runs that matter to it; those that send calls hold the lock.
 */

import { printableLine } from '../base/values/printable.ts';
import type { AccountDrift, AccountPlan, AccountRun } from './accountResults.ts';
import type { Confirmed } from './baseline/baseline.ts';
import { updateBaseline } from './baseline/baselineDocument.ts';
import { carryOut, executionOf, type SendingOptions } from './carryOut.ts';
import { assertJournalFolder, lockFor, openAccountBackend } from './configuredBackend.ts';
import { configFrom, configFromFound, configIfAny } from './configuredDeclaration.ts';
import { type PlanningContext, readMemory, type SessionSurroundings, sessionOptions } from './context.ts';
import type { Config } from './declaration/config.ts';
import type { AccountBackend } from './identity/accountBackend.ts';
import type { PlanningOptions, Surroundings } from './options.ts';
import type { PlanFile } from './plan/planFile.ts';
import { planOf } from './plan/planner.ts';
import { selectorsOfZones } from './plan/selector.ts';
import { assertDeclaredByPlan, assertNoPlanOptions, filesOfPlan, selectedIn } from './plan/upToDate.ts';
import { accountDrift, accountPlan, planLive, planOfFile } from './planAccount.ts';
import type { AdHocCommand, Command } from './run/journal.ts';
import { pauseText } from './run/pauseText.ts';
import { createSession } from './run/session.ts';
import { undoExecution } from './undo/undoExecution.ts';

export interface AccountOptions extends PlanningOptions, Partial<Surroundings> {
  /** The longest time to wait for another run to end, in seconds. */
  lockTimeout?: number;
  /** A plan that was reviewed: `apply` applies it if the same calls are still needed. */
  planFile?: PlanFile | undefined;
  /** The declaration, if it was read already. */
  config?: Config;
  /** True for operations that need no declaration, such as undo. */
  isDeclarationOptional?: boolean;
}

/** @throws ProblemError with every problem of the declaration */
export async function openAccount(options: AccountOptions = {}): Promise<OpenedAccount> {
  const surroundings = surroundingsOf(options);
  const { config, ...named } = await readDeclaration(options, surroundings);
  const chosen = { ...options, ...named, ...choiceOf(options, config) };
  return new OpenedAccount(config, await openAccountBackend(chosen, surroundings, config), chosen, surroundings);
}

/** With a plan file, reads the declaration of `-f`, or the files that the plan names. @throws ProblemError */
async function readDeclaration(
  options: AccountOptions,
  surroundings: Surroundings,
): Promise<{ config: Config; file?: string[] }> {
  const { planFile, file, isDeclarationOptional } = options;
  if (planFile === undefined) {
    const read = isDeclarationOptional ? configIfAny : configFrom;
    return { config: options.config ?? (await read(options, surroundings)) };
  }
  assertNoPlanOptions(options);
  const files = file ?? filesOfPlan(planFile, surroundings.cwd);
  const config = await (file ? configFrom(options, surroundings) : configFromFound(files, options, surroundings));
  assertDeclaredByPlan(planFile, config);
  return { config, file: [...files] };
}

/** Returns the resources that `--zone` or a plan file chooses. @throws ProblemError for a zone that no resource names */
function choiceOf({ planFile, zone }: AccountOptions, config: Config): Pick<AccountOptions, 'select' | 'zone'> {
  // Apply does not consider what --select left out of the plan.
  if (planFile?.selected) return { select: selectedIn(planFile), zone: planFile.zones };
  return zone ? { select: selectorsOfZones(zone, config) } : {};
}

function surroundingsOf(options: AccountOptions): Surroundings {
  const {
    cwd = process.cwd(),
    env = process.env,
    stdin,
    signal = new AbortController().signal,
    warn = () => undefined,
    during = (_phase, work) => work(),
    onRequest,
    onPause = (pause) => warn(printableLine(pauseText(pause))),
    onListing,
  } = options;
  // The command line says that it is no program.
  const front = Object.hasOwn(options, 'front') ? options.front : 'program';
  return { cwd, env, stdin, signal, warn, during, onRequest, onPause, onListing, front };
}

export class OpenedAccount implements AsyncDisposable {
  readonly backend: AccountBackend;
  readonly #config: Config;
  readonly #options: AccountOptions;
  readonly #surroundings: Surroundings;

  constructor(config: Config, backend: AccountBackend, options: AccountOptions, surroundings: Surroundings) {
    this.#config = config;
    this.backend = backend;
    this.#options = options;
    this.#surroundings = surroundings;
  }

  /** The declaration, with the name of the account: under the lock, that may be another one than before. */
  get config(): Config {
    return this.backend.named(this.#config);
  }

  /** Compares the declaration with the live state. Sends no writing request. */
  plan(): Promise<AccountPlan> {
    return this.read(async (context) => {
      const planned = await planLive(context, this.#options, 'update');
      return accountPlan({ plan: planOf(planned), planned, mode: 'plan' }, context, this.#options);
    });
  }

  /** Compares the live state with what was applied last, without sending a writing request. */
  drift(): Promise<AccountDrift> {
    return this.read(async (context) =>
      accountDrift(await planLive(context, this.#options, 'update'), context, this.#options),
    );
  }

  /** Makes the live state as declared, or as the plan file says. */
  apply(sending: SendingOptions = {}): Promise<AccountRun> {
    const { planFile } = this.#options;
    return this.write('apply', async (context) => {
      if (planFile === undefined) {
        const planned = await planLive(context, this.#options, 'update', true);
        return carryOut(executionOf(planned, 'update', context, this.#options), context, this.#sending(sending));
      }
      const planned = await planOfFile(planFile, context, this.#options);
      const { header, ...execution } = executionOf(planned, planFile.intent, context, this.#options);
      return carryOut({ ...execution, header: { ...header, plan: planFile.id } }, context, this.#sending(sending));
    });
  }

  /** Runs what `onDelete` of the selected resources says. */
  destroy(sending: SendingOptions = {}): Promise<AccountRun> {
    return this.write('destroy', async (context) => {
      const planned = await planLive(context, this.#options, 'delete', true);
      return carryOut(executionOf(planned, 'delete', context, this.#options), context, this.#sending(sending));
    });
  }

  /** Undoes a run, by default the last one. `run` is its id, or the beginning of it. */
  undo({ run, ...sending }: SendingOptions & { run?: string | undefined } = {}): Promise<AccountRun> {
    return this.write('undo', async (context) =>
      carryOut(await undoExecution(run, context, this.#options), context, this.#sending(sending)),
    );
  }

  #sending(sending: SendingOptions): Parameters<typeof carryOut>[2] {
    return { ...this.#options, ...this.#surroundings, ...sending };
  }

  /** Runs an action that reads the live state and the log. */
  read<T>(action: (context: PlanningContext) => Promise<T>): Promise<T> {
    return this.#inSession(action, { ...this.#surroundings, readOnly: true });
  }

  /** Runs an action with a session and what the backend remembers. */
  async #inSession<T>(action: (context: PlanningContext) => Promise<T>, connecting: SessionSurroundings): Promise<T> {
    const { config, backend } = this;
    const { facts, ...memory } = await readMemory({ config, backend }, this.#surroundings);
    // Commands that only read files should not wait for the HTTP client to load.
    const { connect } = await import('./run/connections.ts');
    const options = { ...sessionOptions(this.#options, connecting), facts };
    const session = createSession(config, connect(config, options), options);
    try {
      return await action({ ...memory, config, backend, session });
    } finally {
      await session.close();
    }
  }

  /** Runs an action that may send calls, under the lock of the account. The log is read after locking. */
  async write<T>(command: Command | AdHocCommand, action: (context: PlanningContext) => Promise<T>): Promise<T> {
    assertJournalFolder(this.#options, this.#surroundings, this.config);
    const locking = Promise.withResolvers<void>();
    const waiting = this.#surroundings.during('waiting for the lock', () => locking.promise);
    const locked = this.backend.withLock(
      lockFor(command, this.#options, this.#surroundings),
      async (lost, beforeWrite) => {
        locking.resolve();
        await waiting;
        const signal = AbortSignal.any([this.#surroundings.signal, lost]);
        return this.#inSession(action, { ...this.#surroundings, signal, readOnly: false, beforeWrite });
      },
    );
    return locked.finally(locking.resolve);
  }

  /** Records, under the lock, what was agreed without a call. */
  async record(command: string, confirmed: readonly Confirmed[]): Promise<void> {
    if (confirmed.length === 0) return;
    await this.backend.withLock(lockFor(command, this.#options, this.#surroundings), () =>
      updateBaseline(this.backend, this.config, confirmed, undefined),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.backend.close();
  }
}
