/** What the commands stand on: the configuration, the journal and a session, opened from flags and closed at the end. */
import { printableLines } from '../report/printable.ts';
import type { RequestEvent } from '../service/requestLog.ts';
import type { Config } from '../sync/config.ts';
import { type Run, readJournal } from '../sync/journal.ts';
import { deletedPortsIn } from '../sync/outcome.ts';
import type { Session } from '../sync/session.ts';
import { version } from '../version.ts';
import { journalFile } from './declaration.ts';
import type { Io } from './io.ts';
import type { WorkbenchFlags } from './options.ts';

export interface Workbench {
  config: Config;
  session: Session;
  /** The journal's file, and the runs on this service that it holds. */
  journal: string;
  runs: readonly Run[];
  /** How long listings may lag behind a write. */
  settleMs: number;
  meta: { origin: string; version: string };
}

/** Opens a workbench for as long as `action` takes. */
export async function withWorkbench<T>(
  flags: WorkbenchFlags,
  io: Io,
  config: Config,
  action: (workbench: Workbench) => Promise<T>,
): Promise<T> {
  const journal = journalFile(flags, io);
  const journaled = await readJournal(journal);
  // What only reads files has no use for an HTTP client, and should not wait for it.
  const { openSession } = await import('../sync/session.ts');
  const session = openSession(config, {
    timeoutMs: flags.timeout === undefined ? undefined : flags.timeout * 1000,
    retry: flags.retries === undefined ? undefined : { retries: flags.retries },
    onRequest: flags.logHttp ? (event) => io.stderr.write(requestLine(event)) : undefined,
    signal: io.signal,
    overrides: { allowMoves: flags.allowMoves, allowSelfLockout: flags.allowSelfLockout, forcePorts: flags.forcePorts },
    deletedPorts: deletedPortsIn(journaled),
  });
  const { service } = config;
  const origin = service.url !== undefined && URL.canParse(service.url) ? new URL(service.url).origin : '';
  const runs = journaled.filter((run) => run.origin === origin);
  const settleMs = service.profile.settleSeconds * 1000;
  try {
    return await action({ config, session, journal, runs, settleMs, meta: { origin, version } });
  } finally {
    await session.close();
  }
}

/** One line a request, and one a body: they come redacted from the client. */
function requestLine({ method, url, attempt, ms, status, error, requestBody, responseBody }: RequestEvent): string {
  const again = attempt > 1 ? ` (attempt ${attempt})` : '';
  const lines = [
    `http: ${method} ${url}${again} -> ${error ?? status} in ${Math.round(ms)} ms`,
    ...(requestBody === undefined ? [] : [`http:   > ${requestBody}`]),
    ...(responseBody === undefined ? [] : [`http:   < ${responseBody}`]),
  ];
  return printableLines(lines.map((line) => `${line}\n`).join(''));
}
