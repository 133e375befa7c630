/** Carries out the operations of the API in the ledger: for the server, and for commands that work on the store directly. */
import { randomBytes } from 'node:crypto';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import type { OperationHandlers, ParsedParts } from '../api/operations.ts';
import type { RecordKey } from '../api/records.ts';
import { type Resolution, type ScheduledRun, unresolvedStates } from '../api/runs.ts';
import { timingOf } from '../declared/scheduleSpec.ts';
import type { Database, Queries, Value } from '../store/database.ts';
import { ticksBetween } from '../timing/timing.ts';
import { recordArrival } from './arrivals.ts';
import { deleteDelivery, putDelivery, type Registration } from './deliveries.ts';
import { ledgerNow } from './now.ts';
import { giveUpAt } from './polling.ts';
import { reportOf } from './report.ts';
import {
  briefColumns,
  type DeliveryRow,
  deliveryOf,
  type EventRow,
  eventOf,
  type RunRow,
  runOf,
  type ScheduleRow,
} from './rows.ts';
import { deleteSchedule, putSchedule, setPaused, specOfRun, unknownSchedule, withLastRuns } from './schedules.ts';
import { insertRuns, lockedTickingSchedule } from './ticking.ts';
import { countTotals, createEndedCounter } from './totals.ts';
import { makeTransition } from './transition.ts';

/** Methods throw ProblemError for what cannot be done (`unknown-schedule`, `unknown-run`, `run-not-unknown`, …). */
export function ledgerOperations(registration: Registration): OperationHandlers {
  const { database, sealer } = registration;
  const countEnded = createEndedCounter(database);
  return {
    listOwners: () => owners(database),
    async getOwner({ params: { owner } }) {
      const now = await ledgerNow(database);
      const of = 'WHERE owner = ? ORDER BY name';
      const deliveries = await database.query<DeliveryRow>(`SELECT * FROM deliveries ${of}`, [owner]);
      const rows = await database.query<ScheduleRow>(`SELECT * FROM schedules ${of}`, [owner]);
      return { deliveries: deliveries.map(deliveryOf), schedules: await withLastRuns(database, rows, now) };
    },
    putDelivery: ({ params, body }) => putDelivery(registration, params, body),
    deleteDelivery: ({ params }) => deleteDelivery(database, params),
    putSchedule: ({ params, body }) => putSchedule(registration, params, body),
    deleteSchedule: ({ params }) => deleteSchedule(database, params),
    listSchedules: ({ query }) => schedules(database, query),
    pauseSchedule: ({ params }) => setPaused(database, params, true),
    resumeSchedule: ({ params }) => setPaused(database, params, false),
    runSchedule: ({ params, headers }) => runNow(database, params, headers['idempotency-key']),
    listRuns: ({ query }) => runs(database, query),
    async getRun({ params: { id } }) {
      const events = await database.query<EventRow>('SELECT * FROM events WHERE run_id = ? ORDER BY id', [id]);
      return { run: await runById(database, id), events: events.map(eventOf) };
    },
    resolveRun: ({ params: { id }, body }) => resolve(database, id, body),
    getReport: async ({ query: { since, ...filter } }) =>
      reportOf(database, await schedules(database, { ...filter, brief: true }), since),
    getTotals: async () => ({ ...(await countTotals(database, countEnded)), encrypts: sealer.hasKey }),
  };
}

async function owners(queries: Queries): Promise<string[]> {
  const rows = await queries.query<{ owner: string }>(
    'SELECT owner FROM deliveries UNION SELECT owner FROM schedules ORDER BY owner',
  );
  return rows.map(({ owner }) => owner);
}

type ScheduleQuery = ParsedParts<'listSchedules'>['query'];

async function schedules(database: Database, { owner, text, after, brief, limit }: ScheduleQuery) {
  const conditions = new Conditions();
  if (owner !== undefined) conditions.add('owner = ?', owner);
  if (text !== undefined && text !== '') {
    const like = `%${text.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    conditions.add(`LOWER(owner || '/' || name || ' ' || target) LIKE ? ESCAPE '\\'`, like);
  }
  const cut = after?.lastIndexOf('/') ?? -1;
  if (after !== undefined)
    conditions.add('(owner, name) > (?, ?)', after.slice(0, Math.max(cut, 0)), after.slice(cut + 1));
  const now = await ledgerNow(database);
  const rows = await database.query<ScheduleRow>(
    // An index covers all searched columns, so whole rows are read only for the results.
    `SELECT ${brief ? briefColumns : '*'} FROM schedules WHERE id IN
       (SELECT id FROM schedules ${conditions.where} ORDER BY owner, name LIMIT ${limit}) ORDER BY owner, name`,
    conditions.values,
  );
  return withLastRuns(database, rows, now);
}

async function runs(queries: Queries, filter: ParsedParts<'listRuns'>['query']): Promise<ScheduledRun[]> {
  const { owner, schedule, state: states, after, limit } = filter;
  const conditions = new Conditions();
  if (owner !== undefined) conditions.add('owner = ?', owner);
  if (schedule !== undefined) conditions.add('schedule = ?', schedule);
  if (states !== undefined && states.length > 0)
    conditions.add(`state IN (${states.map(() => '?').join(', ')})`, ...states);
  if (after !== undefined) {
    const { tickAt } = await runById(queries, after);
    conditions.add('(tick_at, id) < (?, ?)', tickAt, after);
  }
  const rows = await queries.query<RunRow>(
    `SELECT * FROM runs ${conditions.where} ORDER BY tick_at DESC, id DESC LIMIT ${limit}`,
    conditions.values,
  );
  return rows.map(runOf);
}

class Conditions {
  readonly #texts: string[] = [];
  readonly values: Value[] = [];

  add(text: string, ...values: Value[]): void {
    this.#texts.push(text);
    this.values.push(...values);
  }

  get where(): string {
    return this.#texts.length === 0 ? '' : `WHERE ${this.#texts.join(' AND ')}`;
  }
}

/** @throws ProblemError if it does not exist */
export async function runById(queries: Queries, id: string): Promise<ScheduledRun> {
  const [row] = await queries.query<RunRow>('SELECT * FROM runs WHERE id = ?', [id]);
  if (row === undefined) throw new ProblemError([unknownRun(id)]);
  return runOf(row);
}

/** With a key that an earlier order of the schedule had, returns the run of that order. */
function runNow(database: Database, key: RecordKey, orderKey?: string): Promise<ScheduledRun> {
  return database.transaction(async (queries) => {
    const schedule = await lockedTickingSchedule(queries, key);
    const earlier = orderKey === undefined ? undefined : await runOfOrder(queries, schedule.id, orderKey);
    if (earlier !== undefined) return earlier;
    const at = await ledgerNow(queries);
    // The runs of a schedule have distinct times: a second order in the same millisecond gets the next one.
    const timing = timingOf(JSON.parse(schedule.spec));
    for (let tickAt = at; ; tickAt += 1) {
      // A time at which the schedule ticks belongs to the run of that tick, so skip it.
      if (ticksBetween(timing, tickAt - 1, tickAt, 1).length > 0) continue;
      const run = {
        schedule,
        tickAt,
        origin: 'hand',
        state: 'waiting',
        text: 'started by hand',
        at,
        orderKey,
      } as const;
      const [id] = await insertRuns(queries, [run]);
      if (id !== undefined) return runById(queries, id);
    }
  });
}

async function runOfOrder(queries: Queries, schedule: string, orderKey: string): Promise<ScheduledRun | undefined> {
  const [row] = await queries.query<RunRow>('SELECT * FROM runs WHERE schedule_id = ? AND order_key = ?', [
    schedule,
    orderKey,
  ]);
  return row && runOf(row);
}

function resolve(database: Database, id: string, resolution: Resolution): Promise<ScheduledRun> {
  return database.transaction(async (queries) => {
    const at = await ledgerNow(queries);
    const { state, owner, schedule: name } = await runById(queries, id);
    if (resolution.as === 'delivered') {
      await recordArrival(queries, id, at);
      return runById(queries, id);
    }
    if (resolution.as === 'resend') await assertSchedule(queries, id, { owner, name });
    const spec = resolution.as === 'triggered' ? ((await specOfRun(queries, id)) ?? {}) : {};
    const change = { run: id, at, ...resolved(resolution, at, spec) };
    if (!(await makeTransition(queries, change))) throw new ProblemError([notUnknown(id, state)]);
    return runById(queries, id);
  });
}

/** Sending a run again requires its schedule, which may have been deleted. */
async function assertSchedule(queries: Queries, id: string, key: RecordKey): Promise<void> {
  const rows = await queries.query(
    `SELECT id FROM schedules WHERE id = (SELECT schedule_id FROM runs WHERE id = ?) ${queries.dialect.lock}`,
    [id],
  );
  if (rows.length === 0) throw new ProblemError([{ ...unknownSchedule(key), fix: notResent }]);
}

const notResent =
  'the schedule was deleted: resolve the run with --id or --lost, and register the schedule again for new runs';

function resolved(resolution: Exclude<Resolution, { as: 'delivered' }>, at: number, spec: { giveUpAfter?: string }) {
  if (resolution.as === 'lost') return { from: unresolvedStates, to: 'lost', text: 'declared lost by hand' } as const;
  const from = ['unknown'] as const;
  if (resolution.as === 'resend') {
    // The token stays valid until the next claim: an answer to the first request that arrives before then makes the second one unnecessary.
    const set = { lease_until: null, not_before: at, attempts: 0, unprepared_at: null };
    return { from, to: 'waiting', text: 'ordered again by hand', set } as const;
  }
  const { collectionId } = resolution;
  const set = {
    collection_id: collectionId,
    triggered_at: at,
    poll_at: at,
    give_up_at: giveUpAt(at, spec),
    missing: 0,
    ended_at: null,
    exclusive: 0,
    token: randomBytes(16).toString('hex'),
  };
  // A person may find the job of a run that was given up.
  return { from: ['unknown', 'given-up'], to: 'running', text: `declared to be ${collectionId} by hand`, set } as const;
}

function unknownRun(id: string): Problem {
  return { code: 'unknown-run', found: `run ${id} does not exist`, fix: '`webdata triggers runs` lists them' };
}

function notUnknown(id: string, state: string): Problem {
  return {
    code: 'run-not-unknown',
    found: `run ${id} is ${state}`,
    allowed: 'an unknown run; as lost, an unkept or undelivered one too',
    fix: 'nothing needs to be resolved',
  };
}
