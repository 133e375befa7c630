/** The options of a worker. */
import type { Client } from '../../client/client.ts';
import type { RunState } from '../api/runs.ts';
import type { ActiveRunLimits } from '../ledger/claiming.ts';
import type { Retention } from '../ledger/pending.ts';
import type { Sealer } from '../secrets/secrets.ts';
import type { Database } from '../store/database.ts';
import type { TriggerPrices } from '../timing/prices.ts';
import type { RoundHealth } from './roundHealth.ts';
import type { RowKeeper } from './rowKeeper.ts';
import type { SecretSources } from './secretSources.ts';

export interface WorkerOptions {
  database: Database;
  /** The client must not retry, because the ledger counts the attempts and a crash must not lose any. */
  client: Client;
  sealer: Sealer;
  secrets: SecretSources;
  limits: ActiveRunLimits;
  retention: Retention;
  /** With prices, alerts say when the balance does not cover the next day. */
  prices?: TriggerPrices | undefined;
  /** True if alerts may go to private addresses, and results that this server registers. */
  allowPrivate: boolean;
  /** The only hosts that endpoints may have; any by default. They are checked again before each call: the list may have been longer. */
  endpointHosts?: readonly string[] | undefined;
  /** Learns what the rounds achieve. */
  health?: RoundHealth | undefined;
  /** Keeps the rows of runs whose schedule declares `keep`. The caller closes it. */
  keeper: RowKeeper;
  log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
  /** The time that `stop` waits for answers, 24 seconds by default. Runs without an answer are then recorded as unknown. */
  stopMs?: number | undefined;
  /** Ends after a round that finds nothing to do, and without one if the store cannot be used. By default, it works until it is stopped. */
  untilIdle?: boolean | undefined;
  /** Called after each attempt to trigger, with the resulting state of the run and the time since its tick. */
  onOutcome?: ((state: RunState, latenessSeconds: number) => void) | undefined;
}
