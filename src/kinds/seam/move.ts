/** An IP that a call moves from one zone to another. */
export interface Move {
  ip: string;
  country: string;
  from: string;
  to: string;
  reason: MoveReason;
}

/** `declared` by address, `count` to fill one, `surplus` beyond one, `released` because it is unmanaged. */
export type MoveReason = 'declared' | 'count' | 'surplus' | 'released';
