/** Why a delivery is not taken, as the answer that its sender gets. */

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Stable, for the log: `too-large`. */
  readonly reason: string;

  /** `line` is all that the sender is told: one sentence, without anything that it did not say itself. */
  constructor(status: number, reason: string, line: string) {
    super(line);
    this.status = status;
    this.reason = reason;
  }
}

/** The sender went away before its delivery was whole: there is nobody left to answer. */
export const brokenOff = (): Refusal => new Refusal(400, 'broke-off', 'The delivery broke off.');
