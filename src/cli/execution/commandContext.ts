/** What the commands work with: the configuration, a session and the runs of the journal, opened from flags and closed at the end. */

import { printableLines } from '../../report/model/printable.ts';
import { damageWarning } from '../../report/text/historyText.ts';
import type { RequestEvent } from '../../service/transport/requestLog.ts';
import type { Config } from '../../sync/config/config.ts';
import type { Run } from '../../sync/run/journal.ts';
import { type RecentRuns, readJournal, readRecentRuns } from '../../sync/run/journalReader.ts';
import type { Session } from '../../sync/session.ts';
import { version } from '../../version.ts';
import type { WorkbenchFlags } from '../options/options.ts';
import type { Io } from '../output/io.ts';
import { journalFile } from './declaration.ts';

export interface Workbench {
  config: Config;
  session: Session;
  /** The journal's file. */
  journal: string;
  /** How long listings may lag behind a write. */
  settleMs: number;
  meta: { origin: string; version: string };
}

/** For commands that depend on what earlier runs did. */
export interface RunsWorkbench extends Workbench {
  /** The runs on this service that still matter to a plan. */
  recentRuns: readonly Run[];
}

/** Opens a workbench, with what matters of earlier runs, for as long as `action` takes. */
export async function withRunsWorkbench<T>(
  flags: WorkbenchFlags,
  io: Io,
  config: Config,
  action: (workbench: RunsWorkbench) => Promise<T>,
): Promise<T> {
  const file = journalFile(flags, io);
  const recent = await readRecentRuns(file, settleMsOf(config));
  const recentRuns = onOrigin(recent.runs, originOf(config));
  io.stderr.write(damageWarning(file, recentRuns));
  return withWorkbench(flags, io, config, (workbench) => action({ ...workbench, recentRuns }), recent);
}

/** All runs on this service, the oldest first. */
export async function runsOf({ journal, meta }: Workbench): Promise<Run[]> {
  return onOrigin(await readJournal(journal), meta.origin);
}

/** A run whose first line is lost may have been on any service. */
function onOrigin(runs: readonly Run[], origin: string): Run[] {
  return runs.filter((run) => run.origin === origin || run.command === 'unknown');
}

/** Opens a workbench for as long as `action` takes. The journal is not read. */
export async function withWorkbench<T>(
  flags: WorkbenchFlags,
  io: Io,
  config: Config,
  action: (workbench: Workbench) => Promise<T>,
  { facts }: Partial<RecentRuns> = {},
): Promise<T> {
  // What only reads files has no use for an HTTP client, and should not wait for it.
  const { openSession } = await import('../../sync/session.ts');
  const session = openSession(config, {
    timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
    retry: flags.retries === undefined ? undefined : { retries: flags.retries },
    onRequest: flags.logHttp ? (event) => io.stderr.write(requestLine(event)) : undefined,
    signal: io.signal,
    overrides: {
      allowMoves: flags.allowMoves,
      allowSelfLockout: flags.allowSelfLockout,
      allowUnclearListings: flags.allowUnclearListing,
      forcePorts: flags.forcePorts,
    },
    facts,
  });
  const meta = { origin: originOf(config), version };
  try {
    return await action({ config, session, journal: journalFile(flags, io), settleMs: settleMsOf(config), meta });
  } finally {
    await session.close();
  }
}

function originOf({ service: { url } }: Config): string {
  return url !== undefined && URL.canParse(url) ? new URL(url).origin : '';
}

function settleMsOf({ service }: Config): number {
  return service.profile.settleSeconds * 1000;
}

/** One line a request, one a body, and one for each value that does not fit: they come redacted from the client. */
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
