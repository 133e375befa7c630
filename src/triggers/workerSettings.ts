/** The settings of a worker that do not depend on its store: a server and a single round have the same. */
import { createClient } from '../client/client.ts';
import type { ServiceProfileInput } from '../client/profile.ts';
import type { ActiveRunLimits } from './ledger/claiming.ts';
import type { Retention } from './ledger/pending.ts';
import { createSealer } from './secrets/secrets.ts';
import { createRowKeeper } from './worker/rowKeeper.ts';
import { maxRequests } from './worker/worker.ts';
import type { WorkerOptions } from './worker/workerOptions.ts';

type PassedOn = Pick<WorkerOptions, 'secrets' | 'allowPrivate' | 'endpointHosts' | 'prices' | 'stopMs'>;

export interface WorkerSettings extends PassedOn {
  /** Keys for literal secrets: the first encrypts, all decrypt. */
  keys: readonly string[];
  /** The service that runs the jobs. */
  service: { url: string; apiKey: string; profile?: ServiceProfileInput };
  limits?: ActiveRunLimits | undefined;
  /** The folder that relative places of rows start from, and the variables of the client for buckets. */
  keeping?: { folder: string; env: Readonly<Record<string, string | undefined>> };
}

const day = 24 * 60 * 60_000;

const retention: Retention = { eventsMs: 30 * day, runsMs: 90 * day };

const here = { folder: process.cwd(), env: process.env };

/** Shorter than a lease: see `worker/fire.ts`. */
const timeoutMs = 20_000;

/** Creates a client and a keeper of rows, which `close` closes. @throws ProblemError for an unusable key, or ServiceError for an invalid URL */
export function workerSettings({ keys, service, keeping = here, limits = {}, ...settings }: WorkerSettings): {
  options: Omit<WorkerOptions, 'database' | 'log'>;
  close(): Promise<void>;
} {
  const sealer = createSealer(keys);
  const concurrency = { initial: maxRequests, max: maxRequests, adaptive: false };
  const client = createClient({ ...service, timeoutMs, retry: { retries: 0 }, concurrency });
  const keeper = createRowKeeper(keeping);
  return {
    options: { ...settings, sealer, client, keeper, limits, retention },
    close: async () => void (await Promise.all([client.close(), keeper.close()])),
  };
}
