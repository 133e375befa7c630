/** Sends alerts about runs that failed, are late, were given up or are unknown: a POST to the schedule's endpoint, until it succeeds. */
import { fetch } from 'undici';
import { type Problem, ProblemError } from '../../base/diagnostics/problem.ts';
import { isMapValue } from '../../base/values/plain.ts';
import type { AlertReason, ScheduleSpec } from '../declared/scheduleSpec.ts';
import { ledgerNow } from '../ledger/now.ts';
import { type RunRow, runOf } from '../ledger/rows.ts';
import type { Sealer } from '../secrets/secrets.ts';
import type { Database } from '../store/database.ts';
import { assertAllowedEndpoint, type EndpointGuard } from './endpointGuard.ts';
import { type ServiceAlert, slackRun, slackService } from './slackText.ts';

interface AlertOptions {
  database: Database;
  sealer: Sealer;
  /** Checks endpoints again before each call: the rules may have been looser when the schedule was registered. */
  guard: EndpointGuard;
  signal: AbortSignal;
}

type Alerts = NonNullable<ScheduleSpec['alerts']>;

interface DueAlert extends RunRow {
  alert: number;
  why: AlertReason;
  spec: string | null;
}

const timeoutMs = 10_000;

/** After the last attempt an alert is given up; the status page and the metrics still show the run. */
const maxAttempts = 6;

const leaseMs = 60_000;

/** An alert whose delivery failed. */
interface FailedAlert {
  run: string;
  schedule: string;
  /** A status or an error code only, because the endpoint is secret. */
  found: string;
}

/** Returns the failed deliveries. Delivers at least once: if a server dies between sending and recording, another one sends again. */
export async function sendAlerts(options: AlertOptions): Promise<FailedAlert[]> {
  const { database } = options;
  const due = await claimAlerts(database);
  const failed = await Promise.all(
    due.map(async (alert) => {
      const found = await sendAlert(alert, options).catch(codeOf);
      if (found !== undefined) return [{ run: alert.id, schedule: alert.schedule, found }];
      const now = await ledgerNow(database);
      await database.query('UPDATE alerts SET sent_at = ? WHERE id = ?', [now, alert.alert]);
      return [];
    }),
  );
  return failed.flat();
}

function claimAlerts(database: Database): Promise<DueAlert[]> {
  return database.transaction(async (queries) => {
    const now = await ledgerNow(queries);
    const due = await queries.query<{ id: number }>(
      `SELECT id FROM alerts WHERE sent_at IS NULL AND send_at <= ? ORDER BY send_at LIMIT 20 ${database.dialect.skipLocked}`,
      [now],
    );
    if (due.length === 0) return [];
    const ids = due.map(({ id }) => id);
    const among = `IN (${ids.map(() => '?').join(', ')})`;
    await queries.query(
      `UPDATE alerts SET attempts = attempts + 1, send_at = CAST(? AS BIGINT) + ${leaseMs} * (1 << attempts),
         sent_at = CASE WHEN attempts + 1 >= ${maxAttempts} THEN CAST(? AS BIGINT) END WHERE id ${among}`,
      [now, now, ...ids],
    );
    return queries.query<DueAlert>(
      `SELECT r.*, a.id AS alert, a.why AS why, s.brief AS spec
       FROM alerts a JOIN runs r ON r.id = a.run_id LEFT JOIN schedules s ON s.id = r.schedule_id
       WHERE a.id ${among}`,
      ids,
    );
  });
}

/** Returns undefined if nothing is left to do, otherwise why the delivery failed. */
async function sendAlert(
  { spec, why, ...row }: DueAlert,
  { sealer, guard, signal }: AlertOptions,
): Promise<string | undefined> {
  const alerts = spec === null ? undefined : (JSON.parse(spec) as ScheduleSpec).alerts;
  if (!isMapValue(alerts) || !alerts.on.includes(why)) return undefined;
  const endpoint = String(sealer.open(alerts.endpoint));
  const { owner, schedule, id, tickAt, state, reason, collectionId } = runOf(row);
  const time = new Date(tickAt).toISOString();
  const document = { why, owner, schedule, run: id, tickAt: time, state, reason, collectionId };
  return post(endpoint, alerts.format === 'slack' ? slackRun(document) : document, { guard, signal });
}

/** Returns undefined if the endpoint accepted it, otherwise why not. */
async function post(
  endpoint: string,
  body: object,
  { guard, signal }: Pick<AlertOptions, 'guard' | 'signal'>,
): Promise<string | undefined> {
  assertAllowedEndpoint(endpoint, guard);
  const response = await fetch(endpoint, {
    dispatcher: guard.dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    // A redirect could lead to a private address.
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  await response.body?.cancel();
  return response.ok ? undefined : `was answered ${response.status}`;
}

/** The endpoints of all schedules with alerts, for problems of the store, which cannot queue alerts of its own, and of the balance. */
export function createServiceAlerts({ database, sealer, ...options }: AlertOptions) {
  let known: Alerts[] = [];
  /** Reads the endpoints, for when the store cannot be read. */
  async function remember(): Promise<void> {
    const rows = await database.query<{ spec: string }>(
      `SELECT brief AS spec FROM schedules WHERE paused = 0 AND brief LIKE '%"alerts":{%'`,
    );
    // The schema of inputs that are called alerts has the text of the search, too.
    known = rows.flatMap(({ spec }) => (JSON.parse(spec) as ScheduleSpec).alerts ?? []);
  }
  return {
    remember,
    /** Notifies each endpoint once. Returns why deliveries failed. */
    async send(why: ServiceAlert, { code, found: reason, fix }: Problem): Promise<string[]> {
      await remember().catch(() => undefined);
      const document = { why, code, reason, fix };
      const bodies = new Map<string, object>();
      const failed = new Set<string>();
      for (const { endpoint, format } of known) {
        try {
          bodies.set(String(sealer.open(endpoint)), format === 'slack' ? slackService(document) : document);
        } catch (error) {
          failed.add(codeOf(error));
        }
      }
      const sent = await Promise.all(
        [...bodies].map(([endpoint, body]) => post(endpoint, body, options).catch(codeOf)),
      );
      return [...failed, ...sent.filter((found) => found !== undefined)];
    },
  };
}

function codeOf(error: unknown): string {
  if (error instanceof ProblemError) return error.problems[0]?.code ?? error.name;
  const { cause = error } = error as Error;
  const { code, name } = cause as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : name;
}
