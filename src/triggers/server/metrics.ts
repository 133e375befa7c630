/** Metrics for Prometheus: schedules and runs in the ledger, outcomes and lateness of triggers, and the process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry as PrometheusRegistry } from 'prom-client';
import type { OperationHandlers } from '../api/operations.ts';
import { type RunState, runStates, type Totals } from '../api/runs.ts';
import type { RoundHealth } from '../worker/roundHealth.ts';
import { type StoreHealth, soon } from './storeHealth.ts';

export interface Metrics {
  /** Counts an attempt to trigger that left its run in this state, so long after its tick. */
  triggered(state: RunState, latenessSeconds: number): void;
  answered(request: { method: string; route: string; status: number }, seconds: number): void;
  /** Returns the exposition text. Totals are `NaN` if the store does not answer soon. */
  text(): Promise<string>;
  readonly contentType: string;
}

const prefix = 'webdata_triggers_';

export function createMetrics(
  { getTotals }: Pick<OperationHandlers, 'getTotals'>,
  health: StoreHealth,
  rounds?: RoundHealth,
): Metrics {
  const register = new PrometheusRegistry();
  const named = (name: string, help: string) => ({ name: prefix + name, help, registers: [register] });
  let processMetrics: Promise<void> | undefined;
  const showTotals = totalGauges(named);
  const storeUp = new Gauge(named('store_up', 'Whether the store can be written, and schedules fire.'));
  const storeProblem = new Gauge({
    ...named('store_problem', 'Why the store cannot be written, or schedules do not fire; absent if all is well.'),
    labelNames: ['code', 'cause'],
  });
  const lastRound = new Gauge(named('last_good_round_age_seconds', 'Time since the worker last did all that was due.'));
  const overdue = new Gauge(named('overdue_seconds', 'Time for which rounds have left the oldest tick or run undone.'));
  const outcomes = new Counter({
    ...named('outcomes_total', 'Attempts to trigger, by resulting state of the run.'),
    labelNames: ['state'],
  });
  // Without a 0 at the start, `increase()` misses the first failure.
  for (const state of runStates) outcomes.inc({ state }, 0);
  const lateness = new Histogram({
    ...named('lateness_seconds', 'Time from a tick to the end of the attempt to trigger it.'),
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600],
  });
  const requests = new Histogram({
    ...named('request_duration_seconds', 'Duration of requests to this service.'),
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
  });

  return {
    contentType: register.contentType,
    triggered(state, latenessSeconds) {
      outcomes.inc({ state });
      lateness.observe(Math.max(0, latenessSeconds));
    },
    answered(labels, seconds) {
      requests.observe(labels, seconds);
    },
    async text() {
      processMetrics ??= addProcessMetrics(register);
      await processMetrics;
      // Counting may take long although the store answers.
      const [totals, problem] = await Promise.all([soon(getTotals({})), health.problem()]);
      storeUp.set(problem === undefined ? 1 : 0);
      storeProblem.reset();
      if (problem !== undefined) storeProblem.set({ code: problem.code, cause: problem.found }, 1);
      showTotals(totals);
      lastRound.set(rounds === undefined ? Number.NaN : rounds.sinceGoodRoundMs() / 1000);
      overdue.set(rounds === undefined ? Number.NaN : rounds.overdueMs() / 1000);
      return register.metrics();
    },
  };
}

const eventLoopMs = 100;

/**
 * Adds the metrics of the process, and waits for the first figures of the event loop. To measure it, the process wakes ten times a second,
 * which is most of the work of an idle server.
 */
async function addProcessMetrics(register: PrometheusRegistry): Promise<void> {
  collectDefaultMetrics({ register, prefix, eventLoopMonitoringPrecision: eventLoopMs });
  // The first figure needs two ticks. One long sleep could end before the second, if the process was held up meanwhile.
  for (let ticks = 0; ticks < 3; ticks += 1) await sleep(eventLoopMs);
}

/** Reports unknown figures as `NaN` rather than as their last value. */
function totalGauges(
  named: (name: string, help: string) => { name: string; help: string; registers: PrometheusRegistry[] },
) {
  const schedules = new Gauge(named('schedules', 'Registered schedules.'));
  const paused = new Gauge(named('paused_schedules', 'Paused schedules.'));
  const deliveries = new Gauge(named('deliveries', 'Registered deliveries.'));
  const late = new Gauge(named('late_runs', 'Runs that wait longer than their schedule allows.'));
  const runs = new Gauge({ ...named('runs', 'Runs in the ledger, by state.'), labelNames: ['state'] });
  return (totals: Totals | undefined) => {
    schedules.set(totals?.schedules ?? Number.NaN);
    paused.set(totals?.paused ?? Number.NaN);
    deliveries.set(totals?.deliveries ?? Number.NaN);
    late.set(totals?.lateNow ?? Number.NaN);
    for (const state of runStates) runs.set({ state }, totals?.runs[state] ?? Number.NaN);
  };
}
