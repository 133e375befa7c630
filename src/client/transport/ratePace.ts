/**
 * Keeps to the rate limit of a service, whose 429 does not state the limit. If a call is rejected although no other call was under way,
 * fewer calls at a time do not help. From then on, each second has as many calls as the service accepted in the second before the
 * rejection.
 */

const windowMs = 1000;
/** The window is longer by this, because calls may arrive closer together than they were sent. Each later 429 adds as much again. */
const marginMs = 25;
/** After this time without a 429, more calls are tried. */
const raisedAfterMs = 10_000;

export interface Attempt {
  readonly at: number;
  /** True if no other call was under way. */
  readonly isAlone: boolean;
  isRejected: boolean;
}

export class RatePace {
  /** The attempts of the last window, oldest first. */
  readonly #recent: Attempt[] = [];
  /** The number of calls that a window may have; undefined if no limit is known. */
  #limit: number | undefined;
  #windowMs = windowMs + marginMs;
  #changedAt = 0;

  /** Returns the time in milliseconds to wait before the next attempt. */
  waitMs(now: number): number {
    if (this.#limit === undefined) return 0;
    this.#forgetOld(now);
    if (now - this.#changedAt > raisedAfterMs) {
      this.#limit = Math.ceil(this.#limit * 1.1);
      this.#windowMs = windowMs + marginMs;
      this.#changedAt = now;
    }
    const accepted = this.#recent.filter(({ isRejected }) => !isRejected);
    const oldest = accepted.at(-this.#limit);
    return oldest === undefined ? 0 : oldest.at + this.#windowMs - now;
  }

  begin(now: number, isAlone: boolean): Attempt {
    this.#forgetOld(now);
    const attempt = { at: now, isAlone, isRejected: false };
    this.#recent.push(attempt);
    return attempt;
  }

  /** Learns from a 429. Calls that are not answered yet count as accepted until they are rejected too. */
  rejected(attempt: Attempt, now: number): void {
    attempt.isRejected = true;
    const from = attempt.at - windowMs - marginMs;
    const accepted = this.#recent.filter(({ at, isRejected }) => !isRejected && at > from && at <= attempt.at).length;
    // If the service accepted none, its limit is for a longer time than a second.
    if (accepted === 0) return;
    if (this.#limit === undefined && !attempt.isAlone) return;
    // Calls that were sent together report the same limit, so it counts once.
    if (this.#limit !== undefined && now - this.#changedAt < windowMs) return;
    if (this.#limit === undefined || accepted < this.#limit / 2) this.#limit = accepted;
    else this.#windowMs += marginMs;
    this.#changedAt = now;
  }

  #forgetOld(now: number): void {
    while ((this.#recent[0]?.at ?? now) < now - this.#windowMs) this.#recent.shift();
  }
}
