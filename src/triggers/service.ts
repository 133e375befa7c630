/** Starts the whole trigger service: a store, a worker that fires due schedules, and the HTTP server with the API and the status page. */

import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '../base/diagnostics/problem.ts';
import { logLine } from '../base/http/logLines.ts';
import type { OperationHandlers } from './api/operations.ts';
import { endpointProblems } from './declared/endpoint.ts';
import type { Policy } from './ledger/deliveries.ts';
import { ledgerOperations } from './ledger/ledgerOperations.ts';
import { rowsIn } from './server/keptRoute.ts';
import { createMetrics } from './server/metrics.ts';
import { createTriggerServer, startListening, type TriggerServerOptions } from './server/server.ts';
import { createStoreHealth } from './server/storeHealth.ts';
import type { Database } from './store/database.ts';
import { openStore } from './store/open.ts';
import { StoreOutage } from './store/storeFailure.ts';
import { createRoundHealth } from './worker/roundHealth.ts';
import { referenceProblems } from './worker/secretSources.ts';
import { startWorker, type Worker } from './worker/worker.ts';
import { type WorkerSettings, workerSettings } from './workerSettings.ts';

type Served = Pick<TriggerServerOptions, 'token' | 'hosts' | 'openMetrics' | 'log'>;

export interface TriggerServiceOptions extends WorkerSettings, Served {
  /** `postgres://…`, or the file of a SQLite database. */
  store: string;
  /** Default: loopback, on any free port. */
  host?: string;
  port?: number;
  /** Ends waiting for an unreachable store. */
  signal?: AbortSignal;
}

export interface TriggerService {
  readonly url: string;
  /** Starts nothing more, answers open requests, and records the outcomes of running triggers. */
  close(): Promise<void>;
}

/** @throws ProblemError */
export async function startTriggerService(options: TriggerServiceOptions): Promise<TriggerService> {
  const { token, secrets, allowPrivate, endpointHosts, openMetrics, log } = options;
  // Created before the store, so that an invalid URL does not leave the store open.
  const settings = workerSettings(options);
  const { client, sealer } = settings.options;
  const database = await openStoreWithRetry(options);
  const policy: Policy = (spec) => [
    ...referenceProblems(spec, secrets),
    ...endpointProblems(spec, { allowPrivate, hosts: endpointHosts }),
  ];
  let worker: Worker | undefined;
  const ledger = ledgerOperations({ database, sealer, policy });
  const getTotals = async () => ({ ...(await ledger.getTotals({})), service: client.origin });
  const operations = wakingAfter({ ...ledger, getTotals }, () => worker?.wake());
  const rounds = createRoundHealth();
  const health = createStoreHealth(database, rounds);
  const metrics = createMetrics(operations, health, rounds);
  const server = createTriggerServer({
    ...{ database, operations, token, health, metrics, openMetrics, log, hosts: options.hosts },
    openRows: rowsIn(database, settings.options.keeper),
  });
  const close = async () => {
    // Both stop together, because a slow API request must not let the worker start more triggers.
    await Promise.all([worker?.stop(), server.close()]);
    await settings.close();
    await database.close();
  };
  try {
    const url = await startListening(server, options.host ?? '127.0.0.1', options.port ?? 0);
    worker = startWorker({
      ...settings.options,
      database,
      health: rounds,
      log: server.log,
      onOutcome: metrics.triggered,
    });
    return { url, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

const storeRetryMs = 2000;

/** Waits for a database that starts after this service, and logs each new reason. */
async function openStoreWithRetry({ store, log, signal }: TriggerServiceOptions): Promise<Database> {
  for (let logged = ''; ; ) {
    try {
      return await openStore(store);
    } catch (error) {
      if (!isPassing(error) || signal?.aborted) throw error;
      const reason = error instanceof Error ? error.message || error.name : String(error);
      if (reason !== logged) log?.write(`${logLine('warn', awayText, { reason })}\n`);
      logged = reason;
      await sleep(storeRetryMs, undefined, { signal });
    }
  }
}

const awayText = 'the store is unreachable; retrying';

/** Returns whether a later attempt to open the store may succeed, without a change of settings. */
function isPassing(error: unknown): boolean {
  return error instanceof StoreOutage ? !error.isPermanent : !(error instanceof ProblemError);
}

/** The operations after which the worker does not wait for the next round. */
const waking = ['putSchedule', 'pauseSchedule', 'resumeSchedule', 'runSchedule', 'resolveRun'] as const;

function wakingAfter(operations: OperationHandlers, wake: () => void): OperationHandlers {
  const wrapped = waking.map((name) => {
    const carryOut = operations[name] as (request: never) => Promise<unknown>;
    return [name, (request: never) => carryOut(request).finally(wake)];
  });
  return { ...operations, ...Object.fromEntries(wrapped) };
}
