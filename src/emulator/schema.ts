/** Ways of writing zod schemas that the account, its dialect and the faults share. */

import { z } from 'zod';

/** An object that allows no other keys; a key that it does not know is answered with the ones that it does. */
export function closed<Shape extends z.ZodRawShape>(shape: Shape) {
  const keys = Object.keys(shape).join(', ');
  return z.strictObject(shape, { error: (issue) => (issue.code === 'unrecognized_keys' ? keys : undefined) });
}

/** How long a listing lags: `{ms: 500}` or `{listings: 2}`. */
export const lagSchema = z.union(
  [
    closed({ ms: z.number().nonnegative().describe('Milliseconds for which the old listing is still served.') }),
    closed({ listings: z.int().nonnegative().describe('Listings of a zone that still show the old state.') }),
  ],
  '{ms: 500} or {listings: 2}',
);

export const statusSchema = z.int('an HTTP status').min(200, 'an HTTP status').max(599, 'an HTTP status');
