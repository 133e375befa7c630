/** Log of requests and their outcomes, in order of arrival. It contains no keys and passwords. */

import { logLine } from '../../base/http/logLines.ts';
import type { EmulatedSettings } from '../core/emulatedManager.ts';
import type { Fault } from '../core/faults.ts';
import type { Role } from '../core/permissions.ts';
import { redact } from './redact.ts';

/** Change made by a request. */
export type Effect =
  | { moved: string[]; from: string; to: string }
  | { settings: Partial<EmulatedSettings> }
  | { deletedPorts: number[] }
  | { started: string; of: string }
  | { cancelled: string };

export type ServerName = 'api' | 'manager' | 'proxy';

export interface LoggedRequest {
  /** Counted from 1 over all servers. */
  sequence: number;
  server: ServerName;
  /** ISO 8601 time from the emulator's clock. */
  time: string;
  method: string;
  path: string;
  query: Record<string, string | string[]>;
  /** Parsed body; text if it is not JSON, null if there is none. */
  body: unknown;
  /** Name of the route, or null for an unknown path. */
  route: string | null;
  /** Role of the key, once it is known to be valid; null before that and on the manager. */
  role: Role | null;
  /** Status of the answer; `dropped` if the connection was cut without one, `pending` if neither has happened yet. */
  status: number | 'dropped' | 'pending';
  effect: Effect | null;
  /** Faults that applied to the request. */
  faults: Fault[];
}

/** Maximum number of requests that are kept. */
const capacity = 10_000;

export class RequestHistory {
  readonly #secrets: () => readonly string[];
  #entries: LoggedRequest[] = [];
  #sequence = 0;

  readonly #onComplete: (entry: LoggedRequest) => void;

  /** Creates a log. `secrets` is called for each request, because keys change. */
  constructor(secrets: () => readonly string[], onComplete: (entry: LoggedRequest) => void = () => undefined) {
    this.#secrets = secrets;
    this.#onComplete = onComplete;
  }

  /** Adds a request. The handler of the request completes the returned entry. */
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

  /** Completes an entry. Its effect is redacted too, because it may contain a password. */
  complete(entry: LoggedRequest, outcome: Partial<Pick<LoggedRequest, 'status' | 'effect' | 'role'>>): void {
    const { effect } = outcome;
    Object.assign(entry, outcome, effect && { effect: redact(effect, this.#secrets()) });
    if (outcome.status !== undefined) this.#onComplete(entry);
  }

  all(): LoggedRequest[] {
    return structuredClone(this.#entries);
  }

  clear(): void {
    this.#entries = [];
  }
}

/** Returns the line of the log for an answered request. Its body stays in the history. */
export function answeredLine(entry: LoggedRequest): string {
  const { server, method, path, status, role, effect, faults } = entry;
  const isFailed = status === 'dropped' || (typeof status === 'number' && status >= 500);
  return logLine(isFailed ? 'warn' : 'info', 'answered', {
    server,
    method,
    path,
    status,
    ...(role !== null && { role }),
    ...(effect !== null && { effect }),
    ...(faults.length > 0 && { faults: faults.map(({ kind }) => kind) }),
  });
}
