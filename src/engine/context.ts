/** The configuration, the session and the log that an operation works with. */

import type { Problem } from '../base/diagnostics/problem.ts';
import {
  type DeclarationBaseline,
  declarationsIn,
  factsIn,
  otherDeclarations,
  ownBaseline,
} from './baseline/baseline.ts';
import { readBaseline } from './baseline/baselineDocument.ts';
import { type MissingResource, missingResources } from './baseline/missing.ts';
import type { Neighbour } from './baseline/neighbours.ts';
import type { Config } from './declaration/config.ts';
import { declarationName, isGone, recordedPlace } from './declaration/places.ts';
import type { AccountBackend } from './identity/accountBackend.ts';
import { isSameAccount } from './identity/accountIdentity.ts';
import { accountRemarks } from './identity/accountRemarks.ts';
import { connectionTimes, type PlanningOptions, type SetupOptions, type Surroundings } from './options.ts';
import { type AccountLog, accountLogOf, runMetaOf } from './run/accountLog.ts';
import type { ConnectingOptions } from './run/connections.ts';
import { damageWarning } from './run/damageWarning.ts';
import { InFlight } from './run/inFlight.ts';
import type { Run, RunMeta } from './run/journal.ts';
import { createSession, type Session, type ViewingOptions } from './run/session.ts';

export interface SessionContext {
  config: Config;
  session: Session;
}

/** The context of operations that depend on earlier runs. */
export interface PlanningContext extends SessionContext {
  /** Time that listings may lag behind a write. */
  lagMs: number;
  meta: RunMeta;
  front: string | undefined;
  /** The folder that names of files start from. */
  cwd: string;
  backend: AccountBackend;
  /** The runs in the backend, and the paid calls of others on this machine. */
  log: AccountLog;
  /** The calls of earlier runs whose outcome is open. */
  inFlight: InFlight;
  /** Runs on this account that still affect a plan. */
  recentRuns: readonly Run[];
  /** The declared state that this declaration last applied to the account. Undefined if it is not known. */
  baseline: DeclarationBaseline | undefined;
  /** Resources that were applied and are no longer declared. */
  missing: readonly MissingResource[];
  /** The other declarations of the account. */
  neighbours: readonly Neighbour[];
  /** Problems that planning has found, which block nothing and belong to no resource. */
  warnings: Problem[];
  /** Problems for runs of which the plan takes moves back. */
  takenBack: Problem[];
  during: Surroundings['during'];
}

/** The surroundings of a session, beside the options. */
export type SessionSurroundings = Pick<Surroundings, 'env' | 'signal' | 'onRequest' | 'onPause' | 'onListing'> &
  Pick<ConnectingOptions, 'readOnly' | 'beforeWrite'>;

/** Reads what the backend of an account knows: the recent runs and the baseline. `facts` are for the session. */
export async function readMemory(
  { config, backend }: { config: Config; backend: AccountBackend },
  { env, cwd, warn, during, front }: Pick<Surroundings, 'env' | 'cwd' | 'warn' | 'during' | 'front'>,
): Promise<Omit<PlanningContext, 'config' | 'backend' | 'session'> & Pick<ViewingOptions, 'facts'>> {
  backend.assertNamed();
  const readingBaseline = readBaseline(backend);
  // Problems of the runs are reported first.
  readingBaseline.catch(() => undefined);
  const log = accountLogOf(backend, { env, cwd: config.folder, apiKey: config.service.apiKey });
  const { runs: recentRuns, facts: ofRuns } = await log.recent();
  const damage = damageWarning(
    backend.logName,
    recentRuns.filter(({ isOfOther }) => !isOfOther),
  );
  if (damage !== '') warn(damage);
  const document = await readingBaseline;
  const declarations = declarationsIn(document, backend.account);
  const places = config.places.map((place) => recordedPlace(place, backend));
  const isOwn = ({ isElsewhere, isOfOther }: Run) => !isElsewhere && !isOfOther;
  const isEmpty = !recentRuns.some(isOwn) && ofRuns.size === 0 && declarations.length === 0;
  const lagMs = config.service.profile.settleSeconds * 1000;
  return {
    lagMs,
    meta: runMetaOf(config),
    front,
    cwd,
    log,
    inFlight: new InFlight(lagMs),
    recentRuns,
    baseline: ownBaseline(declarations, places),
    missing: missingResources(document, config, { account: backend.account, places }),
    neighbours: otherDeclarations(declarations, places).map((other) => ({
      name: declarationName(other.places, config.places, backend, cwd),
      isGone: isGone(other.places, config.places, backend),
      places: other.places,
      resources: other.resources,
    })),
    warnings: await accountRemarks(backend, { isEmpty }),
    takenBack: [],
    during,
    facts: new Map([...factsIn(declarations), ...ofRuns]),
  };
}

/** Returns all runs on this account, oldest first. */
export async function runsOf({ log, backend }: Pick<PlanningContext, 'log' | 'backend'>): Promise<Run[]> {
  return (await log.all()).filter(isOnAccount(backend));
}

/** The last runs, which are read from the end of the log. */
const lastRuns = 50;

/** Returns the last runs on this account, oldest first. */
export async function lastRunsOf({ log, backend }: Pick<PlanningContext, 'log' | 'backend'>): Promise<Run[]> {
  return (await log.page({ limit: lastRuns })).filter(isOnAccount(backend));
}

/** True also for runs that may have been on this account: those without a name of an account, and those whose first line is lost. */
export function isOnAccount({ identity }: Pick<AccountBackend, 'identity'>): (run: Run) => boolean {
  return (run) => run.command === 'unknown' || isSameAccount(run, identity);
}

/** Opens a session without a backend, and closes it when `action` has ended. */
export async function withSession<T>(
  options: SetupOptions,
  surroundings: SessionSurroundings,
  config: Config,
  action: (context: SessionContext) => Promise<T>,
): Promise<T> {
  const { connect } = await import('./run/connections.ts');
  const connecting = sessionOptions(options, surroundings);
  const session = createSession(config, connect(config, connecting), connecting);
  try {
    return await action({ config, session });
  } finally {
    await session.close();
  }
}

export function sessionOptions(
  options: SetupOptions & Pick<PlanningOptions, 'zone'>,
  { env, signal, onRequest, onPause, onListing, readOnly, beforeWrite }: SessionSurroundings,
): ConnectingOptions & ViewingOptions {
  return {
    ...connectionTimes(options),
    env,
    onRequest,
    onPause,
    onListing,
    readOnly,
    beforeWrite,
    signal,
    overrides: {
      allowMoves: options.maxMoves,
      allowSelfLockout: options.allowSelfLockout,
      allowUnclearListings: options.allowUnclearListing,
      forcePorts: options.forcePorts,
      ...(options.zone && { zones: new Set(options.zone) }),
    },
    parallelism: options.parallelism,
  };
}
