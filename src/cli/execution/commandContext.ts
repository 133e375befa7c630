/** The configuration, the session and the backend that a command works with, opened from its flags and closed at its end. */
import type { Backend } from '../../backend/backend.ts';
import { printableLines } from '../../report/model/printable.ts';
import { damageWarning } from '../../report/text/historyText.ts';
import type { RequestEvent } from '../../service/transport/requestLog.ts';
import { type AccountBaseline, accountIn } from '../../sync/baseline/baseline.ts';
import { readBaseline } from '../../sync/baseline/baselineDocument.ts';
import { accountName, type Config } from '../../sync/config/config.ts';
import type { Run, RunMeta } from '../../sync/run/journal.ts';
import { readJournal, readRecentRuns } from '../../sync/run/journalReader.ts';
import type { Session, SessionOptions } from '../../sync/session.ts';
import { version } from '../../version.ts';
import type { ContextFlags } from '../options/options.ts';
import type { Io } from '../output/io.ts';
import { withBackend } from './backend.ts';

export interface CommandContext {
  config: Config;
  session: Session;
  /** Time that listings may lag behind a write. */
  settleMs: number;
  meta: RunMeta;
}

/** The context of commands that depend on earlier runs. */
export interface PlanningContext extends CommandContext {
  /** The backend with the runs. */
  backend: Backend;
  /** Runs on this account that still affect a plan. */
  recentRuns: readonly Run[];
  /** The declared state that was last applied to this account. Undefined if it is not known. */
  baseline: AccountBaseline | undefined;
}

/** Opens a context with the backend and the recent runs, and closes it when `action` has ended. */
export async function withPlanningContext<T>(
  flags: ContextFlags,
  io: Io,
  config: Config,
  action: (context: PlanningContext) => Promise<T>,
): Promise<T> {
  return withBackend(flags, io, config, (backend) => withRecentRuns(backend, flags, io, config, action));
}

/** Opens a context with the recent runs of a backend. */
export async function withRecentRuns<T>(
  backend: Backend,
  flags: ContextFlags,
  io: Io,
  config: Config,
  action: (context: PlanningContext) => Promise<T>,
  beforeWrite?: SessionOptions['beforeWrite'],
): Promise<T> {
  const recent = await readRecentRuns(backend, settleMsOf(config));
  const recentRuns = recent.runs.filter(isOnAccount(config));
  io.stderr.write(damageWarning(backend.logName, recentRuns));
  const baseline = accountIn(await readBaseline(backend), accountName(config));
  return withContext(flags, io, config, (context) => action({ ...context, backend, recentRuns, baseline }), {
    ...recent,
    beforeWrite,
  });
}

/** Returns all runs on this account, oldest first. */
export async function runsOf({ backend, config }: PlanningContext): Promise<Run[]> {
  return (await readJournal(backend)).filter(isOnAccount(config));
}

/** True also for runs that may have been on this account: those without a name of an account, and those whose first line is lost. */
export function isOnAccount(config: Config): (run: Run) => boolean {
  const { origin, account } = metaOf(config);
  return (run) =>
    run.command === 'unknown' || (run.origin === origin && (run.account ?? account) === (account ?? run.account));
}

/** Opens a context without a backend, and closes it when `action` has ended. */
export async function withContext<T>(
  flags: ContextFlags,
  io: Io,
  config: Config,
  action: (context: CommandContext) => Promise<T>,
  { facts, beforeWrite }: Pick<SessionOptions, 'facts' | 'beforeWrite'> = {},
): Promise<T> {
  // Commands that only read files should not wait for the HTTP client to load.
  const { openSession } = await import('../../sync/session.ts');
  const session = openSession(config, {
    timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
    retry: flags.retries === undefined ? undefined : { retries: flags.retries },
    onRequest: flags.logHttp ? (event) => io.stderr.write(requestLine(event)) : undefined,
    signal: io.signal,
    overrides: {
      allowMoves: flags.maxMoves,
      allowSelfLockout: flags.allowSelfLockout,
      allowUnclearListings: flags.allowUnclearListing,
      forcePorts: flags.forcePorts,
    },
    facts,
    beforeWrite,
  });
  try {
    return await action({
      config,
      session,
      settleMs: settleMsOf(config),
      meta: metaOf(config),
    });
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

/** Returns the lines of `--log-http`: the request, its bodies, and each value of an unexpected shape. The client has redacted them. */
export function requestLine(event: RequestEvent): string {
  const { method, url, attempt, ms, status, error, requestBody, responseBody, misfits = [] } = event;
  const again = attempt > 1 ? ` (attempt ${attempt})` : '';
  const lines = [
    `http: ${method} ${url}${again} -> ${error ?? status} in ${Math.round(ms)} ms`,
    ...(requestBody === undefined ? [] : [`http:   > ${requestBody}`]),
    ...(responseBody === undefined ? [] : [`http:   < ${responseBody}`]),
    ...misfits.map(({ path, found, expected, count }) => {
      const others = count > 1 ? ` (${count} such values)` : '';
      return `http:   ! ${path}: expected ${expected}, received ${found}${others}`;
    }),
  ];
  return printableLines(lines.map((line) => `${line}\n`).join(''));
}
