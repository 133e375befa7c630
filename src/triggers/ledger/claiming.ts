/**
 * Claims waiting runs that may be triggered now. A claim is committed before the request is sent: if the server dies after that, its
 * lease runs out and the run becomes unknown.
 */
import { randomBytes } from 'node:crypto';
import type { ScheduledRun } from '../api/runs.ts';
import type { DeliverySpec } from '../declared/deliverySpec.ts';
import { keepOf, type ScheduleSpec } from '../declared/scheduleSpec.ts';
import { durationMs } from '../declared/timingSpec.ts';
import { type Database, type Queries, rowSet } from '../store/database.ts';
import { leaseMs } from './leases.ts';
import { ledgerNow } from './now.ts';
import { type RunRow, runOf } from './rows.ts';
import { scheduleRemoved } from './schedules.ts';
import { isExclusive } from './ticking.ts';
import { makeTransitions, type Transition, withdrawal } from './transition.ts';

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
  /** The time of the first failed preparation since the last request. */
  unpreparedSince: number | null;
  lateAfterMs: number;
}

/** `overlap` is null if the schedule was deleted. */
type Candidate = RunRow & { overlap: ScheduleSpec['overlap'] | null; active: number };

/** Claims at most `free` runs, the oldest ticks first. */
export function claimWaiting(database: Database, free: number, limits: ActiveRunLimits): Promise<Claim[]> {
  return database.transaction(async (queries) => {
    // Two servers that count active runs at the same time would both see a free place. PostgreSQL runs the statements in this order.
    const isShared = database.dialect.name === 'postgres';
    const locked = isShared ? queries.query(`SELECT pg_advisory_xact_lock(${claimLock})`) : undefined;
    const [now, room] = await Promise.all([ledgerNow(queries), roomIn(queries, limits), locked]);
    const candidates = await candidatesOf(queries, now, Math.min(free, room.account), room.full());
    const { claimed, withdrawn } = choose(candidates, room);
    await makeTransitions(
      queries,
      withdrawn.map(({ candidate, why }) => withdrawal(candidate, why, now)),
    );
    return claimAll(queries, claimed, now);
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

/** Leaves out the targets that are full. */
function candidatesOf(queries: Queries, now: number, free: number, full: readonly string[]): Promise<Candidate[]> {
  // Not an EXISTS, for which PostgreSQL may read all active runs.
  const busy = `COALESCE((SELECT 1 FROM runs a WHERE a.schedule_id = r.schedule_id AND a.state IN ${active} LIMIT 1), 0)`;
  return queries.query<Candidate>(
    `SELECT r.*, s.overlap AS overlap, ${busy} AS active
     FROM runs r LEFT JOIN schedules s ON ${queries.dialect.equals('s.id', 'r.schedule_id')}
     WHERE r.state = 'waiting' AND r.not_before <= ? AND NOT (COALESCE(s.overlap, '') = 'queue' AND ${busy} = 1)
       ${full.length > 0 ? `AND r.target NOT IN (${full.map(() => '?').join(', ')})` : ''}
     ORDER BY r.tick_at LIMIT ?`,
    [now, ...full, Math.max(0, free)],
  );
}

type Room = Awaited<ReturnType<typeof roomIn>>;

/** Counts active runs against the limits. There may be many, so they are not counted where there is no limit. */
async function roomIn(queries: Queries, limits: ActiveRunLimits) {
  const { account = Number.MAX_SAFE_INTEGER, target: each } = limits;
  const isLimited = limits.account !== undefined || each !== undefined;
  const rows = isLimited
    ? await queries.query<{ target: string; count: number }>(
        `SELECT target, COUNT(*) AS count FROM runs WHERE state IN ${active} GROUP BY target`,
      )
    : [];
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

/** Leaves out runs that have changed since they were selected: nothing may be sent for them. */
async function claimAll(queries: Queries, candidates: readonly Candidate[], at: number): Promise<Claim[]> {
  if (candidates.length === 0) return [];
  const specs = await specsOf(queries, candidates);
  const claims = candidates.flatMap((candidate) => {
    const known = specs.get(candidate.schedule_id);
    return known === undefined ? [] : [{ candidate, claim: claimOf(candidate, known) }];
  });
  const isMade = await makeTransitions(
    queries,
    claims.map(({ candidate, claim }) => claimTransition(candidate, claim, at)),
  );
  return claims.filter((_, index) => isMade[index]).map(({ claim }) => claim);
}

interface StoredSpecs {
  spec: string;
  delivery: string | null;
}

/** Returns the specs by schedule. A claim includes the delivery, so that a store outage after the claim does not stop the request. */
async function specsOf(queries: Queries, candidates: readonly Candidate[]): Promise<ReadonlyMap<string, StoredSpecs>> {
  const ids = new Set(candidates.map(({ schedule_id }) => schedule_id));
  const { rows, equals } = queries.dialect;
  const stored = await queries.query<StoredSpecs & { id: string }>(
    `SELECT s.id AS id, s.spec AS spec, d.spec AS delivery FROM ${rows({ id: 'TEXT' })}
     JOIN schedules s ON ${equals('s.id', 'it.id')}
     LEFT JOIN deliveries d ON ${equals('d.owner', 's.owner')} AND ${equals('d.name', 's.delivery')}`,
    [rowSet([...ids].map((id) => ({ id })))],
  );
  return new Map(stored.map((row) => [row.id, row]));
}

function claimOf(candidate: Candidate, stored: StoredSpecs): Claim {
  const spec: ScheduleSpec = JSON.parse(stored.spec);
  const delivery = deliveryOf(spec, stored.delivery);
  return {
    run: runOf({ ...candidate, state: 'triggering', attempts: candidate.attempts + 1 }),
    token: randomBytes(16).toString('hex'),
    spec,
    delivery,
    unpreparedSince: candidate.unprepared_at,
    lateAfterMs: candidate.late_after,
  };
}

function claimTransition(candidate: Candidate, { run, token, spec, delivery }: Claim, at: number): Transition {
  const keep = keepOf(spec);
  const { attempts } = run;
  return {
    run: candidate.id,
    from: ['waiting'],
    to: 'triggering',
    text: attempts === 1 ? 'about to be triggered' : `about to be triggered, attempt ${attempts}`,
    at,
    set: {
      token,
      attempts,
      // The overlap policy may have changed since the run was made.
      exclusive: isExclusive(candidate.overlap) ? 1 : 0,
      keep: keep === undefined ? null : JSON.stringify(keep),
      deliver_within: delivery?.reportedWithin === undefined ? null : durationMs(delivery.reportedWithin),
      lease_until: at + leaseMs,
    },
  };
}

function deliveryOf({ delivery }: ScheduleSpec, registered: string | null): DeliverySpec | undefined {
  if (typeof delivery !== 'string') return delivery;
  return registered === null ? undefined : JSON.parse(registered);
}
