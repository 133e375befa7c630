/**
 * Claims waiting runs that may be triggered now. A claim is committed before the request is sent: if the server dies after that, its
 * lease runs out and the run becomes unknown.
 */
import { randomBytes } from 'node:crypto';
import type { ScheduledRun } from '../model.ts';
import { namesCommandSecret } from '../secrets/secrets.ts';
import type { DeliverySpec } from '../spec/deliverySpec.ts';
import type { ScheduleSpec } from '../spec/scheduleSpec.ts';
import { type Database, inParallel, type Queries } from '../store/database.ts';
import { leaseMs, preparationLeaseMs } from './leases.ts';
import { ledgerNow } from './now.ts';
import { scheduleRemoved } from './registration.ts';
import { type RunRow, runOf } from './rows.ts';
import { isExclusive } from './ticking.ts';
import { makeTransition, withdraw } from './transition.ts';

export interface ActiveRunLimits {
  /** The maximum number of active runs for the account, and for one collector or dataset. */
  account?: number | undefined;
  target?: number | undefined;
}

export interface Claim {
  run: ScheduledRun;
  token: string;
  /** The stored spec, with sealed secrets. */
  spec: ScheduleSpec;
  /** The stored delivery; undefined if the schedule has none, or names one that is not registered. */
  delivery: DeliverySpec | undefined;
  /** True if a secret command must run first. Then the request may be sent only after `startSending`. */
  isPreparing: boolean;
  preparations: Preparations;
  lateAfterMs: number;
}

/** The failed preparations of a run since its last request. */
export interface Preparations {
  failed: number;
  /** The time of the first failure. */
  since: number | null;
}

/** `overlap` is null if the schedule was deleted. */
type Candidate = RunRow & { overlap: ScheduleSpec['overlap'] | null; active: number };

/** Claims at most `free` runs, the oldest ticks first. `only` restricts it to one run. */
export function claimWaiting(
  database: Database,
  free: number,
  limits: ActiveRunLimits,
  only?: string,
): Promise<Claim[]> {
  return database.transaction(async (queries) => {
    // Two servers that count active runs at the same time would both see a free place.
    if (database.dialect.name === 'postgres') await queries.query(`SELECT pg_advisory_xact_lock(${claimLock})`);
    const now = await ledgerNow(queries, database);
    const room = await roomIn(queries, limits);
    const candidates = await candidatesOf(queries, {
      now,
      free: Math.min(free, room.account),
      full: room.full(),
      only,
    });
    const { claimed, withdrawn } = choose(candidates, room);
    await inParallel(withdrawn, ({ candidate, why }) => withdraw(queries, candidate, why, now));
    const claims = await inParallel(claimed, (candidate) => claim(queries, candidate, now));
    return claims.filter((made) => made !== undefined);
  });
}

interface Choice {
  claimed: Candidate[];
  withdrawn: { candidate: Candidate; why: string }[];
}

/** Decides which candidates are sent and which are withdrawn; the others keep waiting. */
function choose(candidates: readonly Candidate[], room: Room): Choice {
  const choice: Choice = { claimed: [], withdrawn: [] };
  const taken = new Set<string>();
  for (const candidate of candidates) {
    const { overlap, schedule_id, target } = candidate;
    const overlaps = candidate.active > 0 || taken.has(schedule_id);
    if (overlap === null) choice.withdrawn.push({ candidate, why: scheduleRemoved });
    else if (overlaps && overlap === 'skip') choice.withdrawn.push({ candidate, why: overlapText });
    else if (room.hasRoom(target) && !(overlaps && overlap === 'queue')) {
      room.take(target);
      taken.add(schedule_id);
      choice.claimed.push(candidate);
    }
  }
  return choice;
}

/** An arbitrary key of an advisory lock; all servers must use the same. */
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
    `SELECT r.*, s.overlap AS overlap, CASE WHEN EXISTS (${busy}) THEN 1 ELSE 0 END AS active
     FROM runs r LEFT JOIN schedules s ON s.id = r.schedule_id
     WHERE r.state = 'waiting' AND r.not_before <= ? AND NOT (COALESCE(s.overlap, '') = 'queue' AND EXISTS (${busy}))
       ${full.length > 0 ? `AND r.target NOT IN (${full.map(() => '?').join(', ')})` : ''}
       ${only === undefined ? '' : 'AND r.id = ?'}
     ORDER BY r.tick_at, r.id LIMIT ${Math.max(0, free)}`,
    [now, ...full, ...(only === undefined ? [] : [only])],
  );
}

interface Room {
  account: number;
  full(): string[];
  hasRoom(target: string): boolean;
  take(target: string): void;
}

/** Counts active runs against the limits. */
async function roomIn(
  queries: Queries,
  { account = Number.MAX_SAFE_INTEGER, target: each }: ActiveRunLimits,
): Promise<Room> {
  const rows = await queries.query<{ target: string; count: number }>(
    `SELECT target, COUNT(*) AS count FROM runs WHERE state IN ${active} GROUP BY target`,
  );
  const counts = new Map(rows.map(({ target, count }) => [target, count]));
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const isFull = (target: string) => each !== undefined && (counts.get(target) ?? 0) >= each;
  return {
    account: account - total,
    full: () => [...counts.keys()].filter(isFull),
    hasRoom: (target: string) => !isFull(target),
    take: (target: string) => void counts.set(target, (counts.get(target) ?? 0) + 1),
  };
}

const overlapText = 'an earlier run of this schedule was still active (overlap: skip)';

/** Returns undefined if the run has changed since it was selected: then nothing may be sent for it. */
async function claim(queries: Queries, candidate: Candidate, at: number): Promise<Claim | undefined> {
  // The claim includes the delivery, so that a store outage after the claim does not stop the request.
  const [schedule] = await queries.query<{ spec: string; delivery: string | null }>(
    `SELECT s.spec AS spec, d.spec AS delivery FROM schedules s
     LEFT JOIN deliveries d ON d.owner = s.owner AND d.name = s.delivery WHERE s.id = ?`,
    [candidate.schedule_id],
  );
  if (schedule === undefined) return undefined;
  const spec: ScheduleSpec = JSON.parse(schedule.spec);
  const delivery: DeliverySpec | undefined = deliveryOf(spec, schedule.delivery);
  const isPreparing = namesCommandSecret(delivery);
  const token = randomBytes(16).toString('hex');
  const attempts = candidate.attempts + 1;
  // The overlap policy may have changed since the run was made.
  const exclusive = isExclusive(candidate.overlap) ? 1 : 0;
  const set = {
    token,
    attempts,
    exclusive,
    preparing: isPreparing ? 1 : 0,
    lease_until: at + (isPreparing ? preparationLeaseMs : leaseMs),
  };
  const next = isPreparing ? 'looking up its secrets' : 'about to be triggered';
  const text = attempts === 1 ? next : `${next}, attempt ${attempts}`;
  const change = { run: candidate.id, from: ['waiting'], to: 'triggering', text, at, set } as const;
  if (!(await makeTransition(queries, change))) return undefined;
  const run = runOf({ ...candidate, state: 'triggering', attempts });
  const preparations = { failed: candidate.unprepared, since: candidate.unprepared_at };
  return { run, token, spec, delivery, isPreparing, preparations, lateAfterMs: candidate.late_after };
}

function deliveryOf({ delivery }: ScheduleSpec, registered: string | null): DeliverySpec | undefined {
  if (typeof delivery !== 'string') return delivery;
  return registered === null ? undefined : JSON.parse(registered);
}
