/** A delivery that is not accepted, with the answer for its sender. */

export class RefusedDelivery extends Error {
  override readonly name = 'RefusedDelivery';
  readonly status: number;
  /** A stable code for the log, such as `too-large`. */
  readonly reason: string;

  /** `line` is the whole answer to the sender: one sentence, which reveals nothing that the sender did not send. */
  constructor(status: number, reason: string, line: string) {
    super(line);
    this.status = status;
    this.reason = reason;
  }
}

/** The sender closed the connection before the delivery was complete. */
export const brokenOff = (): RefusedDelivery => new RefusedDelivery(400, 'broke-off', 'The delivery broke off.');
