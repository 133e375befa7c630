/**
 * Which waiting runs may be triggered now. A claim writes down that a request is about to be sent, before it is: whoever dies
 * after that leaves a lease that runs out, and a run of which nobody knows whether it was triggered.
 */
import { randomBytes } from 'node:crypto';
import type { Run } from '../model.ts';
import { namesCommandSecret } from '../secrets/secrets.ts';
import type { DeliverySpec } from '../spec/deliverySpec.ts';
import type { ScheduleSpec } from '../spec/scheduleSpec.ts';
import { type Database, type Queries, together } from '../store/database.ts';
import { leaseMs, preparationLeaseMs } from './leases.ts';
import { ledgerNow } from './now.ts';
import type { Preparations } from './preparing.ts';
import { removed } from './registration.ts';
import { type RunRow, runOf } from './rows.ts';
import { isExclusive } from './ticking.ts';
import { makeTransition, withdraw } from './transition.ts';

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
  /** The delivery of the schedule, sealed; undefined where it has none, or names one that is not registered. */
  delivery: DeliverySpec | undefined;
  /** Whether a secret command has to answer first: the request may be sent only after `startSending`. */
  isPreparing: boolean;
  preparations: Preparations;
  lateAfterMs: number;
}

/** Without an overlap where its schedule was removed. */
type Candidate = RunRow & { overlap: ScheduleSpec['overlap'] | null; active: number };

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
    const { claimed, withdrawn } = chosen(candidates, room);
    await together(withdrawn, ({ candidate, why }) => withdraw(queries, candidate, why, now));
    const claims = await together(claimed, (candidate) => claim(queries, candidate, now));
    return claims.filter((made) => made !== undefined);
  });
}

interface Choice {
  claimed: Candidate[];
  withdrawn: { candidate: Candidate; why: string }[];
}

/** Which of them are sent, and which are never to be; the rest go on waiting. */
function chosen(candidates: readonly Candidate[], room: Room): Choice {
  const choice: Choice = { claimed: [], withdrawn: [] };
  const taken = new Set<string>();
  for (const candidate of candidates) {
    const { overlap, schedule_id, target } = candidate;
    const overlaps = candidate.active > 0 || taken.has(schedule_id);
    if (overlap === null) choice.withdrawn.push({ candidate, why: removed });
    else if (overlaps && overlap === 'skip') choice.withdrawn.push({ candidate, why: overlapText });
    else if (room.hasRoom(target) && !(overlaps && overlap === 'queue')) {
      room.take(target);
      taken.add(schedule_id);
      choice.claimed.push(candidate);
    }
  }
  return choice;
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

/** What the limits leave free. */
async function roomIn(queries: Queries, { account = Number.MAX_SAFE_INTEGER, target: each }: Limits): Promise<Room> {
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

const overlapText = 'an earlier run of this schedule was still under way (overlap: skip)';

/** Undefined where somebody else has changed the run since it was found: then nothing may be sent for it. */
async function claim(queries: Queries, candidate: Candidate, at: number): Promise<Claim | undefined> {
  // The delivery too: once the run is claimed, a store that is away stops nothing.
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
  // As the schedule is now: what was right when the run was made may not be so any more.
  const exclusive = isExclusive(candidate.overlap) ? 1 : 0;
  const set = {
    token,
    attempts,
    exclusive,
    preparing: isPreparing ? 1 : 0,
    lease_until: at + (isPreparing ? preparationLeaseMs : leaseMs),
  };
  const next = isPreparing ? 'its secrets are looked up' : 'about to be triggered';
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
