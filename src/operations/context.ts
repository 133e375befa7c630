/** The configuration, the session and the backend that an operation works with, opened from its options and closed at its end. */
import type { Backend, LockOptions } from '../backend/backend.ts';
import { ciJobUrl, waitingForLock } from '../backend/holder.ts';
import type { Problem } from '../diagnostics/problem.ts';
import { damageWarning } from '../report/text/historyText.ts';
import { type AccountBaseline, accountIn } from '../sync/baseline/baseline.ts';
import { readBaseline } from '../sync/baseline/baselineDocument.ts';
import { accountKey, isSameAccount } from '../sync/config/accountKey.ts';
import type { Config } from '../sync/config/config.ts';
import { type AccountLog, accountLogOf } from '../sync/run/accountLog.ts';
import type { AdHocCommand, Command, Run, RunMeta } from '../sync/run/journal.ts';
import type { SessionOptions } from '../sync/session.ts';
import type { Session } from '../sync/sessionViews.ts';
import { printableLines } from '../values/printable.ts';
import { version } from '../version.ts';
import { assertJournalFolder, withBackend } from './backend.ts';
import type { SetupOptions, Surroundings } from './options.ts';

export interface SessionContext {
  config: Config;
  session: Session;
  /** Time that listings may lag behind a write. */
  settleMs: number;
  meta: RunMeta;
  front: string | undefined;
}

/** The context of operations that depend on earlier runs. */
export interface PlanningContext extends SessionContext {
  backend: Backend;
  /** The runs in the backend, and the paid calls of others on this machine. */
  log: AccountLog;
  /** Runs on this account that still affect a plan. */
  recentRuns: readonly Run[];
  /** The declared state that was last applied to this account. Undefined if it is not known. */
  baseline: AccountBaseline | undefined;
  /** Problems that planning has found, which block nothing and belong to no resource. */
  warnings: Problem[];
}

/** Opens a context with the backend and the recent runs, and closes it when `action` has ended. */
export function openPlanning<T>(
  options: SetupOptions,
  surroundings: Surroundings,
  config: Config,
  action: (context: PlanningContext) => Promise<T>,
): Promise<T> {
  return withBackend(options, surroundings, config, (backend) =>
    withRecentRuns(backend, options, surroundings, config, action),
  );
}

/** Opens a context under the lock of the service, so that only one operation writes at a time. The journal is read after locking. */
export function openExclusively<T>(
  command: Command | AdHocCommand,
  options: SetupOptions & { lockTimeout: number },
  surroundings: Surroundings,
  config: Config,
  action: (context: PlanningContext) => Promise<T>,
): Promise<T> {
  assertJournalFolder(options, surroundings, config);
  const timeoutMs = options.lockTimeout * 1000;
  const { cwd, env, signal: ending, warn } = surroundings;
  const lock: LockOptions = {
    timeoutMs,
    command: `webdata ${command}`,
    folder: cwd,
    job: ciJobUrl(env),
    onWait: (holder) => warn(printableLines(`${waitingForLock(holder, timeoutMs)}\n`)),
    signal: ending,
  };
  return withBackend(options, surroundings, config, (backend) =>
    backend.withLock(lock, (lost, beforeWrite) => {
      const signal = AbortSignal.any([ending, lost]);
      return withRecentRuns(backend, options, { ...surroundings, signal }, config, action, beforeWrite);
    }),
  );
}

async function withRecentRuns<T>(
  backend: Backend,
  options: SetupOptions,
  surroundings: Surroundings,
  config: Config,
  action: (context: PlanningContext) => Promise<T>,
  beforeWrite?: SessionOptions['beforeWrite'],
): Promise<T> {
  const readingBaseline = readBaseline(backend);
  // Problems of the runs are reported first.
  readingBaseline.catch(() => undefined);
  const log = accountLogOf(config, backend, surroundings);
  const recent = await log.recent(settleMsOf(config));
  const recentRuns = recent.runs;
  surroundings.warn(damageWarning(backend.logName, recentRuns));
  const baseline = accountIn(await readingBaseline, accountKey(config));
  const more = { ...recent, beforeWrite };
  return withSession(
    options,
    surroundings,
    config,
    (it) => action({ ...it, backend, log, recentRuns, baseline, warnings: [] }),
    more,
  );
}

/** Returns all runs on this account, oldest first. */
export async function runsOf({ log, config }: PlanningContext): Promise<Run[]> {
  return (await log.all()).filter(isOnAccount(config));
}

/** True also for runs that may have been on this account: those without a name of an account, and those whose first line is lost. */
export function isOnAccount(config: Config): (run: Run) => boolean {
  const account = metaOf(config);
  return (run) => run.command === 'unknown' || isSameAccount(run, account);
}

/** Opens a context without a backend, and closes it when `action` has ended. */
export async function withSession<T>(
  options: SetupOptions,
  { signal, onRequest, front }: Pick<Surroundings, 'signal' | 'onRequest' | 'front'>,
  config: Config,
  action: (context: SessionContext) => Promise<T>,
  { facts, beforeWrite }: Pick<SessionOptions, 'facts' | 'beforeWrite'> = {},
): Promise<T> {
  // Commands that only read files should not wait for the HTTP client to load.
  const { openSession } = await import('../sync/session.ts');
  const session = openSession(config, {
    timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
    retry: options.retries === undefined ? undefined : { retries: options.retries },
    onRequest,
    signal,
    overrides: {
      allowMoves: options.maxMoves,
      allowSelfLockout: options.allowSelfLockout,
      allowUnclearListings: options.allowUnclearListing,
      forcePorts: options.forcePorts,
    },
    parallelism: options.parallelism,
    facts,
    beforeWrite,
  });
  try {
    return await action({ config, session, settleMs: settleMsOf(config), meta: metaOf(config), front });
  } finally {
    await session.close();
  }
}

function metaOf({ account, service: { url = '' } }: Config): RunMeta {
  const origin = URL.canParse(url) ? new URL(url).origin : '';
  return { origin, version, ...(account !== undefined && { account }) };
}

function settleMsOf({ service }: Config): number {
  return service.profile.settleSeconds * 1000;
}
