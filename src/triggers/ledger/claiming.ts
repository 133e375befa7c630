/**
 * Which waiting runs may be triggered now. A claim writes down that a request is about to be sent, before it is: whoever dies
 * after that leaves a lease that runs out, and a run of which nobody knows whether it was triggered.
 */
import { randomBytes } from 'node:crypto';
import type { Run } from '../model.ts';
import type { ScheduleSpec } from '../scheduleSpec.ts';
import type { Database, Queries } from '../store/database.ts';
import { ledgerNow } from './now.ts';
import { type RunRow, runOf } from './rows.ts';
import { makeTransition } from './transition.ts';

/** Longer than a request may take. */
export const leaseMs = 60_000;

export interface Limits {
  /** The most runs that are under way for the account, and for one collector or dataset. */
  account?: number | undefined;
  target?: number | undefined;
}

export interface Claim {
  run: Run;
  token: string;
  /** As it is stored: sealed. */
  spec: ScheduleSpec;
  lateAfterMs: number;
}

type Candidate = RunRow & { spec: string; overlap: ScheduleSpec['overlap']; active: number };

/** At most `free` runs, the oldest ticks first. `only` is one run, for who came for that one. */
export function claimWaiting(database: Database, free: number, limits: Limits, only?: string): Promise<Claim[]> {
  return database.transaction(async (queries) => {
    // Two that count what is under way at the same time would both find room for one more.
    if (database.dialect.name === 'postgres') await queries.query(`SELECT pg_advisory_xact_lock(${claimLock})`);
    const now = await ledgerNow(queries, database);
    const room = await roomIn(queries, limits);
    const candidates = await candidatesOf(queries, {
      now,
      free: Math.min(free, room.account),
      full: room.full(),
      only,
    });
    const claims: Claim[] = [];
    const taken = new Set<string>();
    for (const candidate of candidates) {
      const isTaken = taken.has(candidate.schedule_id);
      const overlaps = candidate.active > 0 || isTaken;
      if (overlaps && candidate.overlap === 'skip') await skip(queries, candidate, now);
      if (overlaps && (candidate.overlap === 'skip' || candidate.overlap === 'queue')) continue;
      if (!room.take(candidate.target)) continue;
      taken.add(candidate.schedule_id);
      claims.push(await claim(queries, candidate, now));
    }
    return claims;
  });
}

/** Any number, the same for every server on a database. */
const claimLock = 7_221_999;

const active = `('triggering', 'running')`;

interface Search {
  now: number;
  free: number;
  full: readonly string[];
  only: string | undefined;
}

function candidatesOf(queries: Queries, { now, free, full, only }: Search): Promise<Candidate[]> {
  const busy = `SELECT 1 FROM runs a WHERE a.schedule_id = r.schedule_id AND a.state IN ${active}`;
  return queries.query<Candidate>(
    `SELECT r.*, s.spec AS spec, s.overlap AS overlap, CASE WHEN EXISTS (${busy}) THEN 1 ELSE 0 END AS active
     FROM runs r JOIN schedules s ON s.id = r.schedule_id
     WHERE r.state = 'waiting' AND r.not_before <= ? AND NOT (s.overlap = 'queue' AND EXISTS (${busy}))
       ${full.length > 0 ? `AND r.target NOT IN (${full.map(() => '?').join(', ')})` : ''}
       ${only === undefined ? '' : 'AND r.id = ?'}
     ORDER BY r.tick_at, r.id LIMIT ${Math.max(0, free)}`,
    [now, ...full, ...(only === undefined ? [] : [only])],
  );
}

/** What the limits leave free. */
async function roomIn(queries: Queries, { account = Number.MAX_SAFE_INTEGER, target: each }: Limits) {
  const rows = await queries.query<{ target: string; count: number }>(
    `SELECT target, COUNT(*) AS count FROM runs WHERE state IN ${active} GROUP BY target`,
  );
  const counts = new Map(rows.map(({ target, count }) => [target, count]));
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const isFull = (target: string) => each !== undefined && (counts.get(target) ?? 0) >= each;
  return {
    account: account - total,
    full: () => [...counts.keys()].filter(isFull),
    take(target: string): boolean {
      if (isFull(target)) return false;
      counts.set(target, (counts.get(target) ?? 0) + 1);
      return true;
    },
  };
}

async function skip(queries: Queries, { id }: Candidate, at: number): Promise<void> {
  const text = 'an earlier run of this schedule was still under way (overlap: skip)';
  await makeTransition(queries, { run: id, from: ['waiting'], to: 'skipped', text, at });
}

async function claim(queries: Queries, candidate: Candidate, at: number): Promise<Claim> {
  const token = randomBytes(16).toString('hex');
  const attempts = candidate.attempts + 1;
  const set = { token, attempts, lease_until: at + leaseMs };
  const text = attempts === 1 ? 'about to be triggered' : `about to be triggered, attempt ${attempts}`;
  await makeTransition(queries, { run: candidate.id, from: ['waiting'], to: 'triggering', text, at, set });
  const run = runOf({ ...candidate, state: 'triggering', attempts });
  return { run, token, spec: JSON.parse(candidate.spec), lateAfterMs: candidate.late_after };
}

/** Whoever held these died, or can't reach the ledger: whether they were triggered is not known. */
export function expireLeases(database: Database): Promise<number> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries, database);
    const expired = await queries.query<{ id: string }>(
      `SELECT id FROM runs WHERE state = 'triggering' AND lease_until < ? LIMIT 500 ${database.dialect.skipLocked}`,
      [now],
    );
    for (const { id } of expired) {
      const text = 'whoever was sending it did not say what became of it';
      await makeTransition(queries, { run: id, from: ['triggering'], to: 'unknown', text, at: now });
    }
    return expired.length;
  });
}
