/** A delivery that is not accepted, with the answer for its sender. */

/** Stable codes for the log and the metrics. */
export const refusalReasons = [
  'broke-off',
  'path-too-deep',
  'no-path',
  'two-hosts',
  'wrong-authorization',
  'wrong-address',
  'from-a-page',
  'not-a-delivery',
  'stalled',
  'too-slow',
  'too-large',
  'not-kept',
  'no-room',
  'not-reported',
  'busy',
  'stopping',
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

export class RefusedDelivery extends Error {
  override readonly name = 'RefusedDelivery';
  readonly status: number;
  readonly reason: RefusalReason;

  /** `line` is the whole answer to the sender: one sentence, which reveals nothing that the sender did not send. `cause` is for the log. */
  constructor(status: number, reason: RefusalReason, line: string, cause?: unknown) {
    super(line, { cause });
    this.status = status;
    this.reason = reason;
  }
}

/** The sender closed the connection before the delivery was complete. */
export const brokenOff = (): RefusedDelivery => new RefusedDelivery(400, 'broke-off', 'The delivery broke off.');
