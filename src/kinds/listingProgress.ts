/** Counts of zones: listed, of those that have been asked for so far. */
export interface ListingProgress {
  listed: number;
  asked: number;
}
