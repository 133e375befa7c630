/** Schemas of the dialect and the faults. */
import { z } from 'zod';

/** Lag of a listing: `{ms: 500}` or `{listings: 2}`. */
export const lagSchema = z.union(
  [
    z.strictObject({
      ms: z.number().nonnegative().describe('Time in milliseconds for which the old listing is served.'),
    }),
    z.strictObject({
      listings: z.int().nonnegative().describe('Number of listings of a zone that still show the old state.'),
    }),
  ],
  'must be {ms: 500} or {listings: 2}',
);

export const statusSchema = z.int().min(200).max(599);
