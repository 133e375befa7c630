/** Counts of zones, reported after each listing: listed, of those that have been asked for so far. */
export interface ListingProgress {
  listed: number;
  asked: number;
  /** The time in milliseconds for which listings that do not show a write yet are read again. */
  waitMs: number;
}
