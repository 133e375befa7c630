/** The settings of a worker that do not depend on its store: a server and a single round have the same. */
import { createClient } from '../client/client.ts';
import type { ServiceProfileInput } from '../client/profile.ts';
import type { ActiveRunLimits } from './ledger/claiming.ts';
import type { Retention } from './ledger/pending.ts';
import { createSealer } from './secrets/secrets.ts';
import type { WorkerOptions } from './worker/round.ts';
import type { SecretSources } from './worker/secretSources.ts';
import { maxRequests } from './worker/worker.ts';

export interface WorkerSettings {
  /** Keys for literal secrets: the first encrypts, all decrypt. */
  keys: readonly string[];
  secrets: SecretSources;
  /** True if results and alerts may go to private addresses. */
  allowPrivate: boolean;
  /** The only hosts that endpoints may have; any by default. */
  endpointHosts?: readonly string[] | undefined;
  /** The service that runs the jobs. */
  service: { url: string; apiKey: string; profile?: ServiceProfileInput };
  limits?: ActiveRunLimits | undefined;
  /** The time that stopping waits for answers; see `worker/worker.ts`. */
  stopMs?: number | undefined;
}

const day = 24 * 60 * 60_000;

const retention: Retention = { eventsMs: 30 * day, runsMs: 90 * day };

/** Shorter than a lease: see `worker/fire.ts`. */
const timeoutMs = 20_000;

/** Creates a client, which the caller closes. @throws ProblemError for an unusable key, or ServiceError for an invalid URL */
export function workerSettings({ keys, service, limits = {}, ...settings }: WorkerSettings) {
  const sealer = createSealer(keys);
  const concurrency = { initial: maxRequests, max: maxRequests, adaptive: false };
  const client = createClient({ ...service, timeoutMs, retry: { retries: 0 }, concurrency });
  return { ...settings, sealer, client, limits, retention } satisfies Partial<WorkerOptions>;
}
