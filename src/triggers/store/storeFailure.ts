/** Failures of the store, with its name and the cause: for the API, probes, the log and alerts. */
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { type PostgresFailure, postgresFailure } from '../../base/drivers/postgresFailure.ts';

export class StoreOutage extends ProblemError {
  override name = 'StoreOutage';
  readonly problem: Problem;
  /** True if no later attempt can succeed, unless a setting changes. */
  readonly isPermanent: boolean;

  constructor(problem: Problem, isPermanent: boolean) {
    super([problem]);
    this.problem = problem;
    this.isPermanent = isPermanent;
  }
}

/** Returns undefined for errors of this program. */
export function postgresOutage(store: string, error: unknown): StoreOutage | undefined {
  const failure = postgresFailure(error);
  if (failure === undefined) return undefined;
  const { kind, cause, fix = usualFix } = failure;
  const found = kind === 'away' ? `the store ${store} does not answer: ${cause}` : `the store ${store}: ${cause}`;
  const { code, isPermanent } = outages[kind];
  return new StoreOutage({ code, found, fix }, isPermanent);
}

const usualFix = 'check that the database is up and reachable, and its log; the trigger service keeps retrying';

/** `isPermanent`: no later attempt can succeed, unless a setting changes. */
const outages: Readonly<Record<PostgresFailure['kind'], { code: string; isPermanent: boolean }>> = {
  away: { code: 'store-away', isPermanent: false },
  full: { code: 'store-full', isPermanent: false },
  'read-only': { code: 'store-read-only', isPermanent: false },
  denied: { code: 'store-denied', isPermanent: true },
  'no-permission': { code: 'store-denied', isPermanent: true },
  'no-database': { code: 'store-absent', isPermanent: true },
  'refused-parameter': { code: 'store-refused', isPermanent: true },
  'wrong-encoding': { code: 'store-unsuitable', isPermanent: true },
  tls: { code: 'store-tls', isPermanent: true },
  refused: { code: 'store-refused', isPermanent: false },
};

/** Returns undefined for errors of this program. */
export function sqliteOutage(store: string, error: unknown): StoreOutage | undefined {
  const { errcode, code } = error as { errcode?: number; code?: string };
  if (code === 'ERR_INVALID_STATE') {
    const found = `the store ${store} does not answer: it is closed`;
    return new StoreOutage({ code: 'store-away', found, fix: 'start the trigger service again' }, false);
  }
  if (errcode === undefined) return undefined;
  // The low byte is the kind, the rest specifies it.
  const known = sqliteFailures[errcode & 0xff];
  if (known === undefined) return undefined;
  const { cause, ...problem } = known;
  return new StoreOutage({ ...problem, found: `the store ${store}: ${cause}` }, false);
}

const sqliteFailures: Readonly<Record<number, { code: string; cause: string; fix: string }>> = {
  5: { code: 'store-busy', cause: 'another process keeps it locked', fix: 'end the process that has the file open' },
  8: {
    code: 'store-read-only',
    cause: 'it cannot be written: the file or its file system is read-only, or the file was replaced',
    fix: 'make the file and its folder writable for the trigger service; after a replacement, restart it',
  },
  10: { code: 'store-failing', cause: 'its disk reports an error', fix: 'check the disk, its quota and its mount' },
  11: { code: 'store-damaged', cause: 'the file is damaged', fix: 'restore a backup, or start with a new file' },
  13: {
    code: 'store-full',
    cause: 'no space is left on its disk',
    fix: 'free space; the trigger service then continues',
  },
  14: { code: 'store-away', cause: 'the file cannot be opened', fix: 'check the folder and its permissions' },
  26: { code: 'store-damaged', cause: 'the file is no database', fix: 'name another file' },
};
