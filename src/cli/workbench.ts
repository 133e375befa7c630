/** What the commands stand on: the configuration, the journal and a session, opened from flags and closed at the end. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { RequestEvent } from '../service/requestLog.ts';
import { bareConfig, type Config, loadConfig, type Settings } from '../sync/config.ts';
import { type Run, readJournal } from '../sync/journal.ts';
import { deletedPortsIn } from '../sync/outcome.ts';
import type { Session } from '../sync/session.ts';
import { version } from '../version.ts';
import type { Io } from './io.ts';
import type { ConnectionFlags, PlanFlags } from './options.ts';

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

const defaultFile = 'webdata.yaml';

/** @throws ProblemError with all that is wrong with the files */
export function configFrom({ file = [defaultFile], ...flags }: ConnectionFlags, io: Io): Promise<Config> {
  return loadConfig(file, settingsFrom(flags, io));
}

/** For commands that can do without a declaration. @throws ProblemError */
export async function configIfAny(flags: ConnectionFlags, io: Io): Promise<Config> {
  return isDeclarationThere(flags, io) ? configFrom(flags, io) : bareConfig(settingsFrom(flags, io));
}

/** Whether one is named, or stands where it is looked for. */
export function isDeclarationThere({ file }: Pick<ConnectionFlags, 'file'>, { cwd }: Pick<Io, 'cwd'>): boolean {
  return file !== undefined || existsSync(resolve(cwd, defaultFile));
}

function settingsFrom({ apiUrl, managerUrl }: ConnectionFlags, { env, cwd }: Io): Settings {
  return { env, apiUrl, managerUrl, folder: cwd };
}

/** Opens a workbench for as long as `action` takes. */
export async function withWorkbench<T>(
  flags: PlanFlags,
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

/** The files that `-f` names. */
export function declarationFiles(file: readonly string[] = [defaultFile]): readonly string[] {
  return file;
}

export function journalFile({ journal, file = [defaultFile] }: Pick<PlanFlags, 'journal' | 'file'>, io: Io): string {
  return resolve(io.cwd, journal ?? join(dirname(file[0] ?? defaultFile), '.webdata', 'journal.jsonl'));
}

/** One line a request, and one a body: they come redacted from the client. */
function requestLine({ method, url, attempt, ms, status, error, requestBody, responseBody }: RequestEvent): string {
  const again = attempt > 1 ? ` (attempt ${attempt})` : '';
  const lines = [
    `http: ${method} ${url}${again} -> ${error ?? status} in ${Math.round(ms)} ms`,
    ...(requestBody === undefined ? [] : [`http:   > ${requestBody}`]),
    ...(responseBody === undefined ? [] : [`http:   < ${responseBody}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
