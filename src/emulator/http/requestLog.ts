/** What the emulator was asked and what came of it, in order of arrival. Holds no key and no password. */

import type { Fault } from '../core/faults.ts';
import type { Role } from '../core/keyring.ts';
import type { ManagerSettings } from '../core/manager.ts';
import { redact, type Secrets } from './redact.ts';

/** What a request changed. */
export type Effect =
  | { moved: string[]; from: string; to: string }
  | { settings: Partial<ManagerSettings> }
  | { deletedPorts: number[] }
  | { started: string; of: string };

export type ServerName = 'api' | 'manager' | 'proxy';

export interface LoggedRequest {
  /** Counted from 1 over all servers. */
  sequence: number;
  server: ServerName;
  /** ISO 8601, by the emulator's clock. */
  time: string;
  method: string;
  path: string;
  query: Record<string, string | string[]>;
  /** The parsed body; a text if it is not JSON; null if there is none. */
  body: unknown;
  /** Name of the route, or null where none is. */
  route: string | null;
  /** Role of the key that it came with, once it is known to be good; null before and on the manager. */
  role: Role | null;
  /** What was answered, `dropped` where the connection was cut without an answer, `pending` while neither has happened. */
  status: number | 'dropped' | 'pending';
  effect: Effect | null;
  /** The faults that hit it. */
  faults: Fault[];
}

/** Older requests are forgotten. */
const capacity = 10_000;

export class RequestLog {
  readonly #secrets: () => Secrets;
  #entries: LoggedRequest[] = [];
  #sequence = 0;

  /** `secrets` are looked up at each request, as keys change. */
  constructor(secrets: () => Secrets) {
    this.#secrets = secrets;
  }

  /** Notes an arrival. The entry that is returned is completed by whoever serves the request. */
  arrive(
    request: Pick<LoggedRequest, 'server' | 'time' | 'method' | 'path' | 'query' | 'body' | 'route'>,
  ): LoggedRequest {
    this.#sequence += 1;
    const shown = redact(request, this.#secrets()) as typeof request;
    const entry: LoggedRequest = {
      sequence: this.#sequence,
      ...shown,
      role: null,
      status: 'pending',
      effect: null,
      faults: [],
    };
    this.#entries.push(entry);
    if (this.#entries.length > capacity) this.#entries.shift();
    return entry;
  }

  /** Ends an entry; what it changed may name a password, so it is redacted too. */
  complete(entry: LoggedRequest, outcome: Partial<Pick<LoggedRequest, 'status' | 'effect' | 'role'>>): void {
    Object.assign(entry, redact(outcome, this.#secrets()));
  }

  all(): LoggedRequest[] {
    return structuredClone(this.#entries);
  }

  clear(): void {
    this.#entries = [];
  }
}
