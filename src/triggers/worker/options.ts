/** What a worker is given. */
import type { Client } from '../../service/client.ts';
import type { Limits } from '../ledger/claiming.ts';
import type { Retention } from '../ledger/pending.ts';
import type { RunState } from '../model.ts';
import type { Sealer } from '../secrets/secrets.ts';
import type { Database } from '../store/database.ts';
import type { SecretSources } from './secretSources.ts';

export interface WorkerOptions {
  database: Database;
  /** Must not send anything again by itself: the ledger counts the attempts, and no crash forgets them. */
  client: Client;
  sealer: Sealer;
  secrets: SecretSources;
  limits: Limits;
  retention: Retention;
  /** Whether alerts may go to private addresses. */
  allowPrivate: boolean;
  /** The only hosts of endpoints; any by default. */
  endpointHosts?: readonly string[] | undefined;
  log: WorkerLog;
  /** How long to wait for answers when it is stopped; what has none by then is written down as unknown. By default 24 seconds. */
  stopMs?: number | undefined;
  /** An attempt to trigger has ended, so long after its tick, and this is what the run is now. */
  onOutcome?: ((state: RunState, latenessSeconds: number) => void) | undefined;
}

export interface WorkerLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}
