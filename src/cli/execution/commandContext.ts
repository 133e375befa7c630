/** The configuration, the session and the journal that a command works with, opened from its flags and closed at its end. */
import { printableLines } from '../../report/model/printable.ts';
import { damageWarning } from '../../report/text/historyText.ts';
import type { RequestEvent } from '../../service/transport/requestLog.ts';
import { type AccountBaseline, accountIn } from '../../sync/baseline/baseline.ts';
import { baselineFile, readBaseline } from '../../sync/baseline/baselineFile.ts';
import { accountName, type Config } from '../../sync/config/config.ts';
import type { Run, RunMeta } from '../../sync/run/journal.ts';
import { type RecentRuns, readJournal, readRecentRuns } from '../../sync/run/journalReader.ts';
import type { Session } from '../../sync/session.ts';
import { version } from '../../version.ts';
import type { ContextFlags } from '../options/options.ts';
import type { Io } from '../output/io.ts';
import { journalFile } from './declaration.ts';

export interface CommandContext {
  config: Config;
  session: Session;
  /** Path of the journal. */
  journal: string;
  /** Time that listings may lag behind a write. */
  settleMs: number;
  meta: RunMeta;
}

/** The context of commands that depend on earlier runs. */
export interface PlanningContext extends CommandContext {
  /** Runs on this account that still affect a plan. */
  recentRuns: readonly Run[];
  /** The declared state that was last applied to this account. Undefined if it is not known. */
  baseline: AccountBaseline | undefined;
}

/** Opens a context with the recent runs, and closes it when `action` has ended. */
export async function withPlanningContext<T>(
  flags: ContextFlags,
  io: Io,
  config: Config,
  action: (context: PlanningContext) => Promise<T>,
): Promise<T> {
  const file = journalFile(flags, io);
  const recent = await readRecentRuns(file, settleMsOf(config));
  const recentRuns = onAccount(recent.runs, metaOf(config));
  io.stderr.write(damageWarning(file, recentRuns));
  const baseline = accountIn(await readBaseline(baselineFile(file)), accountName(config));
  return withContext(flags, io, config, (context) => action({ ...context, recentRuns, baseline }), recent);
}

/** Returns all runs on this account, oldest first. */
export async function runsOf({ journal, meta }: CommandContext): Promise<Run[]> {
  return onAccount(await readJournal(journal), meta);
}

/** Includes runs that may have been on this account: those without a name of an account, and those whose first line is lost. */
function onAccount(runs: readonly Run[], { origin, account }: RunMeta): Run[] {
  const isSame = (run: Run) => run.origin === origin && (run.account ?? account) === (account ?? run.account);
  return runs.filter((run) => isSame(run) || run.command === 'unknown');
}

/** Opens a context without reading the journal, and closes it when `action` has ended. */
export async function withContext<T>(
  flags: ContextFlags,
  io: Io,
  config: Config,
  action: (context: CommandContext) => Promise<T>,
  { facts }: Partial<RecentRuns> = {},
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
  });
  try {
    return await action({
      config,
      session,
      journal: journalFile(flags, io),
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
