/** Pauses that a server asks for (`Retry-After`): all calls of a client wait for them, or fail if they are too long. */

/** A wait because a server limits requests. */
export interface Pause {
  /** Origin of the server. */
  server: string;
  /** The length that the server asks for. Undefined if it does not say: the client then tries again soon, and sends fewer calls. */
  ms: number | undefined;
}

export interface PauseOptions {
  /** Maximum pause in milliseconds that calls wait for. */
  maxPauseMs?: number;
  /** Called once for each pause that calls wait for, with its length; once without a length, for a server that states none. */
  onPause?: ((ms: number | undefined) => void) | undefined;
}

/** Rejects calls while the server asks for a pause that is too long to wait for. They were not sent. */
export class PauseTooLong extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super(`the service asks to wait ${Math.ceil(ms / 1000)} s`);
    this.ms = ms;
  }
}

/** Pauses of calls that were refused together differ by the times of their answers. */
const samePauseMs = 1000;

export class RequestedPauses {
  readonly #maxPauseMs: number;
  readonly #onPause: PauseOptions['onPause'];
  #until = 0;
  #reportedUntil = 0;
  #hasReportedLimit = false;

  constructor({ maxPauseMs = Number.POSITIVE_INFINITY, onPause }: PauseOptions) {
    this.#maxPauseMs = maxPauseMs;
    this.#onPause = onPause;
  }

  /** Adds a pause from now. */
  add(ms: number): void {
    this.#until = Math.max(this.#until, performance.now() + ms);
  }

  /** Reports that the server limits requests and does not say how long to wait. */
  reportLimit(): void {
    if (this.#hasReportedLimit) return;
    this.#hasReportedLimit = true;
    this.#onPause?.(undefined);
  }

  /** Returns the rest of the pause in milliseconds, negative if it is over. */
  leftMs(): number {
    return this.#until - performance.now();
  }

  /** Reports a pause that a call is about to wait for. @throws PauseTooLong */
  report(): void {
    const ms = this.leftMs();
    if (ms > this.#maxPauseMs) throw new PauseTooLong(ms);
    if (ms <= 0 || this.#until <= this.#reportedUntil + samePauseMs) return;
    this.#reportedUntil = this.#until;
    this.#onPause?.(ms);
  }
}
