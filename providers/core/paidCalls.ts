/**
 * The paid calls of an account, from the log that all fronts share: what others sent is looked up when an update takes the lock, and what the update
 * sends is recorded before it is sent. Without a backend, the log is that of this machine.
 */

import type { FrontName } from '../../src/base/diagnostics/fix.ts';
import type { Problem } from '../../src/base/diagnostics/problem.ts';
import type { Backend, LockOptions } from '../../src/engine/backend/backend.ts';
import { withMachineLock } from '../../src/engine/backend/folder/machineLock.ts';
import { ciJobUrl } from '../../src/engine/backend/holder.ts';
import { openBackend } from '../../src/engine/backend/open.ts';
import { accountKey, formerAccountKey } from '../../src/engine/declaration/accountKey.ts';
import type { Config } from '../../src/engine/declaration/config.ts';
import type { ResourceId } from '../../src/engine/plan/plan.ts';
import { type AccountLog, accountLogOf, runMetaOf } from '../../src/engine/run/accountLog.ts';
import { reconcileInFlight, resendProblems, type WithheldMove } from '../../src/engine/run/inFlight.ts';
import type { RunWriter } from '../../src/engine/run/journal.ts';
import type { Session } from '../../src/engine/run/sessionViews.ts';
import type { Call } from '../../src/kinds/call.ts';
import type { CallRecord } from '../../src/kinds/context.ts';
import { mayIncurCharges, outcomeOf } from '../../src/kinds/knownCalls.ts';
import type { Lock } from './sharedLock.ts';

export interface PaidCalls {
  /** Runs an action with the lock of the account, after it has looked up what others sent. */
  lock: Lock;
  /** Rejects if the lock is lost, also where this process was paused and has not noticed yet. */
  assertHeld(): Promise<void>;
  /** Records a call that is about to be sent with the lock; undefined for calls that cost nothing. */
  record(resource: ResourceId, call: Call): Promise<CallRecord | undefined>;
  /** Looks up what others sent, for a preview. A backend that cannot be read holds up the update only. */
  look(): Promise<void>;
  /** Returns why calls must not be sent: others sent their moves, and no listing shows them yet. */
  problems(calls: readonly Call[]): Problem[];
}

interface PaidCallsOptions {
  front: FrontName;
  waiting: Pick<LockOptions, 'timeoutMs' | 'signal' | 'onWait'>;
  /** True if accepted moves that no listing shows may be sent again. */
  resend: boolean;
  session(): Session;
}

export function createPaidCalls(config: Config, { front, waiting, resend, session }: PaidCallsOptions): PaidCalls {
  const { env } = process;
  const folder = process.cwd();
  const account = accountKey(config);
  const options = { ...waiting, command: front, folder, job: ciJobUrl(env) };
  const lagMs = config.service.profile.settleSeconds * 1000;
  let withheld: readonly WithheldMove[] = [];
  let assertHeld: (() => Promise<void>) | undefined;
  let run: Promise<RunWriter> | undefined;
  let opened: Promise<{ withLock: Backend['withLock']; log: AccountLog }> | undefined;
  let looking: Promise<void> | undefined;

  async function open() {
    const { backend: address } = config;
    const formerAccount = formerAccountKey(config);
    const backend = address && (await openBackend(address, { folder, env, account, formerAccount }));
    const log = accountLogOf(config, backend || undefined, { env });
    const withLock: Backend['withLock'] = backend
      ? backend.withLock
      : (lock, action) => withMachineLock(account, lock, action);
    return { withLock, log };
  }

  function known() {
    opened ??= open();
    return opened;
  }

  async function lookUp(log: AccountLog, record?: AccountLog['record']): Promise<void> {
    const { runs } = await log.recent(lagMs);
    withheld = await reconcileInFlight(runs, session().withFreshAccount(), { lagMs, record, resend });
  }

  async function endRun(): Promise<void> {
    const writer = await run;
    run = undefined;
    const isDone = writer?.run.calls.every((sent) => outcomeOf(sent) === 'done');
    await writer?.end(isDone ? 'done' : 'failed');
  }

  return {
    async lock(action) {
      const { withLock, log } = await known();
      return withLock(options, async (lost, isHeld) => {
        assertHeld = isHeld;
        try {
          await lookUp(log, log.record);
          return await action(lost);
        } finally {
          // Some managers are read with a PUT, which needs no lock.
          assertHeld = undefined;
          await endRun();
        }
      });
    },
    assertHeld: async () => assertHeld?.(),
    async record(resource, call) {
      if (!mayIncurCharges(call)) return undefined;
      const { log } = await known();
      run ??= log.begin({ command: 'apply', front, ...runMetaOf(config) });
      return (await run).sending(resource, call);
    },
    look() {
      looking ??= known()
        .then(({ log }) => lookUp(log))
        .catch(() => undefined);
      return looking;
    },
    problems: (calls) => resendProblems(calls, withheld),
  };
}
