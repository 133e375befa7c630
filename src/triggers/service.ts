/** The trigger service as one thing: a store, a worker that fires what is due, and the API and page over both. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '../diagnostics/problem.ts';
import { createClient } from '../service/client.ts';
import type { ServiceProfileInput } from '../service/profile.ts';
import type { Limits } from './ledger/claiming.ts';
import type { Retention } from './ledger/pending.ts';
import type { Policy } from './ledger/registration.ts';
import { createRegistry } from './ledger/registry.ts';
import type { Registry } from './registry.ts';
import { createSealer } from './secrets/secrets.ts';
import { createMetrics } from './server/metrics.ts';
import { createTriggerServer, listen } from './server/server.ts';
import { endpointProblems } from './spec/endpoint.ts';
import type { Database } from './store/database.ts';
import { openStore } from './store/open.ts';
import { referenceProblems, type SecretSources } from './worker/secretSources.ts';
import { mostRequests, startWorker, type Worker } from './worker/worker.ts';

export interface TriggerServiceOptions {
  /** `postgres://…`, or the file of a SQLite database. */
  store: string;
  /** What every request of the API must carry. */
  token: string;
  /** By default loopback, and any free port. */
  host?: string;
  port?: number;
  /** Names by which it is asked besides loopback's, through a proxy. */
  hosts?: readonly string[] | undefined;
  /** Of literal secrets: the first encrypts, all decrypt. */
  keys: readonly string[];
  secrets: SecretSources;
  /** Whether results and alerts may go to private addresses. */
  allowPrivate: boolean;
  /** The only hosts that endpoints may name; any by default. */
  endpointHosts?: readonly string[] | undefined;
  /** The service that is triggered. */
  service: { url: string; apiKey: string; profile?: ServiceProfileInput };
  limits?: Limits;
  openMetrics?: boolean;
  /** How long to wait for answers when it is closed; see `worker/worker.ts`. */
  stopMs?: number;
  /** Where the log goes, as lines of JSON. */
  log?: { write(line: string): void };
  /** Ends waiting for a store that is away. */
  signal?: AbortSignal;
}

export interface TriggerService {
  readonly url: string;
  /** Answers what was asked, writes down what is under way, and begins nothing more. */
  close(): Promise<void>;
}

const day = 24 * 60 * 60_000;

const retention: Retention = { eventsMs: 30 * day, runsMs: 90 * day };

/** Shorter than a lease: see `worker/fire.ts`. */
const timeoutMs = 20_000;

/** @throws ProblemError */
export async function startTriggerService(options: TriggerServiceOptions): Promise<TriggerService> {
  const { token, secrets, allowPrivate, endpointHosts, openMetrics, log, stopMs, limits = {} } = options;
  const sealer = createSealer(options.keys);
  const concurrency = { initial: mostRequests, max: mostRequests, adaptive: false };
  // Before the store: an address that can't be used must not leave it open.
  const client = createClient({ ...options.service, timeoutMs, retry: { retries: 0 }, concurrency });
  const database = await openWhenThere(options);
  const policy: Policy = (spec) => [
    ...referenceProblems(spec, secrets),
    ...endpointProblems(spec, { allowPrivate, hosts: endpointHosts }),
  ];
  let worker: Worker | undefined;
  const registry = wakingRegistry(createRegistry({ database, sealer, policy }), () => worker?.wake());
  const metrics = createMetrics(registry);
  const server = createTriggerServer({ registry, token, metrics, openMetrics, log, hosts: options.hosts });
  const close = async () => {
    // At once, both: an API request that takes its time must not let more be triggered.
    await Promise.all([worker?.stop(), server.close()]);
    await client.close();
    await database.close();
  };
  try {
    const url = await listen(server, options.host ?? '127.0.0.1', options.port ?? 0);
    worker = startWorker({
      database,
      client,
      sealer,
      secrets,
      limits,
      retention,
      allowPrivate,
      endpointHosts,
      stopMs,
      log: server.log,
      onOutcome: metrics.triggered,
    });
    return { url, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

const againMs = 2000;

/** A database may come up after this service: it is waited for, and said so. */
async function openWhenThere({ store, log, signal }: TriggerServiceOptions): Promise<Database> {
  for (let said = ''; ; ) {
    try {
      return await openStore(store);
    } catch (error) {
      if (error instanceof ProblemError || signal?.aborted) throw error;
      const reason = error instanceof Error ? error.message || error.name : String(error);
      if (reason !== said) log?.write(`${JSON.stringify({ level: 40, time: Date.now(), reason, msg: awayText })}\n`);
      said = reason;
      await sleep(againMs, undefined, { signal });
    }
  }
}

const awayText = 'the store can not be reached; trying again until it can';

/** What was done by hand is not to wait for the next round. */
function wakingRegistry(registry: Registry, wake: () => void): Registry {
  const waking =
    <Given extends unknown[], Result>(change: (...given: Given) => Promise<Result>) =>
    (...given: Given) =>
      change(...given).finally(wake);
  return {
    ...registry,
    putSchedule: waking(registry.putSchedule),
    setPaused: waking(registry.setPaused),
    runNow: waking(registry.runNow),
    resolve: waking(registry.resolve),
  };
}
